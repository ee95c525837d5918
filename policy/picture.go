package policy

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"
)

// The limits of a picture that is kept. They are read from headers alone: nothing is
// decompressed, so a small file that unfolds into a huge picture costs nothing.
const (
	MaxPictureBytes  = 5 << 20     // of the file, before and after it is cleaned
	MaxPictureSide   = 16_384      // pixels of one side
	MaxPictureArea   = 40_000_000  // pixels of the whole
	MaxPictureFrames = 500         // of a moving picture
	MaxPictureMotion = 400_000_000 // pixels of all its frames together
)

// PictureType is a type of picture, told by the content and never by a name.
type PictureType string

// The types of picture that are kept.
const (
	PNG  PictureType = "png"
	JPEG PictureType = "jpg"
	GIF  PictureType = "gif"
	WebP PictureType = "webp"
)

// MediaType is the type as HTTP names it.
func (t PictureType) MediaType() string {
	if t == JPEG {
		return "image/jpeg"
	}
	return "image/" + string(t)
}

// Fault says why a picture is not kept.
type Fault string

// The reasons for which a picture is not kept. One that is kept already is none of them.
const (
	PictureTooLarge   Fault = "too_large"  // bytes, pixels or frames
	PictureWrongType  Fault = "wrong_type" // no PNG, JPEG, GIF or WebP
	PictureBroken     Fault = "broken"     // its structure does not hold
	PictureUnreadable Fault = "unreadable" // its source gave no bytes
	PictureNoRoom     Fault = "no_room"    // enough pictures are kept
)

// PictureError is a picture that is not kept. Its reason is one sentence in lower case.
type PictureError struct {
	Fault   Fault
	Refusal *Refusal
}

// Error returns the reason.
func (e *PictureError) Error() string { return e.Refusal.Reason }

// Unwrap gives the refusal.
func (e *PictureError) Unwrap() error { return e.Refusal }

// RefusePicture makes the error of a picture that is not kept.
func RefusePicture(f Fault, format string, args ...any) error {
	code := Invalid
	if f == PictureTooLarge || f == PictureNoRoom {
		code = Refused
	}
	return &PictureError{Fault: f, Refusal: &Refusal{Code: code, Reason: fmt.Sprintf(format, args...)}}
}

func brokenPicture(t PictureType, what string) error {
	return RefusePicture(PictureBroken, "the %s is broken: %s", t, what)
}

// Picture is a picture as it is kept.
type Picture struct {
	Type          PictureType
	Width, Height int
	Frames        int      // 1 for one that stands still
	Bytes         []byte   // cleaned; the pixels are as they came
	Dropped       []string // what was taken out, in words
}

// SniffPicture tells the type by the first bytes; "" for what is not kept.
func SniffPicture(b []byte) PictureType {
	switch {
	case bytes.HasPrefix(b, []byte(pngHead)):
		return PNG
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		return JPEG
	case bytes.HasPrefix(b, []byte("GIF87a")), bytes.HasPrefix(b, []byte("GIF89a")):
		return GIF
	case len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP":
		return WebP
	}
	return ""
}

// IsPicture reports whether bytes are a picture and no text. Such bytes are never read as
// notes, masked or changed.
func IsPicture(b []byte) bool {
	return SniffPicture(b) != "" && (!utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0)
}

// ReadPicture checks a picture and takes out what tells more than it shows: places, times,
// devices, comments, thumbnails, and bytes after its end, which may be another file. The
// pixels are not touched and nothing is decoded. The colour profile stays, and so does how
// the picture is to be turned, since without it a photo would lie on its side: of the
// metadata a block with that one number is left. The error is a *PictureError.
func ReadPicture(b []byte) (Picture, error) {
	switch t := SniffPicture(b); {
	case len(b) == 0:
		return Picture{}, RefusePicture(PictureBroken, "there is no picture: the source is empty")
	case len(b) > MaxPictureBytes:
		return Picture{}, RefusePicture(PictureTooLarge, "the picture has %d bytes, %d is the limit", len(b), MaxPictureBytes)
	case t == PNG:
		return finishPicture(readPNG(b))
	case t == JPEG:
		return finishPicture(readJPEG(b))
	case t == GIF:
		return finishPicture(readGIF(b))
	case t == WebP:
		return finishPicture(readWebP(b))
	}
	return Picture{}, RefusePicture(PictureWrongType, "%s is kept as a picture: only PNG, JPEG, GIF and WebP are", looksLike(b))
}

