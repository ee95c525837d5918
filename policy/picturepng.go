package policy

import (
	"encoding/binary"
	"hash/crc32"
)

const pngHead = "\x89PNG\r\n\x1a\n"

// pngKept are the chunks that a PNG is shown by. PNG specification, third edition,
// chapter 11, with those of moving pictures and of colour.
var pngKept = map[string]bool{
	"IHDR": true, "PLTE": true, "IDAT": true, "IEND": true, "tRNS": true, "cHRM": true, "gAMA": true, "iCCP": true,
	"sBIT": true, "sRGB": true, "cICP": true, "mDCV": true, "cLLI": true, "bKGD": true, "pHYs": true,
	"acTL": true, "fcTL": true, "fdAT": true,
}

// readPNG goes from chunk to chunk.
func readPNG(b []byte) (Picture, error) {
	r := pngReader{p: Picture{Type: PNG, Bytes: []byte(pngHead)}}
	for at := len(pngHead); ; {
		if at+12 > len(b) {
			return r.p, brokenPicture(PNG, "it ends too early")
		}
		size := int(binary.BigEndian.Uint32(b[at:]))
		if size > len(b)-at-12 {
			return r.p, brokenPicture(PNG, "a part is longer than the file")
		}
		whole := b[at : at+12+size]
		at += 12 + size
		if err := r.take(string(whole[4:8]), whole[8:8+size], whole); err != nil {
			return r.p, err
		}
		if r.ended {
			if at < len(b) {
				r.p.drop(droppedAfter)
			}
			return r.p, nil
		}
	}
}

type pngReader struct {
	p                   Picture
	turn                byte
	begun, shown, ended bool
}

// take keeps a chunk by which the picture is shown.
func (r *pngReader) take(name string, body, whole []byte) error {
	if r.begun == (name == "IHDR") {
		return brokenPicture(PNG, "it does not begin with its size, once")
	}
	r.begun = true
	switch name {
	case "IHDR":
		if len(body) != 13 {
			return brokenPicture(PNG, "its header is none")
		}
		r.p.Width, r.p.Height = int(binary.BigEndian.Uint32(body)), int(binary.BigEndian.Uint32(body[4:]))
	case "IDAT":
		if !r.shown && r.turn > 0 {
			r.p.Bytes = pngChunk(r.p.Bytes, "eXIf", turnedBlock(r.turn))
		}
		r.shown = true
	case "fcTL":
		r.p.Frames++
	case "eXIf":
		if !r.shown {
			r.turn = exifTurn(body)
		}
	case "IEND":
		if !r.shown || len(body) != 0 {
			return brokenPicture(PNG, "it shows nothing")
		}
		r.ended = true
	}
	if pngKept[name] {
		r.p.Bytes = append(r.p.Bytes, whole...)
		return nil
	}
	return r.leave(name)
}

// leave notes what is left out. A part that is needed is known.
func (r *pngReader) leave(name string) error {
	switch name {
	case "eXIf":
		r.p.drop(droppedPlace)
	case "tEXt", "zTXt", "iTXt", "tIME":
		r.p.drop(droppedWords)
	default:
		if name[0]&0x20 == 0 {
			return brokenPicture(PNG, "it needs a part that nobody knows")
		}
		r.p.drop(droppedUnknown)
	}
	return nil
}

func pngChunk(out []byte, name string, body []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(body)))
	from := len(out)
	out = append(append(out, name...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[from:]))
}
