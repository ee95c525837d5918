package git

// dropPassing takes out of a change's objects the trees that only stood between two
// of its files: no commit names them. Each tree that stays becomes a delta of the
// one that it replaces, for its base may be among those that go.
func (r *Repo) dropPassing(objects []object, before, after *node) ([]object, error) {
	replaces := map[Hash]*node{}
	if err := r.pairTrees(before, after, replaces); err != nil {
		return nil, err
	}
	kept := objects[:0:0]
	for _, o := range objects {
		if o.kind == KindTree {
			old, named := replaces[o.hash]
			if !named {
				continue
			}
			delete(replaces, o.hash)
			o = object{kind: o.kind, hash: o.hash, raw: o.raw}
			o.deltaAgainst(old.hash, old.raw)
		}
		kept = append(kept, o)
	}
	return kept, nil
}

// pairTrees says of each tree in after that before has not, which one it replaces.
func (r *Repo) pairTrees(before, after *node, replaces map[Hash]*node) error {
	replaces[after.hash] = before
	for i, e := range after.entries {
		if e.mode != modeDir || e.sub == nil {
			continue
		}
		old := &node{}
		if j, ok := before.search(e.name, modeDir); ok {
			if before.child(j) == after.child(i) {
				continue
			}
			var err error
			if old, err = r.subtree(before, j); err != nil {
				return err
			}
		}
		if err := r.pairTrees(old, e.sub, replaces); err != nil {
			return err
		}
	}
	return nil
}
