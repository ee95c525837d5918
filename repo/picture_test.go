package repo

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"strings"
	"testing"

	"quipu/policy"
)

var byAda = Meta{Author: Author{Kind: Person, Name: "Ada"}, Via: ViaCLI}

// painted is a PNG that differs by its shade.
func painted(t testing.TB, shade uint8) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 5, 4))
	m.SetGray(1, 1, color.Gray{Y: shade})
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const position = "GPS-52.5200N-13.4050E"

// located is a JPEG whose EXIF tells where it was taken.
func located(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 5, 4)), nil); err != nil {
		t.Fatal(err)
	}
	exif := "Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00" + position
	head := binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, 0xe1}, uint16(len(exif)+2))
	return append(append(head, exif...), b.Bytes()[2:]...)
}

func (l *lab) keep(b []byte, about, note, topic string) Pictured {
	l.t.Helper()
	out, err := l.w.RememberPicture(l.ctx(), byAda, b, policy.Caption{About: about, Note: note, Kind: "person"}, topic)
	if err != nil {
		l.t.Fatal(err)
	}
	return out
}

func (l *lab) pictures() []string {
	l.t.Helper()
	return strings.Fields(l.git("ls-tree", "-r", "--name-only", "HEAD", "memory/images"))
}

func (l *lab) there(path string) bool {
	_, err := os.Stat(l.path(path))
	return err == nil
}

func TestAPictureAndItsEntryAreOneChange(t *testing.T) {
	l := newLab(t)
	l.append("Likes tea")
	before := l.count()
	got := l.keep(located(t), "Ana", "at the harbour", "")
	if l.count() != before+1 || got.Change == "" {
		t.Fatalf("%d commits, %+v", l.count()-before, got.Receipt)
	}
	l.contains(l.text("MEMORY.md"), "Ana: at the harbour (person) ![Ana]("+got.Path+")")
	if files := l.git("show", "--name-only", "--format=", "HEAD"); !strings.Contains(files, "MEMORY.md") || !strings.Contains(files, got.Path) {
		t.Errorf("the commit holds %q", files)
	}
	l.contains(l.git("show", "-s", "--format=%B", "HEAD"), "a picture of Ana", "Memory-Author: person Ada", "Memory-Via: cli")
	if strings.Contains(l.objects(), position) {
		t.Error("an object of git tells where it was taken")
	}
	again := l.keep(located(t), "Somebody", "else", "")
	if !again.Known || again.Change != "" || !strings.Contains(again.Entry, "Ana: at the harbour") || again.Path != got.Path {
		t.Errorf("the same bytes again: %+v", again)
	}
	l.undo(string(got.Change))
	if l.there(got.Path) || strings.Contains(l.text("MEMORY.md"), "Ana") || len(l.pictures()) > 0 {
		t.Error("an undo of the add leaves something")
	}
	l.must(l.w.Redo(l.ctx(), byAda))
	if !l.there(got.Path) || !strings.Contains(l.text("MEMORY.md"), "Ana") {
		t.Error("a redo does not bring both back")
	}
	l.sound()
}

// at is the place of the line of a file that has some words.
func (l *lab) at(path, words string) string {
	l.t.Helper()
	for i, line := range strings.Split(l.text(path), "\n") {
		if strings.Contains(line, words) {
			return fmt.Sprintf("%s:%d", path, i+1)
		}
	}
	l.t.Fatalf("%q is not in %s", words, path)
	return ""
}

func TestAPictureGoesWithItsLastEntry(t *testing.T) {
	l := newLab(t)
	got := l.keep(painted(t, 9), "Ana", "", "people")
	l.contains(l.text("memory/people.md"), "![Ana](images/ana-")
	l.append("Also shown ![there](" + got.Path + ")")
	l.must(l.w.Update(l.ctx(), byAda, policy.Update{Action: policy.Remove, OldText: l.at("memory/people.md", "Ana (person)"), OldTextSet: true}))
	if !l.there(got.Path) {
		t.Fatal("it went while an entry links it")
	}
	r := l.must(l.w.Update(l.ctx(), byAda, policy.Update{Action: policy.Remove, OldText: l.at("MEMORY.md", "Also shown"), OldTextSet: true}))
	if l.there(got.Path) {
		t.Fatal("it stays though no entry links it")
	}
	l.undo(string(r.Change))
	if !l.there(got.Path) {
		t.Error("an undo does not bring it back")
	}
	l.sound()
}

