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

func readPNG(b []byte) (Picture, error) {
	p := Picture{Type: PNG, Bytes: []byte(pngHead)}
	turn, shown := byte(0), false
	for at := len(pngHead); ; {
		if at+12 > len(b) {
			return p, brokenPicture(PNG, "it ends too early")
		}
		size := int(binary.BigEndian.Uint32(b[at:]))
		if size > len(b)-at-12 {
			return p, brokenPicture(PNG, "a part is longer than the file")
		}
		name, body := string(b[at+4:at+8]), b[at+8:at+8+size]
		whole := b[at : at+12+size]
		at += 12 + size
		if first := p.Width == 0 && len(p.Bytes) == len(pngHead); first != (name == "IHDR") {
			return p, brokenPicture(PNG, "it does not begin with its size, once")
		}
		switch name {
		case "IHDR":
			if size != 13 {
				return p, brokenPicture(PNG, "its header is none")
			}
			p.Width, p.Height = int(binary.BigEndian.Uint32(body)), int(binary.BigEndian.Uint32(body[4:]))
		case "IDAT":
			if !shown && turn > 0 {
				p.Bytes = pngChunk(p.Bytes, "eXIf", turnedBlock(turn))
			}
			shown = true
		case "fcTL":
			p.Frames++
		case "eXIf":
			p.drop(droppedPlace)
			if !shown {
				turn = exifTurn(body)
			}
		case "IEND":
			if !shown || size != 0 {
				return p, brokenPicture(PNG, "it shows nothing")
			}
			if at < len(b) {
				p.drop(droppedAfter)
			}
			p.Bytes = append(p.Bytes, whole...)
			return p, nil
		}
		switch {
		case pngKept[name]:
			p.Bytes = append(p.Bytes, whole...)
		case name[0]&0x20 == 0:
			return p, brokenPicture(PNG, "it needs a part that nobody knows")
		case name == "tEXt" || name == "zTXt" || name == "iTXt" || name == "tIME":
			p.drop(droppedWords)
		case name != "eXIf":
			p.drop(droppedUnknown)
		}
	}
}

func pngChunk(out []byte, name string, body []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(body)))
	from := len(out)
	out = append(append(out, name...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[from:]))
}
