package policy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func drawn() *image.Paletted {
	m := image.NewPaletted(image.Rect(0, 0, 4, 3), color.Palette{color.Black, color.White})
	m.Set(1, 1, color.White)
	return m
}

func drawnAs(t *testing.T, as PictureType) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch as {
	case PNG:
		err = png.Encode(&b, drawn())
	case JPEG:
		err = jpeg.Encode(&b, drawn(), nil)
	case GIF:
		err = gif.EncodeAll(&b, &gif.GIF{Image: []*image.Paletted{drawn(), drawn()}, Delay: []int{1, 1}})
	case WebP:
		b.Write(webpOf(webpPart("VP8L", vp8l(4, 3))))
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func chunkPNG(name string, body []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(append(out, name...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// insideJPEG puts a segment behind the first mark.
func insideJPEG(b []byte, marker byte, body []byte) []byte {
	head := binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, marker}, uint16(len(body)+2))
	return append(append(head, body...), b[2:]...)
}

func insidePNG(b, chunk []byte) []byte {
	return append(append(bytes.Clone(b[:33]), chunk...), b[33:]...)
}

func vp8l(width, height uint32) []byte {
	return append([]byte{0x2f}, binary.LittleEndian.AppendUint32(nil, width-1|(height-1)<<14)...)
}

func webpPart(name string, body []byte) []byte {
	out := append([]byte(name), binary.LittleEndian.AppendUint32(nil, uint32(len(body)))...)
	out = append(out, body...)
	if len(body)%2 == 1 {
		out = append(out, 0)
	}
	return out
}

func webpOf(parts ...[]byte) []byte {
	body := append([]byte("WEBP"), bytes.Join(parts, nil)...)
	return append(append([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(len(body)))...), body...)
}

// vp8x announces a picture of 4 by 3.
func vp8x(flags byte) []byte {
	out := []byte{flags, 0, 0, 0}
	return webpPart("VP8X", append(out, 3, 0, 0, 2, 0, 0))
}

// exifOf is EXIF with how to turn the picture and words that stand for a position.
func exifOf(turn byte) []byte {
	b := []byte{'M', 'M', 0, '*', 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, turn, 0, 0, 0, 0, 0, 0}
	return append(b, whereIs...)
}

const whereIs = "GPS 52.5200N 13.4050E"

func TestAPictureIsCleaned(t *testing.T) {
	exif := append([]byte("Exif\x00\x00"), exifOf(6)...)
	cases := map[string]struct {
		bytes   []byte
		turned  bool
		dropped []string
	}{
		"a JPEG with a position": {insideJPEG(drawnAs(t, JPEG), 0xe1, exif), true, []string{droppedPlace}},
		"a JPEG with XMP":        {insideJPEG(drawnAs(t, JPEG), 0xe1, []byte("http://ns.adobe.com/xap/1.0/\x00"+whereIs)), false, []string{droppedWords}},
		"a JPEG with IPTC":       {insideJPEG(drawnAs(t, JPEG), 0xed, []byte("Photoshop 3.0\x00"+whereIs)), false, []string{droppedWords}},
		"a JPEG with a comment":  {insideJPEG(drawnAs(t, JPEG), 0xfe, []byte(whereIs)), false, []string{droppedWords}},
		"a JPEG with maker's":    {insideJPEG(drawnAs(t, JPEG), 0xe5, []byte(whereIs)), false, []string{droppedUnknown}},
		"a PNG with a position":  {insidePNG(drawnAs(t, PNG), chunkPNG("eXIf", exifOf(8))), true, []string{droppedPlace}},
		"a PNG with text":        {insidePNG(drawnAs(t, PNG), chunkPNG("tEXt", []byte("Comment\x00"+whereIs))), false, []string{droppedWords}},
		"a PNG with its own":     {insidePNG(drawnAs(t, PNG), chunkPNG("prVt", []byte(whereIs))), false, []string{droppedUnknown}},
		"a GIF with a comment":   {commentedGIF(drawnAs(t, GIF)), false, []string{droppedWords}},
		"a WebP with a position": {webpOf(vp8x(webpExif|webpXMP), webpPart("VP8L", vp8l(4, 3)), webpPart("EXIF", exifOf(3)), webpPart("XMP ", []byte(whereIs))), true, []string{droppedPlace, droppedWords}},
		"a WebP with its own":    {webpOf(vp8x(0), webpPart("VP8L", vp8l(4, 3)), webpPart("PLCE", []byte(whereIs))), false, []string{droppedUnknown}},
		"a PNG and a web page":   {append(drawnAs(t, PNG), "<html><script>"+whereIs+"</script>"...), false, []string{droppedAfter}},
		"a JPEG and a zip":       {append(drawnAs(t, JPEG), "PK\x03\x04"+whereIs...), false, []string{droppedAfter}},
		"a GIF and a script":     {append(drawnAs(t, GIF), "/*"+whereIs...), false, []string{droppedAfter}},
		"a WebP and more":        {append(drawnAs(t, WebP), whereIs...), false, []string{droppedAfter}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := ReadPicture(c.bytes)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(p.Bytes, []byte(whereIs)) {
				t.Error("the position is still in it")
			}
			if p.Width != 4 || p.Height != 3 {
				t.Errorf("it is %d by %d", p.Width, p.Height)
			}
			if got := bytes.Contains(p.Bytes, []byte("II*\x00")); got != c.turned {
				t.Errorf("how it is turned stayed: %v", got)
			}
			if diff := cmp.Diff(c.dropped, p.Dropped); diff != "" {
				t.Error(diff)
			}
			again, err := ReadPicture(p.Bytes)
			if err != nil || !bytes.Equal(again.Bytes, p.Bytes) {
				t.Errorf("cleaning it twice is not cleaning it once: %v", err)
			}
			if p.Type != WebP {
				if _, _, err := image.Decode(bytes.NewReader(p.Bytes)); err != nil {
					t.Errorf("it is no picture any more: %v", err)
				}
			}
		})
	}
}

func commentedGIF(b []byte) []byte {
	at := 13 + colours(b[10])
	comment := append([]byte{0x21, 0xfe, byte(len(whereIs))}, whereIs+"\x00"...)
	return append(append(bytes.Clone(b[:at]), comment...), b[at:]...)
}

func TestWhatIsNoPictureIsRefused(t *testing.T) {
	wide := drawnAs(t, PNG)
	binary.BigEndian.PutUint32(wide[16:], 1<<30)
	area := drawnAs(t, PNG)
	binary.BigEndian.PutUint32(area[16:], 16000)
	binary.BigEndian.PutUint32(area[20:], 16000)
	frames := webpPart("VP8L", vp8l(4, 3))
	motion := [][]byte{vp8x(2)}
	for range MaxPictureFrames + 1 {
		motion = append(motion, webpPart("ANMF", append(make([]byte, 16), frames...)))
	}
	cases := map[string]struct {
		bytes []byte
		fault Fault
	}{
		"nothing":                 {nil, PictureBroken},
		"SVG with a script":       {[]byte(`<?xml version="1.0"?><svg onload="x()"><script>x()</script></svg>`), PictureWrongType},
		"a web page":              {[]byte("<!DOCTYPE html><p>"), PictureWrongType},
		"a PDF":                   {[]byte("%PDF-1.7"), PictureWrongType},
		"a bitmap":                {[]byte("BM123456"), PictureWrongType},
		"text":                    {[]byte("a cat"), PictureWrongType},
		"five megabytes and one":  {append(drawnAs(t, PNG), make([]byte, MaxPictureBytes)...), PictureTooLarge},
		"a bomb by its width":     {wide, PictureTooLarge},
		"a bomb by its area":      {area, PictureTooLarge},
		"a bomb inside a small":   {webpOf(vp8x(0), webpPart("VP8L", vp8l(16384, 16384))), PictureTooLarge},
		"too many frames":         {webpOf(motion...), PictureTooLarge},
		"a PNG that ends early":   {drawnAs(t, PNG)[:50], PictureBroken},
		"a JPEG that ends early":  {drawnAs(t, JPEG)[:200], PictureBroken},
		"a GIF that ends early":   {drawnAs(t, GIF)[:30], PictureBroken},
		"a WebP that ends early":  {drawnAs(t, WebP)[:20], PictureBroken},
		"a JPEG of marks alone":   {[]byte("\xff\xd8\xff\xd9"), PictureBroken},
		"a PNG head alone":        {[]byte(pngHead), PictureBroken},
		"a PNG with two sizes":    {insidePNG(drawnAs(t, PNG), drawnAs(t, PNG)[8:33]), PictureBroken},
		"a PNG with a riddle":     {insidePNG(drawnAs(t, PNG), chunkPNG("ABCD", nil)), PictureBroken},
		"a WebP that shows none":  {webpOf(vp8x(0)), PictureBroken},
		"a GIF that shows none":   {[]byte("GIF89a\x04\x00\x03\x00\x00\x00\x00;"), PictureBroken},
		"a PNG named as it is no": {[]byte("\x89PNG"), PictureWrongType},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := ReadPicture(c.bytes)
			if fault, ok := errors.AsType[*PictureError](err); !ok || fault.Fault != c.fault {
				t.Errorf("got %v, %+v; want %s", err, p.Type, c.fault)
			}
		})
	}
}