// looksLike names what is no picture, for the person who sent it.
func looksLike(b []byte) string {
	head := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(b[:min(len(b), 1024)], []byte("\xef\xbb\xbf"))))
	switch {
	case bytes.HasPrefix(head, []byte("%pdf")):
		return "no PDF"
	case bytes.HasPrefix(head, []byte("pk\x03\x04")):
		return "no archive"
	case bytes.Contains(head, []byte("<svg")):
		return "no SVG, which can hold scripts,"
	case bytes.HasPrefix(head, []byte("<!doctype html")), bytes.Contains(head, []byte("<html")), bytes.Contains(head, []byte("<script")):
		return "no web page"
	case bytes.HasPrefix(head, []byte("bm")):
		return "no bitmap"
	case len(head) > 11 && bytes.Equal(head[4:8], []byte("ftyp")):
		return "no HEIC, AVIF or film"
	}
	return "nothing of this type"
}

func finishPicture(p Picture, err error) (Picture, error) {
	switch {
	case err != nil:
		return Picture{}, err
	case p.Width <= 0 || p.Height <= 0:
		return Picture{}, brokenPicture(p.Type, "it has no size")
	case p.Width > MaxPictureSide || p.Height > MaxPictureSide || p.Width*p.Height > MaxPictureArea:
		return Picture{}, RefusePicture(PictureTooLarge, "the picture is %d by %d pixels; %d a side and %d million in all is the limit", p.Width, p.Height, MaxPictureSide, MaxPictureArea/1_000_000)
	case p.Frames > MaxPictureFrames || p.Frames*p.Width*p.Height > MaxPictureMotion:
		return Picture{}, RefusePicture(PictureTooLarge, "the picture has %d frames of %d by %d pixels; that is too much", p.Frames, p.Width, p.Height)
	case len(p.Bytes) > MaxPictureBytes:
		return Picture{}, RefusePicture(PictureTooLarge, "the picture has %d bytes, %d is the limit", len(p.Bytes), MaxPictureBytes)
	}
	p.Frames = max(p.Frames, 1)
	return p, nil
}

// drop notes, once each, what was taken out.
func (p *Picture) drop(what string) {
	if !slices.Contains(p.Dropped, what) {
		p.Dropped = append(p.Dropped, what)
	}
}

const (
	droppedPlace   = "EXIF (place, time, camera)"
	droppedWords   = "comments and descriptions"
	droppedUnknown = "parts that show nothing"
	droppedAfter   = "bytes after its end"
)

// exifTurn is how a picture is to be turned, 2 to 8, by its EXIF; 0 for as it lies, and for
// what cannot be read.
func exifTurn(exif []byte) byte {
	exif = bytes.TrimPrefix(exif, []byte("Exif\x00\x00"))
	if len(exif) < 8 {
		return 0
	}
	var order func([]byte) int
	switch string(exif[:4]) {
	case "II*\x00":
		order = littleEnd
	case "MM\x00*":
		order = bigEnd
	default:
		return 0
	}
	at := order(exif[4:8])
	if at < 8 || at+2 > len(exif) {
		return 0
	}
	n := order(exif[at : at+2])
	for i := range n {
		e := at + 2 + 12*i
		if e+12 > len(exif) {
			return 0
		}
		if order(exif[e:e+2]) == 0x0112 {
			if v := order(exif[e+8 : e+10]); v >= 2 && v <= 8 {
				return byte(v)
			}
			return 0
		}
	}
	return 0
}

// turnedBlock is EXIF that says how to turn a picture and nothing else.
func turnedBlock(v byte) []byte {
	return []byte{'I', 'I', '*', 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, v, 0, 0, 0, 0, 0, 0, 0}
}

func bigEnd(b []byte) int {
	n := 0
	for _, c := range b {
		n = n<<8 | int(c)
	}
	return n
}

func littleEnd(b []byte) int {
	n := 0
	for _, c := range slices.Backward(b) {
		n = n<<8 | int(c)
	}
	return n
}
