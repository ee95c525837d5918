package x

import (
	"database/sql"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	_ "modernc.org/sqlite"
)

func must(t *testing.T, err error) { t.Helper(); if err != nil { t.Fatal(err) } }

func TestLab(t *testing.T) {
	dir := t.TempDir()
	p := filepath.Join(dir, "a.db")
	db, err := sql.Open("sqlite", "file:"+p+"?_pragma=journal_mode(WAL)&_pragma=secure_delete(ON)&_pragma=synchronous(FULL)&_pragma=temp_store(MEMORY)")
	must(t, err)
	db.SetMaxOpenConns(1)
	var v string
	must(t, db.QueryRow("select sqlite_version()").Scan(&v)); fmt.Println(v)
	_, err = db.Exec(`create table m(key integer primary key, turn int, text text);
	create virtual table f using fts5(words, place, content='', tokenize="ascii tokenchars '+#-'");
	insert into f(f, rank) values('secure-delete', 1);`)
	must(t, err)
	r := rand.New(rand.NewSource(1))
	z := rand.NewZipf(r, 1.05, 20, 40000)
	word := func(i uint64) string { return fmt.Sprintf("w%sx", strings.Map(func(c rune) rune { return 'a' + (c - '0') }, fmt.Sprint(i))) }
	text := func() string { n := 5 + r.Intn(40); var b []string; for range n { b = append(b, word(z.Uint64())) }; return strings.Join(b, " ") }
	const N = 100000
	texts := make([]string, N)
	t0 := time.Now()
	for i := 0; i < N; {
		tx, err := db.Begin(); must(t, err)
		for j := 0; j < 2000; j++ {
			texts[i] = text()
			if i%1000 == 7 { texts[i] += fmt.Sprintf(" zqjunk%dq", i) }
			_, err := tx.Exec("insert into m values(?,?,?)", i+1, i/2, texts[i]); must(t, err)
			_, err = tx.Exec("insert into f(rowid,words,place) values(?,?,?)", i+1, texts[i], fmt.Sprintf("b1 c%d o%d", i%300, i%3)); must(t, err)
			i++
		}
		must(t, tx.Commit())
	}
	fmt.Println("build", time.Since(t0))
	size := func() { fi, _ := os.Stat(p); w, _ := os.Stat(p + "-wal"); fmt.Println("size", fi.Size()>>20, w.Size()>>20) }
	size()
	find := func(s string) int { n := 0; for _, x := range []string{p, p + "-wal"} { b, _ := os.ReadFile(x); n += strings.Count(string(b), s) }; return n }
	q := func(m string, lim int) {
		for _, ord := range []string{"order by rowid desc", ""} {
		t0 := time.Now()
		rows, err := db.Query("select rowid from f where f match ? "+ord+" limit ?", m, lim); must(t, err)
		n := 0
		for rows.Next() { var k int64; must(t, rows.Scan(&k)); n++ }
		must(t, rows.Err())
		fmt.Println(m, ord, n, time.Since(t0)) }
	}
	for range 2 {
	a, b, c := word(0), word(3), word(300)
	q(`words:"`+a+`" AND place:"b1"`, 300)
	q(`words:"`+a+`" AND words:"`+b+`" AND place:"b1"`, 300)
	q(`words:"`+a+`" AND words:"`+c+`" AND place:"b1"`, 300)
	q(`words:"`+a+`" AND words:"`+b+`" AND place:"c7"`, 300)
	q(`words:"`+a+`" AND words:"`+b+`" AND place:"c7" AND place:"o2"`, 300)
	q(`words:"wa"* AND place:"b1"`, 300)
	q(`words:"wabc"* AND place:"b1"`, 300)
	q(`(place:"b1") NOT place:"c7"`, 12)
	q(`place:"c8" OR place:"c7" OR place:"c12"`, 12)
	q(`words:"nothere" AND place:"b1"`, 12)
	}
	fmt.Println("before", find("zqjunk7q"), find("junk1007q"))
	// delete few
	t0 = time.Now()
	tx, _ := db.Begin()
	for i := 7; i < N; i += 1000 {
		_, err := tx.Exec("insert into f(f,rowid,words,place) values('delete',?,?,?)", i+1, texts[i], fmt.Sprintf("b1 c%d o%d", i%300, i%3)); must(t, err)
		_, err = tx.Exec("delete from m where key=?", i+1); must(t, err)
	}
	must(t, tx.Commit())
	fmt.Println("delete 100", time.Since(t0))
	t0 = time.Now(); _, err = db.Exec("pragma wal_checkpoint(truncate)"); must(t, err); fmt.Println("ckpt", time.Since(t0)); size()
	n := 0; for i := 7; i < N; i += 1000 { n += find(fmt.Sprintf("junk%dq", i)) }
	fmt.Println("after", n)
	t0 = time.Now(); _, err = db.Exec("insert into f(f) values('optimize')"); must(t, err); fmt.Println("optimize", time.Since(t0)); size()
	t0 = time.Now(); _, err = db.Exec("vacuum"); must(t, err); fmt.Println("vacuum", time.Since(t0)); size()
	t0 = time.Now(); _, err = db.Exec("pragma wal_checkpoint(truncate)"); must(t, err); fmt.Println("ckpt", time.Since(t0)); size()
	n = 0; for i := 7; i < N; i += 1000 { n += find(fmt.Sprintf("junk%dq", i)) }
	fmt.Println("after", n)
	// many
	t0 = time.Now()
	tx, _ = db.Begin()
	for i := 20000; i < 30000; i++ {
		if i%1000 == 7 { continue }
		_, err := tx.Exec("insert into f(f,rowid,words,place) values('delete',?,?,?)", i+1, texts[i], fmt.Sprintf("b1 c%d o%d", i%300, i%3)); must(t, err)
		_, err = tx.Exec("delete from m where key=?", i+1); must(t, err)
	}
	must(t, tx.Commit())
	fmt.Println("delete 10000", time.Since(t0))
	var ic string
	_, err = db.Exec("insert into f(f) values('integrity-check')"); fmt.Println("ic", err, ic)
}
