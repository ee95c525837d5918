package git

// merge joins an acknowledged change that was not in place with a commit that was
// made beside it: the hash given out stays in the history.
func (m *mending) merge(name string, cur, last Hash) (Hash, error) {
	r := m.r
	c, err := r.Commit(cur)
	if err != nil {
		return Hash{}, err
	}
	root, err := r.readTree(c.Tree)
	if err != nil {
		return Hash{}, err
	}
	rec := &record{kind: recordChange, branch: name, old: cur, subject: "merge: changes that were under way"}
	for _, d := range m.changed(name) {
		if root, err = m.mergeFile(rec, root, d); err != nil {
			return Hash{}, err
		}
	}
	who := r.signature()
	text := rec.subject + "\n\nMemory-Author: sync\nMemory-Action: merge\n"
	o := newObject(KindCommit, encodeCommit(&Commit{Tree: root.hash, Parents: []Hash{cur, last}, Author: who, Committer: who, Message: text}))
	rec.objects = append(rec.objects, o)
	rec.new = o.hash
	if err := r.wal.add([]*record{rec}); err != nil {
		return Hash{}, err
	}
	for i := range rec.objects {
		if err := r.writeLoose(&rec.objects[i], true); err != nil {
			return Hash{}, err
		}
	}
	m.records = append(m.records, *rec)
	r.note("a commit made beside an unfinished change was merged with it")
	return o.hash, nil
}

// changed gives, for each path that the branch's records touch, its first old and
// last new text.
func (m *mending) changed(name string) []Delta {
	at := map[string]int{}
	var out []Delta
	for i := range m.records {
		if m.records[i].branch != name {
			continue
		}
		for _, f := range m.records[i].files {
			j, ok := at[f.path]
			if !ok {
				j = len(out)
				at[f.path] = j
				out = append(out, Delta{Path: f.path, Before: f.old})
			}
			out[j].After = f.new
		}
	}
	return out
}

func (m *mending) mergeFile(rec *record, root *node, d Delta) (*node, error) {
	r := m.r
	theirs, err := r.find(root, d.Path)
	if err != nil || theirs == d.After {
		return root, err
	}
	blob := d.After
	if theirs != d.Before {
		var texts [3][]byte
		for i, h := range []Hash{d.Before, theirs, d.After} {
			if texts[i], err = r.Blob(h); err != nil {
				return nil, err
			}
		}
		joined, _ := r.opt.Redact(r.opt.Union(texts[0], texts[1], texts[2]))
		o := newObject(KindBlob, joined)
		rec.objects = append(rec.objects, o)
		blob = o.hash
	}
	rec.files = append(rec.files, fileChange{d.Path, theirs, blob})
	return r.put(root, d.Path, blob, &rec.objects)
}
