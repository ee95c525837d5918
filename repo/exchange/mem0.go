package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// mem0Note is one memory of get_all.
type mem0Note struct {
	Memory     string          `json:"memory"`
	Categories []string        `json:"categories"`
	Metadata   json.RawMessage `json:"metadata"`
	Created    stamp           `json:"created_at"`
	Updated    stamp           `json:"updated_at"`
	Expires    stamp           `json:"expiration_date"`
}

// readMem0 reads what get_all answers: `{"results":[…]}` or the list alone; or the
// backup of OpenMemory.
func readMem0(s Source, b *Batch) error {
	if s.Dir != nil {
		return readOpenMemory(s, b)
	}
	var answer struct {
		Results []mem0Note `json:"results"`
	}
	if bytes.HasPrefix(bytes.TrimSpace(s.Text), []byte("[")) {
		if err := decode(s.Name, s.Text, &answer.Results); err != nil {
			return err
		}
	} else if err := decode(s.Name, s.Text, &answer); err != nil {
		return err
	}
	if answer.Results == nil {
		return faulty("%s holds no \"results\": it is not what get_all answers", s.Name)
	}
	more := 0
	for i, m := range answer.Results {
		if m.Memory == "" {
			b.leave(fmt.Sprintf("%s#%d", s.Name, i+1), "no text under \"memory\"")
			continue
		}
		if kept := string(m.Metadata); kept != "" && kept != "null" && kept != "{}" {
			more++
		}
		n := Note{Text: m.Memory, Date: m.Created.day(), Until: m.Expires.day(), Topic: Unfiled, From: s.Name}
		if len(m.Categories) > 0 {
			n.Topic = subject(m.Categories[0])
		}
		b.fact(n.since(m.Updated))
	}
	if more > 0 {
		b.leave(s.Name, fmt.Sprintf("the metadata of %d memories: notes have none", more))
	}
	return nil
}

// since marks a fact that was changed on a later day than its own.
func (n Note) since(at stamp) Note {
	switch day := at.day(); {
	case n.Date.IsZero():
		n.Date = day
	case n.Date.Before(day):
		n.Updated = day
	}
	return n
}

// openMemory is memories.json of a backup, as far as its fields are plain.
type openMemory struct {
	Categories []struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"categories"`
	Memories []struct {
		ID         string   `json:"id"`
		Content    string   `json:"content"`
		State      string   `json:"state"`
		Created    stamp    `json:"created_at"`
		Updated    stamp    `json:"updated_at"`
		Categories []string `json:"category_ids"`
	} `json:"memories"`
	Filed []struct {
		Memory   string `json:"memory_id"`
		Category string `json:"category_id"`
	} `json:"memory_categories"`
}

func readOpenMemory(s Source, b *Batch) error {
	const file = "memories.json"
	f, err := readFolder(s.Dir, func(p string) bool { return p == file }, "not memories.json, which holds the same memories")
	if err != nil {
		return err
	}
	b.Left = append(b.Left, f.left...)
	if len(f.files) == 0 {
		return faulty("%s has no %s: it is no OpenMemory backup", s.Name, file)
	}
	text, err := plainText(file, []byte(f.files[0].text))
	if err != nil {
		return err
	}
	var backup openMemory
	if err := decode(file, text, &backup); err != nil {
		return err
	}
	name, filed := map[string]string{}, map[string]string{}
	for _, c := range backup.Categories {
		name[c.ID] = c.Name
	}
	for _, f := range backup.Filed {
		filed[f.Memory] = name[f.Category]
	}
	for i, m := range backup.Memories {
		from := fmt.Sprintf("%s#%d", file, i+1)
		switch {
		case m.State == "deleted" || m.State == "archived":
			b.leave(from, m.State+" there")
			continue
		case m.Content == "":
			b.leave(from, "no text under \"content\"")
			continue
		}
		n := Note{Text: m.Content, Date: m.Created.day(), Topic: subject(filed[m.ID]), From: file}
		if len(m.Categories) > 0 {
			n.Topic = subject(name[m.Categories[0]])
		}
		b.fact(n.since(m.Updated))
	}
	return nil
}