func TestAForgetTakesThePicture(t *testing.T) {
	l := newLab(t)
	ana, bo := l.keep(painted(t, 1), "Ana", "at the harbour", ""), l.keep(painted(t, 2), "Bo", "in Goa", "")
	f, err := l.w.Forget(l.ctx(), byAda, Forgetting{Words: []string{"harbour"}})
	if err != nil || f.Notes != 1 {
		t.Fatal(f, err)
	}
	if l.there(ana.Path) || !l.there(bo.Path) {
		t.Error("the wrong picture went")
	}
	l.undo(string(f.Change))
	if !l.there(ana.Path) {
		t.Error("undone, it is not back")
	}
}

// inHistory says whether any object that a ref reaches, or any lies about, has the bytes.
func (l *lab) inHistory(b []byte) bool { return strings.Contains(l.objects(), string(b)) }

func TestAnErasureTakesThePictureFromHistory(t *testing.T) {
	tea, red := painted(t, 1), painted(t, 2)
	for name, erase := range map[string]func(l *lab, ana Pictured) error{
		"by words of its entry": func(l *lab, _ Pictured) error {
			_, err := l.w.Erase(l.ctx(), byAda, Erasing{Words: []string{"harbour"}})
			return err
		},
		"by its name": func(l *lab, _ Pictured) error {
			_, err := l.w.Erase(l.ctx(), byAda, Erasing{Words: []string{"Ana"}})
			return err
		},
		"by its entry": func(l *lab, _ Pictured) error {
			_, err := l.w.Erase(l.ctx(), byAda, Erasing{Entry: "at the harbour"})
			return err
		},
		"by its change": func(l *lab, ana Pictured) error {
			_, err := l.w.Erase(l.ctx(), byAda, Erasing{Change: string(ana.Change)})
			return err
		},
		"by a forget": func(l *lab, _ Pictured) error {
			_, err := l.w.Forget(l.ctx(), byAda, Forgetting{Words: []string{"harbour"}, Erase: true})
			return err
		},
		"after its entry was dropped": func(l *lab, _ Pictured) error {
			l.must(l.w.Update(l.ctx(), byAda, policy.Update{Action: policy.Remove, OldText: l.at("MEMORY.md", "at the harbour"), OldTextSet: true}))
			_, err := l.w.Erase(l.ctx(), byAda, Erasing{Words: []string{"harbour"}, Confirm: true})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			ana, bo := l.keep(tea, "Ana", "at the harbour", ""), l.keep(red, "Bo", "in Goa", "")
			if !l.inHistory(ana.Picture.Bytes) {
				t.Fatal("the test cannot see a picture in the history")
			}
			if err := erase(l, ana); err != nil {
				t.Fatal(err)
			}
			if l.inHistory(ana.Picture.Bytes) || strings.Contains(l.objects(), "ana-") || l.there(ana.Path) {
				t.Error("it is still there")
			}
			if !l.inHistory(bo.Picture.Bytes) || !l.there(bo.Path) || !strings.Contains(l.text("MEMORY.md"), bo.Path) {
				t.Error("the other one went, too")
			}
			if edited, _, err := l.w.git.Scan(); err != nil || len(edited) > 0 {
				t.Errorf("the work files differ: %v, %v", edited, err)
			}
			l.sound()
		})
	}
}

func TestPicturesSync(t *testing.T) {
	remote := bareRemote(t)
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	ana := a.keep(painted(t, 1), "Ana", "at the harbour", "")
	a.sync()
	b.sync()
	if got, _ := os.ReadFile(b.path(ana.Path)); !bytes.Equal(got, ana.Picture.Bytes) {
		t.Fatal("it did not come as it is")
	}
	bo := b.keep(painted(t, 2), "Bo", "in Goa", "")
	cy := a.keep(painted(t, 3), "Cy", "", "people")
	a.sync()
	b.sync()
	a.sync()
	for _, l := range []*lab{a, b} {
		for _, p := range []Pictured{ana, bo, cy} {
			if got, _ := os.ReadFile(l.path(p.Path)); !bytes.Equal(got, p.Picture.Bytes) {
				t.Errorf("%s is not there", p.Path)
			}
		}
		l.sound()
	}
	if _, err := a.w.Erase(a.ctx(), byAda, Erasing{Words: []string{"harbour"}}); err != nil {
		t.Fatal(err)
	}
	dee := b.keep(painted(t, 4), "Dee", "late", "")
	a.sync()
	b.sync()
	a.sync()
	for _, l := range []*lab{a, b} {
		if l.there(ana.Path) || l.inHistory(ana.Picture.Bytes) {
			t.Error("what was erased is still on a machine")
		}
		if !l.there(bo.Path) || !l.there(dee.Path) {
			t.Error("another one was lost")
		}
	}
	sameHeads(t, a, b)
}

