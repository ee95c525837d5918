package repo

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// A person's own commit that quipu's hook signed is still a text that quipu did not
// mask: nothing shows the credential that `git commit --no-verify` let through.
func TestSignedCommitIsStillMasked(t *testing.T) {
	l := newLab(t)
	l.put("MEMORY.md", "# Memory\n- token "+secret+"\n")
	l.git("commit", "-qam", "by hand\n\nMemory-Author: person root\nMemory-Action: edit\nMemory-Via: disk\nMemory-Change: 01JDXK3T9M2Q4R6S8V0W1X2Y3Z")
	rows := l.rows(Query{})
	if rows[0].Who != "Ada" || strings.Contains(fmt.Sprint(rows), secret) {
		t.Errorf("row %+v", rows[0])
	}
	d, err := l.w.Show(l.ctx(), "01JDXK3T9M2Q4R6S8V0W1X2Y3Z")
	if err != nil || strings.Contains(fmt.Sprint(d), secret) {
		t.Errorf("show: %v %+v", err, d)
	}
	diff, err := l.w.Diff(l.ctx(), "HEAD~1", "HEAD", "")
	if err != nil || strings.Contains(diff, secret) || !strings.Contains(diff, "«redacted") {
		t.Errorf("diff: %v %s", err, diff)
	}
	blamed, err := l.w.Blame(l.ctx(), "MEMORY.md")
	if err != nil || strings.Contains(fmt.Sprint(blamed), secret) || blamed[1].Change != "01JDXK3T9M2Q4R6S8V0W1X2Y3Z" {
		t.Errorf("blame: %v %+v", err, blamed)
	}
}

// The ledger holds keys and hashes: no journal, diff or doctor's advice shows it.
func TestLedgerIsNotShown(t *testing.T) {
	l := newLab(t)
	l.append("The dog is called Luna")
	out := l.forget(Forgetting{Words: []string{"Luna"}})
	empty := l.forget(Forgetting{Words: []string{"Zanzibar"}})
	shown := fmt.Sprint(out.Rows, empty.Rows, l.rows(Query{}))
	diff, err := l.w.Diff(l.ctx(), "HEAD~2", "HEAD", "")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(shown+diff, "salt") || strings.Contains(diff, "ledger") {
		t.Errorf("it is shown:\n%s\n%s", shown, diff)
	}
	found, err := l.w.Doctor(l.ctx(), false)
	if err != nil || strings.Contains(fmt.Sprint(found), "ledger") {
		t.Errorf("doctor: %v %v", found, err)
	}
}

func TestRedoBringsAnEmptyFileBack(t *testing.T) {
	l := newLab(t)
	l.put("memory/empty.md", "")
	if _, err := l.w.TakeIn(l.ctx(), ada.Author); err != nil {
		t.Fatal(err)
	}
	l.undo("")
	if _, err := os.Stat(l.path("memory/empty.md")); err == nil {
		t.Error("undo left the file")
	}
	l.must(l.w.Redo(l.ctx(), ada))
	if _, err := os.Stat(l.path("memory/empty.md")); err != nil {
		t.Error("redo did not bring it back")
	}
	l.sound()
}

func TestUndoGoesPastAnEmptyCommit(t *testing.T) {
	l := newLab(t)
	l.append("one")
	l.git("commit", "-q", "--allow-empty", "-m", "nothing")
	l.undo("")
	if strings.Contains(l.text("MEMORY.md"), "one") {
		t.Errorf("not undone:\n%s", l.text("MEMORY.md"))
	}
}

// An undo puts back all but what was forgotten since.
func TestUndoLeavesTheForgottenOut(t *testing.T) {
	l := newLab(t)
	l.append("The dog is called Luna")
	l.append("The cat is called Mo")
	r := l.save("MEMORY.md", "# Memory\n")
	l.forget(Forgetting{Words: []string{"Luna"}})
	u := l.undo(string(r.Change))
	if s := l.text("MEMORY.md"); strings.Contains(s, "Luna") || !strings.Contains(s, "Mo") || len(u.Notes) == 0 {
		t.Errorf("notes %q, text:\n%s", u.Notes, s)
	}
	l.sound()
}

func TestReadingGoesOnWithoutABranch(t *testing.T) {
	l := newLab(t)
	l.append("one")
	l.append("two")
	l.git("checkout", "-q", "--detach", "HEAD~1")
	if rows := l.rows(Query{}); len(rows) != 2 {
		t.Errorf("%d rows, want 2", len(rows))
	}
	if _, err := l.w.Blame(l.ctx(), "MEMORY.md"); err != nil {
		t.Error(err)
	}
	s, err := l.w.Status(l.ctx())
	if err != nil || s.Ready || !strings.Contains(s.Reason, "git switch main") || s.Changes != 2 {
		t.Errorf("status %+v, %v", s, err)
	}
	l.git("switch", "-q", "main")
	if rows := l.rows(Query{}); len(rows) != 3 {
		t.Errorf("%d rows, want 3", len(rows))
	}
}

func TestNotUTF8IsNotReplaced(t *testing.T) {
	l := newLab(t)
	l.put("memory/latin.md", "- caf\xe9\n")
	got, err := l.w.Read(l.ctx(), "memory/latin.md")
	if err != nil || !got.Invalid {
		t.Errorf("read %+v, %v", got, err)
	}
	_, err = l.w.Save(l.ctx(), ada, "memory/latin.md", "- café\n", Expect{Hash: got.Hash})
	l.refuses(err, ErrConflict)
	if l.text("memory/latin.md") != "- caf\xe9\n" {
		t.Errorf("text %q", l.text("memory/latin.md"))
	}
}
