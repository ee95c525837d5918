package policy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
)

// PictureDir is where pictures lie.
const PictureDir = "memory/images/"

var pictureEnds = []string{".png", ".jpg", ".jpeg", ".gif", ".webp"}

// PictureName gives the file name of a path that is a picture's, "" for any other path: a
// file directly in memory/images/ that ends as a picture does. Whether it is one, its
// content says.
func PictureName(p string) string {
	name, ok := strings.CutPrefix(p, PictureDir)
	if !ok || strings.HasPrefix(name, ".") || strings.ContainsAny(name, "/\\\x00") || !slices.Contains(pictureEnds, strings.ToLower(path.Ext(name))) {
		return ""
	}
	return name
}

// OpaqueFile reports whether a tracked file is none that holds notes: quipu's own, and
// pictures.
func OpaqueFile(p string) bool { return OwnFile(p) || PictureName(p) != "" }

// CheckPicture gives the path of a picture by its file name, or a *PathError. Only plain
// names pass: nothing is cleaned or decoded.
func CheckPicture(name string) (string, error) {
	p := PictureDir + name
	if PictureName(p) == "" || strings.ContainsRune(name, ':') || name != strings.ToValidUTF8(name, "") {
		return "", refusePath(name, "a picture is a file directly in memory/images/ that ends in .png, .jpg, .gif or .webp")
	}
	return p, nil
}

// PictureFile is the path under which a picture of somebody or something is kept: its
// name says who, and its content.
func PictureFile(about string, p Picture) string {
	slug := topicSlug(about)
	if slug == "" {
		slug = "picture"
	}
	sum := sha256.Sum256(p.Bytes)
	return PictureDir + slug + "-" + hex.EncodeToString(sum[:6]) + "." + string(p.Type)
}

// LinksPicture reports whether a text names a picture's file, however it links it.
func LinksPicture(text []byte, name string) bool {
	if bytes.Contains(text, []byte(name)) {
		return true
	}
	for _, plain := range []string{" ()", ""} { // what of ASCII an editor encodes
		if coded := percented(name, plain); coded != name && bytes.Contains(text, []byte(coded)) {
			return true
		}
	}
	return false
}

// percented writes a name as it stands in a URL: the bytes of code, or, without any, all
// that no URL has as they are.
func percented(name, code string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		keep := alnum(c) || strings.IndexByte("-._~", c) >= 0
		if code != "" {
			keep = strings.IndexByte(code, c) < 0
		}
		if keep {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