func FuzzReadPicture(f *testing.F) {
	for _, as := range []PictureType{PNG, JPEG, GIF, WebP} {
		f.Add(drawnAs(&testing.T{}, as))
	}
	f.Add(webpOf(vp8x(8), webpPart("ANMF", append(make([]byte, 16), webpPart("VP8L", vp8l(4, 3))...)), webpPart("EXIF", exifOf(3))))
	f.Add(insidePNG(drawnAs(&testing.T{}, PNG), chunkPNG("eXIf", exifOf(8))))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := ReadPicture(b)
		if err != nil {
			if _, ok := errors.AsType[*PictureError](err); !ok {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		again, err := ReadPicture(p.Bytes)
		if err != nil {
			t.Fatalf("what was cleaned is refused: %v", err)
		}
		if !bytes.Equal(again.Bytes, p.Bytes) || len(again.Dropped) > 0 && again.Dropped[0] != droppedPlace {
			t.Fatalf("cleaning twice differs: %v", again.Dropped)
		}
	})
}

func TestACaptionIsPlainText(t *testing.T) {
	red := NewRedactor()
	cases := map[string]struct{ in, want Caption }{
		"plain":     {Caption{"Ana", "at the harbour", "person"}, Caption{"Ana", "at the harbour", "person"}},
		"no kind":   {Caption{"Ana", "", ""}, Caption{"Ana", "", "other"}},
		"a link":    {Caption{"Ana](http://evil) ![x", "[click](javascript:1)", "other"}, Caption{"Ana)(http: evil) (x", "(click)(javascript:1)", "other"}},
		"lines":     {Caption{"Ana\n# Memory", "a\r\n- b\u2028c", "other"}, Caption{"Ana # Memory", "a - b c", "other"}},
		"tags":      {Caption{"<img src=x>", "<!-- x -->`y`", "other"}, Caption{"img src=x›", "‹!-- x --›'y'", "other"}},
		"a path":    {Caption{"../../etc/passwd", "", "other"}, Caption{"etc/passwd", "", "other"}},
		"a source":  {Caption{"from chat · Ana", "x · y", "other"}, Caption{"from chat - Ana", "x - y", "other"}},
		"backwards": {Caption{"A\u202ena", "\u200bx\x00\x1b[31m", "other"}, Caption{"Ana", "x(31m", "other"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := c.in.Checked(red)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for name, bad := range map[string]Caption{
		"no name": {Note: "x"}, "signs": {About: "!!"}, "a kind": {About: "Ana", Kind: "cat"},
		"long": {About: strings.Repeat("a", MaxPictureAbout+1)}, "a long note": {About: "Ana", Note: strings.Repeat("a", MaxPictureNote+1)}, "bytes": {About: "\xff"},
	} {
		if _, err := bad.Checked(red); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func FuzzCaption(f *testing.F) {
	f.Add("Ana", "at the harbour", "person")
	f.Add("Ana](x) ![", "a: b (person)", "self")
	f.Add("«x»", "· \n", "")
	red := NewRedactor()
	f.Fuzz(func(t *testing.T, about, note, kind string) {
		c, err := Caption{About: about, Note: note, Kind: kind}.Checked(red)
		if err != nil {
			return
		}
		file := PictureFile(c.About, Picture{Type: PNG, Bytes: []byte("x")})
		if name := PictureName(file); name == "" || strings.ContainsAny(name, "/\\ ()[]<>\n") {
			t.Fatalf("%q is no name of a picture", file)
		}
		for _, in := range []string{MemoryFile, "memory/people.md"} {
			entry := c.Entry(in, file)
			if strings.ContainsAny(entry, "\r\n") || strings.Count(entry, "](") != 1 {
				t.Fatalf("%q is more than one link, or line", entry)
			}
			got, picture, ok := ParseShown(entry)
			if !ok || picture != file || got != c {
				t.Fatalf("%q reads as %+v of %q, want %+v", entry, got, picture, c)
			}
		}
	})
}

func TestPicturesAreRanked(t *testing.T) {
	text := []byte("- 2026-09-10 · Ana: at the harbour (person) ![Ana](memory/images/ana-1a2b3c4d5e6f.png)\n" +
		"- 2026-09-11 · Ana Maria: with Ana (person) ![Ana Maria](memory/images/ana-maria-1a2b3c4d5e6f.png)\n" +
		"- ~~2026-09-12 · Ana: old (person) ![Ana](memory/images/ana-000000000000.png)~~ (struck 2026-09-13)\n" +
		"- 2026-09-12 · Boats: two sail boats (product) ![Boats](memory/images/boats-1a2b3c4d5e6f.png)\n" +
		"- 2026-09-12 · no picture of Ana\n")
	list := ShownIn(MemoryFile, text)
	for words, want := range map[string][]string{
		"Ana":                 {"Ana", "Ana Maria"},
		"ana maria":           {"Ana Maria", "Ana"},
		"show me the harbour": {"Ana"},
		"boat":                {"Boats"},
		"":                    nil,
		"zebra":               nil,
	} {
		var got []string
		for _, s := range RankShown(list, words) {
			got = append(got, s.About)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", words, diff)
		}
	}
}

func TestPicturePaths(t *testing.T) {
	for name, want := range map[string]bool{
		"ana-1a2b3c4d5e6f.png": true, "Ana.JPG": true, "猫-1a2b3c4d5e6f.webp": true, "a.jpeg": true,
		"a.svg": false, ".a.png": false, "a/b.png": false, "../a.png": false, "a.png.md": false, "": false, "a\\b.png": false, "c:a.png": false, "a\x00.png": false,
	} {
		if _, err := CheckPicture(name); (err == nil) != want {
			t.Errorf("%q: %v", name, err)
		}
	}
}
