package policy

import "bytes"

// readGIF goes from block to block; GIF89a specification.
func readGIF(b []byte) (Picture, error) {
	g := gifReader{b: b, p: Picture{Type: GIF}}
	if len(b) < 13 {
		return g.p, brokenPicture(GIF, "it ends too early")
	}
	g.p.Width, g.p.Height = littleEnd(b[6:8]), littleEnd(b[8:10])
	g.at = 13 + colours(b[10])
	if g.at > len(b) {
		return g.p, brokenPicture(GIF, "it ends too early")
	}
	g.p.Bytes = bytes.Clone(b[:g.at])
	for g.at < len(b) {
		kind := b[g.at]
		var err error
		switch kind {
		case 0x3b:
			if g.p.Frames == 0 {
				return g.p, brokenPicture(GIF, "it shows nothing")
			}
			if g.at+1 < len(b) {
				g.p.drop(droppedAfter)
			}
			g.p.Bytes = append(g.p.Bytes, 0x3b)
			return g.p, nil
		case 0x2c:
			err = g.frame()
		case 0x21:
			err = g.extension()
		default:
			err = brokenPicture(GIF, "it has a part that nobody knows")
		}
		if err != nil {
			return g.p, err
		}
	}
	return g.p, brokenPicture(GIF, "it ends too early")
}

type gifReader struct {
	b  []byte
	at int
	p  Picture
}

// colours is the length of the table of colours that flags announce.
func colours(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}

func (g *gifReader) frame() error {
	from := g.at
	if from+11 > len(g.b) {
		return brokenPicture(GIF, "it ends too early")
	}
	d := g.b[from : from+10]
	// Viewers grow the canvas for a frame that stands out of it: what is shown counts.
	g.p.Width, g.p.Height = max(g.p.Width, littleEnd(d[1:3])+littleEnd(d[5:7])), max(g.p.Height, littleEnd(d[3:5])+littleEnd(d[7:9]))
	g.p.Frames++
	g.at += 10 + colours(d[9]) + 1
	if err := g.blocks(); err != nil {
		return err
	}
	g.p.Bytes = append(g.p.Bytes, g.b[from:g.at]...)
	return nil
}

// blocks passes over a run of blocks, each with its length before it.
func (g *gifReader) blocks() error {
	for g.at < len(g.b) {
		size := int(g.b[g.at])
		g.at += 1 + size
		if size == 0 {
			return nil
		}
	}
	return brokenPicture(GIF, "it ends too early")
}

func (g *gifReader) extension() error {
	from := g.at
	if from+3 > len(g.b) {
		return brokenPicture(GIF, "it ends too early")
	}
	label, first := g.b[from+1], int(g.b[from+2])
	body := g.b[from+3 : min(from+3+first, len(g.b))]
	g.at += 2
	if err := g.blocks(); err != nil {
		return err
	}
	switch name := string(body); {
	case label == 0xf9 && first == 4 && g.at == from+8,
		label == 0xff && (name == "NETSCAPE2.0" || name == "ANIMEXTS1.0") && g.at == from+19,
		label == 0xff && name == "ICCRGBG1012":
		g.p.Bytes = append(g.p.Bytes, g.b[from:g.at]...)
	case label == 0xfe, label == 0x01, label == 0xff && name == "XMP DataXMP":
		g.p.drop(droppedWords)
	default:
		g.p.drop(droppedUnknown)
	}
	return nil
}
