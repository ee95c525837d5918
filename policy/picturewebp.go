package policy

import (
	"encoding/binary"
)

const (
	webpExif = 0x08
	webpXMP  = 0x04
)

// readWebP goes from chunk to chunk; RFC 9649.
func readWebP(b []byte) (Picture, error) {
	p := Picture{Type: WebP}
	size := int(binary.LittleEndian.Uint32(b[4:]))
	if size < 4 || size > len(b)-8 {
		return p, brokenPicture(WebP, "it ends too early")
	}
	if len(b) > 8+size {
		p.drop(droppedAfter)
	}
	w := webpReader{p: p}
	if err := w.chunks(b[12:8+size], w.top); err != nil {
		return w.p, err
	}
	if !w.shown {
		return w.p, brokenPicture(WebP, "it shows nothing")
	}
	if w.turn > 0 && w.extended > 0 {
		w.out = webpChunk(w.out, "EXIF", turnedBlock(w.turn))
		w.out[w.extended-1] |= webpExif
	}
	w.p.Bytes = append([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(len(w.out)+4))...) //nolint:gosec // it came out of 32 bits, or is shorter
	w.p.Bytes = append(append(w.p.Bytes, "WEBP"...), w.out...)
	return w.p, nil
}

type webpReader struct {
	p        Picture
	out      []byte
	extended int // where the flags of the extended form stand in out, from 1; 0 without them
	shown    bool
	turn     byte
}

// chunks gives each chunk to take.
func (w *webpReader) chunks(b []byte, take func(name string, body []byte) error) error {
	for len(b) > 0 {
		if len(b) < 8 {
			return brokenPicture(WebP, "it ends too early")
		}
		name, size := string(b[:4]), int(binary.LittleEndian.Uint32(b[4:]))
		if size > len(b)-8 {
			return brokenPicture(WebP, "a part is longer than the file")
		}
		if err := take(name, b[8:8+size]); err != nil {
			return err
		}
		b = b[min(8+size+size&1, len(b)):]
	}
	return nil
}

// top keeps a chunk by which the picture is shown.
func (w *webpReader) top(name string, body []byte) error {
	switch name {
	case "VP8X":
		if len(body) < 10 || len(w.out) > 0 {
			return brokenPicture(WebP, "its header is none")
		}
		w.grow(littleEnd(body[4:7])+1, littleEnd(body[7:10])+1)
		head := append([]byte{body[0] &^ (webpExif | webpXMP)}, body[1:10]...)
		w.out = webpChunk(w.out, name, head)
		w.extended = 8 + 1
		return nil
	case "VP8 ", "VP8L":
		if w.p.Frames == 0 && w.shown {
			return brokenPicture(WebP, "it shows two pictures")
		}
		w.shown = true
		if err := w.bits(name, body); err != nil {
			return err
		}
	case "ANMF":
		return w.frame(body)
	case "ALPH", "ANIM", "ICCP":
	case "EXIF":
		w.turn = exifTurn(body)
		w.p.drop(droppedPlace)
		return nil
	case "XMP ":
		w.p.drop(droppedWords)
		return nil
	default:
		w.p.drop(droppedUnknown)
		return nil
	}
	w.out = webpChunk(w.out, name, body)
	return nil
}

// frame keeps one frame of a moving picture, and in it what is shown.
func (w *webpReader) frame(body []byte) error {
	if len(body) < 16 {
		return brokenPicture(WebP, "it ends too early")
	}
	w.p.Frames++
	w.shown = true
	w.grow(littleEnd(body[6:9])+1, littleEnd(body[9:12])+1)
	kept := append([]byte(nil), body[:16]...)
	err := w.chunks(body[16:], func(name string, inner []byte) error {
		switch name {
		case "VP8 ", "VP8L":
			if err := w.bits(name, inner); err != nil {
				return err
			}
		case "ALPH":
		default:
			w.p.drop(droppedUnknown)
			return nil
		}
		kept = webpChunk(kept, name, inner)
		return nil
	})
	w.out = webpChunk(w.out, "ANMF", kept)
	return err
}

// bits reads the size that the pixels themselves have: it may be another than announced.
func (w *webpReader) bits(name string, body []byte) error {
	switch {
	case name == "VP8 " && len(body) >= 10 && string(body[3:6]) == "\x9d\x01\x2a":
		w.grow(littleEnd(body[6:8])&0x3fff, littleEnd(body[8:10])&0x3fff)
	case name == "VP8L" && len(body) >= 5 && body[0] == 0x2f:
		n := littleEnd(body[1:5])
		w.grow(n&0x3fff+1, n>>14&0x3fff+1)
	default:
		return brokenPicture(WebP, "what it shows does not begin as it must")
	}
	return nil
}

func (w *webpReader) grow(width, height int) {
	w.p.Width, w.p.Height = max(w.p.Width, width), max(w.p.Height, height)
}

func webpChunk(out []byte, name string, body []byte) []byte {
	out = append(out, name...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(body))) //nolint:gosec // it came out of 32 bits, or is shorter
	out = append(out, body...)
	if len(body)%2 == 1 {
		out = append(out, 0)
	}
	return out
}
