package exchange

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// The limits of what is read. A folder is counted in all, and a zip by what comes out.
const (
	MaxInput = 64 << 20 // bytes of a file that holds many notes
	maxPage  = 4 << 20  // bytes of one markdown file of a folder
	maxFiles = 50_000
	maxTotal = 256 << 20
)

// Source is what a person named: a folder, or one file's bytes.
type Source struct {
	Name    string // its base name, for messages
	Dir     fs.FS  // nil for a file
	Text    []byte
	Journal []byte // of an openmausbot workspace: it lies outside of the folder
}

// ReadAll reads at most MaxInput bytes. ErrTooLarge.
func ReadAll(name string, r io.Reader) ([]byte, error) { return readBounded(name, r, MaxInput) }

func readBounded(name string, r io.Reader, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, tooLarge("%s is over %d MiB, the most that is read of one file", name, most>>20)
	}
	return text, err
}

// opened makes a folder of a zip and plain UTF-8 of a file.
func (s Source) opened() (Source, error) {
	var err error
	switch {
	case s.Dir != nil:
		return s, nil
	case bytes.HasPrefix(s.Text, []byte("PK\x03\x04")), bytes.HasPrefix(s.Text, []byte("PK\x05\x06")):
		s.Dir, err = openZip(s.Name, s.Text)
	default:
		s.Text, err = plainText(s.Name, s.Text)
	}
	return s, err
}

// openZip opens a zip as a folder. One whose names lead out of it is refused whole.
func openZip(name string, text []byte) (fs.FS, error) {
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil, faulty("%s is no zip that can be read: %v", name, err)
	}
	if len(z.File) > maxFiles {
		return nil, tooLarge("%s holds %d files, %d is the most", name, len(z.File), maxFiles)
	}
	total := uint64(0)
	for _, f := range z.File {
		inside := strings.TrimSuffix(f.Name, "/")
		if !fs.ValidPath(inside) || strings.ContainsAny(inside, "\\:") {
			return nil, faulty("%s holds the name %q, which leads out of it: nothing of it is taken in", name, f.Name)
		}
		if total += f.UncompressedSize64; total > maxTotal {
			return nil, tooLarge("%s is over %d MiB when it is unpacked", name, maxTotal>>20)
		}
	}
	return z, nil
}

// plainText gives text as UTF-8 without a byte order mark: UTF-16 is told by its mark.
func plainText(name string, text []byte) ([]byte, error) {
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		out, err := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Bytes(text)
		if err != nil {
			return nil, faulty("%s: broken UTF-16: %v", name, err)
		}
		return out, nil
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(text) {
		return nil, faulty("%s is not UTF-8, see line %d: save it as UTF-8 and import it again", name, badLine(text))
	}
	return text, nil
}

func badLine(text []byte) int {
	n := 0
	for line := range bytes.Lines(text) {
		if n++; !utf8.Valid(line) {
			break
		}
	}
	return n
}

// found is one file of a folder.
type found struct{ path, text string }

// folder is what is read of a folder of notes.
type folder struct {
	files []found
	left  []Left
	total int64
}

// readFolder reads the files under dir that want says yes to, in the order of their
// paths. Folders of tools (hidden ones, node_modules) are not looked into; links are not
// followed.
func readFolder(dir fs.FS, want func(p string) bool, why string) (*folder, error) {
	f := &folder{}
	err := fs.WalkDir(dir, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case p == ".":
			return nil
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			f.left = append(f.left, Left{p + "/", "a folder of tools, not of notes"})
			return fs.SkipDir
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			f.left = append(f.left, Left{p, "not a plain file"})
		case !want(p):
			f.left = append(f.left, Left{p, why})
		default:
			return f.read(dir, p)
		}
		return nil
	})
	return f, err
}

func (f *folder) read(dir fs.FS, p string) error {
	file, err := dir.Open(p)
	if err != nil {
		return err
	}
	most := int64(maxPage)
	if !isMarkdown(p) {
		most = MaxInput
	}
	text, err := readBounded(p, file, most)
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("%s: %w", p, err)
	}
	if f.total += int64(len(text)); f.total > maxTotal || len(f.files) == maxFiles {
		return tooLarge("the folder is over %d files or %d MiB of notes", maxFiles, maxTotal>>20)
	}
	f.files = append(f.files, found{p, string(text)})
	return nil
}

const notMarkdown = "not markdown"

func isMarkdown(p string) bool {
	ext, name := strings.ToLower(path.Ext(p)), path.Base(p)
	return (ext == ".md" || ext == ".markdown") && !strings.HasPrefix(name, ".")
}

// holds says whether a folder has a plain file or a folder of that name.
func holds(dir fs.FS, name string) bool {
	if dir == nil {
		return false
	}
	_, err := fs.Stat(dir, name)
	return err == nil
}

// within is the folder in which the named file lies: dir itself, or the one of the
// named folders in it that has it.
func within(dir fs.FS, file string, folders ...string) (fs.FS, error) {
	for _, name := range folders {
		if !holds(dir, file) && holds(dir, path.Join(name, file)) {
			return fs.Sub(dir, name)
		}
	}
	return dir, nil
}
