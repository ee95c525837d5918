package policy

import (
	"bytes"
	"encoding/binary"
)

// readJPEG goes from marker to marker; ITU-T T.81, annex B.
func readJPEG(b []byte) (Picture, error) {
	j := jpegReader{b: b, at: 2, p: Picture{Type: JPEG, Bytes: []byte{0xff, 0xd8}}}
	for {
		marker, body, err := j.segment()
		if err != nil {
			return j.p, err
		}
		if marker == 0xd9 {
			if !j.scanned {
				return j.p, brokenPicture(JPEG, "it shows nothing")
			}
			if j.at < len(b) {
				j.p.drop(droppedAfter)
			}
			j.p.Bytes = j.turnedIn(append(j.p.Bytes, 0xff, 0xd9))
			return j.p, nil
		}
		if err := j.take(marker, body); err != nil {
			return j.p, err
		}
	}
}

type jpegReader struct {
	b       []byte
	at      int
	p       Picture
	turn    byte
	scanned bool
}

// segment gives the next marker and what belongs to it.
func (j *jpegReader) segment() (marker byte, body []byte, err error) {
	if j.at+2 > len(j.b) || j.b[j.at] != 0xff {
		return 0, nil, brokenPicture(JPEG, "it ends too early, or has something between its parts")
	}
	for j.at+2 < len(j.b) && j.b[j.at+1] == 0xff { // fill bytes
		j.at++
	}
	marker = j.b[j.at+1]
	j.at += 2
	switch {
	case marker == 0xd9:
		return marker, nil, nil
	case marker < 0xc0 || marker >= 0xd0 && marker <= 0xd8:
		return 0, nil, brokenPicture(JPEG, "it has a mark where none can be")
	case j.at+2 > len(j.b):
		return 0, nil, brokenPicture(JPEG, "it ends too early")
	}
	size := int(binary.BigEndian.Uint16(j.b[j.at:]))
	if size < 2 || j.at+size > len(j.b) {
		return 0, nil, brokenPicture(JPEG, "a part is longer than the file")
	}
	body = j.b[j.at+2 : j.at+size]
	j.at += size
	return marker, body, nil
}

// take keeps a segment by which the picture is shown.
func (j *jpegReader) take(marker byte, body []byte) error {
	switch {
	case bytes.IndexByte([]byte{0xc4, 0xc8, 0xcc, 0xdb, 0xdd}, marker) >= 0: // tables
	case marker >= 0xc0 && marker <= 0xcf:
		if len(body) < 6 || j.p.Width > 0 {
			return brokenPicture(JPEG, "it does not say its size, once")
		}
		if j.p.Height, j.p.Width = bigEnd(body[1:3]), bigEnd(body[3:5]); j.p.Height == 0 || j.p.Width == 0 {
			return brokenPicture(JPEG, "it has no size")
		}
	case marker == 0xda:
		if j.p.Width == 0 {
			return brokenPicture(JPEG, "it does not say its size first")
		}
		j.put(marker, body)
		return j.scan()
	default:
		if body = j.aside(marker, body); body == nil {
			return nil
		}
	}
	j.put(marker, body)
	return nil
}

// aside is what stays of a segment that programs write beside the picture; nil for nothing.
func (j *jpegReader) aside(marker byte, body []byte) []byte {
	switch {
	case marker == 0xe0 && bytes.HasPrefix(body, []byte("JFIF\x00")) && len(body) >= 14:
		if len(body) > 14 {
			j.p.drop(droppedUnknown)
		}
		return append(bytes.Clone(body[:12]), 0, 0) // without its thumbnail
	case marker == 0xe2 && bytes.HasPrefix(body, []byte("ICC_PROFILE\x00")):
		return body
	case marker == 0xee && bytes.HasPrefix(body, []byte("Adobe")) && len(body) >= 12:
		return body[:12]
	case marker == 0xe1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")):
		if v := exifTurn(body); j.turn == 0 {
			j.turn = v
		}
		j.p.drop(droppedPlace)
	case marker == 0xfe, marker == 0xed, marker == 0xe1:
		j.p.drop(droppedWords)
	default:
		j.p.drop(droppedUnknown)
	}
	return nil
}

func (j *jpegReader) put(marker byte, body []byte) {
	j.p.Bytes = append(j.p.Bytes, 0xff, marker)
	j.p.Bytes = binary.BigEndian.AppendUint16(j.p.Bytes, uint16(len(body)+2)) //nolint:gosec // it came out of 16 bits, or is shorter
	j.p.Bytes = append(j.p.Bytes, body...)
}

// scan keeps what is drawn, up to the next marker that is none of its own.
func (j *jpegReader) scan() error {
	j.scanned = true
	from := j.at
	for {
		i := bytes.IndexByte(j.b[j.at:], 0xff)
		if i < 0 || j.at+i+1 >= len(j.b) {
			return brokenPicture(JPEG, "it ends too early")
		}
		j.at += i
		if next := j.b[j.at+1]; next != 0 && (next < 0xd0 || next > 0xd7) && next != 0xff {
			break
		}
		j.at++
		if j.b[j.at] != 0xff {
			j.at++
		}
	}
	j.p.Bytes = append(j.p.Bytes, j.b[from:j.at]...)
	return nil
}

// turnedIn puts how to turn the picture behind its first mark.
func (j *jpegReader) turnedIn(out []byte) []byte {
	if j.turn == 0 {
		return out
	}
	block := append([]byte("Exif\x00\x00"), turnedBlock(j.turn)...)
	head := binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, 0xe1}, uint16(len(block)+2)) //nolint:gosec // it is 34
	return append(append(head, block...), out[2:]...)
}
