package git

import (
	"errors"
	"maps"
	"slices"
	"testing"
)

const asideRef = "refs/quipu/erased"

// What is kept aside grows by what is new, is a history that git reads, and reaches no
// branch.
func TestKeepAside(t *testing.T) {
	h := newHome(t)
	r := h.open()
	if err := add(r, "MEMORY.md", "- tea"); err != nil {
		t.Fatal(err)
	}
	before := h.git("rev-parse", "HEAD")
	if files, err := r.Aside(asideRef); err != nil || len(files) != 0 {
		t.Fatalf("before anything: %v, %v", files, err)
	}
	for _, some := range []map[string][]byte{
		{"a": []byte("1\n")}, {"b": []byte("2\n"), "c": []byte("3\n")}, {"a": []byte("1\n"), "c": []byte("3\n")},
	} {
		if err := r.KeepAside(t.Context(), asideRef, some, "kept\n"); err != nil {
			t.Fatal(err)
		}
	}
	r = h.reopen(r)
	files, err := r.Aside(asideRef)
	if err != nil || string(files["a"])+string(files["b"])+string(files["c"]) != "1\n2\n3\n" {
		t.Errorf("kept %q, %v", files, err)
	}
	if got := h.git("rev-list", "--count", asideRef); got != "2\n" {
		t.Errorf("%s commits, want 2: what is there already makes none", got)
	}
	if got := h.git("rev-parse", "HEAD"); got != before {
		t.Error("the branch moved")
	}
	h.git("fsck", "--strict")
}

// A fault at any call leaves what was kept before, and the next attempt makes it whole.
func TestKeepAsideFaults(t *testing.T) {
	broken := errors.New("no space left")
	for k := 0; ; k++ {
		h := newHome(t)
		r := h.open()
		if err := r.KeepAside(t.Context(), asideRef, map[string][]byte{"a": []byte("1\n")}, "kept\n"); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		armed, met, n := false, false, 0
		h.fault = func(string, string) error {
			if n++; armed && n == k+1 {
				met = true
				return broken
			}
			return nil
		}
		r = h.open()
		armed, n = true, 0
		err := r.KeepAside(t.Context(), asideRef, map[string][]byte{"b": []byte("2\n")}, "kept\n")
		armed = false
		h.git("fsck", "--strict")
		files, ferr := r.Aside(asideRef)
		if ferr != nil || string(files["a"]) != "1\n" || err == nil && len(files) != 2 {
			t.Fatalf("call %d: %v, then %v, %v", k, err, slices.Sorted(maps.Keys(files)), ferr)
		}
		if aerr := r.KeepAside(t.Context(), asideRef, map[string][]byte{"b": []byte("2\n")}, "kept\n"); aerr != nil {
			t.Fatalf("call %d, again: %v", k, aerr)
		}
		if files, ferr := r.Aside(asideRef); ferr != nil || len(files) != 2 {
			t.Fatalf("call %d, again: %v, %v", k, files, ferr)
		}
		if cerr := r.Close(); cerr != nil {
			t.Fatal(cerr)
		}
		if !met {
			t.Logf("%d calls", k)
			return
		}
	}
}