func TestPicturesAreBackedUpAndExported(t *testing.T) {
	l := newLab(t)
	ana := l.keep(painted(t, 1), "Ana", "at the harbour", "")
	data, m := l.backup(BackingUp{})
	if len(m.Workspaces) != 1 {
		t.Fatal(m)
	}
	r := l.restored(data)
	if got, _ := os.ReadFile(r.path(ana.Path)); !bytes.Equal(got, ana.Picture.Bytes) {
		t.Error("the backup does not have it")
	}
	sp, err := l.w.Outgoing(l.ctx(), true)
	if err != nil || len(sp.Pictures) != 1 || len(sp.Notes) != 1 || !bytes.Equal(sp.Pictures[0].Text, ana.Picture.Bytes) {
		t.Errorf("the export has %d pictures, %d notes, %v", len(sp.Pictures), len(sp.Notes), err)
	}
}

func TestAPictureOfTheEditorIsTakenInAsItIs(t *testing.T) {
	l := newLab(t)
	with := append(located(t), "password=hunter2hunter2 <<<<<<< a\n=======\n>>>>>>> b\n"...)
	if err := os.MkdirAll(l.path("memory/images"), 0o700); err != nil {
		t.Fatal(err)
	}
	l.put("memory/images/mine.jpg", string(with))
	l.put("memory/images/notes.png", "- a text, with AKIAIOSFODNN7EXAMPLE and so on\n")
	l.put("memory/images/page.svg", "<svg/>")
	if _, err := l.w.TakeIn(l.ctx(), byAda.Author); err != nil {
		t.Fatal(err)
	}
	if got := l.git("ls-tree", "-r", "--name-only", "HEAD"); strings.Contains(got, "svg") || !strings.Contains(got, "mine.jpg") {
		t.Errorf("taken in: %q", got)
	}
	if got, _ := os.ReadFile(l.path("memory/images/mine.jpg")); !bytes.Equal(got, with) {
		t.Error("its bytes were changed")
	}
	if strings.Contains(l.objects(), "AKIAIOSFODNN7EXAMPLE") {
		t.Error("a text that is called a picture brought a credential into the history")
	}
	b, _, err := l.w.Picture("mine.jpg")
	if err != nil || bytes.Contains(b, []byte(position)) {
		t.Errorf("shown with its position: %v", err)
	}
	if _, _, err := l.w.Picture("notes.png"); !errors.Is(err, ErrState) {
		t.Errorf("a text is shown as a picture: %v", err)
	}
	found, err := l.w.Doctor(l.ctx(), false)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, f := range found {
		told = append(told, f.Where+": "+f.What)
	}
	l.contains(strings.Join(told, "\n"), "mine.jpg: it was put there by hand", "notes.png: it is kept, but never shown", "no note links 2 pictures", "page.svg")
	l.sound()
}

func TestRecallSaysWhatIsThere(t *testing.T) {
	l := newLab(t)
	gone := l.keep(painted(t, 1), "Ana", "at the harbour", "")
	for i := range 5 {
		l.keep(painted(t, uint8(10+i)), "Ana", "number "+string(rune('1'+i)), "people")
	}
	if err := os.Remove(l.path(gone.Path)); err != nil {
		t.Fatal(err)
	}
	list, err := l.w.RecallPictures(l.ctx(), "Ana")
	if err != nil || len(list) != 6 {
		t.Fatal(len(list), err)
	}
	var shown, missing, shut int
	for _, k := range list {
		switch {
		case len(k.Bytes) > 0 && k.Missing == "":
			shown++
		case strings.Contains(k.Missing, "gone"):
			missing++
		case strings.Contains(k.Missing, "not opened"):
			shut++
		}
	}
	if shown != MaxShown || shown+missing+shut != 6 {
		t.Errorf("%d shown, %d missing, %d not opened", shown, missing, shut)
	}
	one, err := l.w.RecallPictures(l.ctx(), "harbour")
	if err != nil || len(one) != 1 || one[0].Missing != "its file is gone" || one[0].Bytes != nil {
		t.Errorf("%+v, %v", one, err)
	}
	l.store.Close() //nolint:errcheck // the next line reads nothing
}

func TestAPictureThatIsForgottenIsNotLearnedAgain(t *testing.T) {
	l := newLab(t)
	l.keep(painted(t, 1), "Ana", "at the harbour", "")
	if _, err := l.w.Forget(l.ctx(), byAda, Forgetting{Words: []string{"harbour"}}); err != nil {
		t.Fatal(err)
	}
	bot := Meta{Author: Author{Kind: Bot, Name: "scout"}, Via: ViaAPI}
	_, err := l.w.RememberPicture(context.Background(), bot, painted(t, 1), policy.Caption{About: "Ana", Note: "at the harbour"}, "")
	l.refuses(err, ErrRefused)
	if len(l.pictures()) > 0 {
		t.Error("kept all the same")
	}
}
