package repo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quipu/policy"
)

// Setting is one change of config.json: the value at Path (keys from the outside
// in) becomes Value, anything that encodes as JSON. A nil Value takes the key out,
// so that the default holds again.
type Setting struct {
	Path  []string
	Value any
}

// SetConfig changes one setting by its dotted key, as "memory.tidyHour". See EditConfig.
func (s *Store) SetConfig(key string, value any) error {
	return s.EditConfig(Setting{Path: strings.Split(key, "."), Value: value})
}

// SetBot changes settings of one bot, all or none. Keys are those of BotConfig.
func (s *Store) SetBot(id ID, values map[string]any) error {
	changes := make([]Setting, 0, len(values))
	for key, value := range values {
		changes = append(changes, Setting{Path: []string{"bots", string(id), key}, Value: value})
	}
	slices.SortFunc(changes, func(a, b Setting) int { return strings.Compare(a.Path[2], b.Path[2]) })
	return s.EditConfig(changes...)
}

// EditConfig changes settings in config.json, all or none: what is not named stays
// as it is written there, in its order, unknown keys too. ErrInvalid for a setting
// that does not exist, for a value that does not fit, and for a file that is not
// valid before the change; then nothing is written. ErrBusy.
func (s *Store) EditConfig(changes ...Setting) error {
	changes = slices.Clone(changes)
	for i, c := range changes {
		// The names of bots and of the person stand in commits and on pages.
		if name, ok := c.Value.(string); ok && len(c.Path) > 0 && c.Path[len(c.Path)-1] == "name" {
			changes[i].Value, _ = s.Redact(name)
		}
	}
	err := lockHome(s.home, func(root *os.Root) error {
		data, err := readSmall(filepath.Join(s.home, configFile))
		if err != nil {
			return fmt.Errorf("read %s: %w", configFile, err)
		}
		text, err := editConfig(data, changes)
		if err != nil || bytes.Equal(text, data) {
			return err
		}
		return writeWhole(root, configFile, text)
	})
	s.config.forget()
	return err
}

// ConfigValue gives one setting as the file has it, by its dotted key; "" is the
// whole file. ErrNotFound when the file does not set it.
func (s *Store) ConfigValue(key string) (json.RawMessage, error) {
	data, err := readSmall(filepath.Join(s.home, configFile))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", configFile, err)
	}
	raw := json.RawMessage(data)
	if len(bytes.TrimSpace(data)) == 0 {
		raw = json.RawMessage("{}")
	}
	if key == "" {
		return raw, nil
	}
	for name := range strings.SplitSeq(key, ".") {
		list, err := members(raw)
		if err != nil {
			return nil, wrapf(ErrNotFound, "%s is not set", key)
		}
		i := slices.IndexFunc(list, func(m member) bool { return m.key == name })
		if i < 0 {
			return nil, wrapf(ErrNotFound, "%s is not set", key)
		}
		raw = list[i].value
	}
	return raw, nil
}

// ConfigFault is what is wrong with config.json while an older configuration stays
// in force, nil when the file is in force.
func (s *Store) ConfigFault() error {
	_, err := s.config.current(s.home, s.log)
	return err
}

func editConfig(data []byte, changes []Setting) ([]byte, error) {
	before, err := parseConfig(data, noEnvironment)
	if err != nil {
		return nil, err
	}
	text := json.RawMessage(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if len(bytes.TrimSpace(text)) == 0 {
		text = json.RawMessage("{}")
	}
	for _, c := range changes {
		value, err := encodeSetting(c)
		if err != nil {
			return nil, err
		}
		if text, err = setMember(text, c.Path, value); err != nil {
			return nil, wrapf(ErrInvalid, "%s: %v", strings.Join(c.Path, "."), err)
		}
	}
	after, err := parseConfig(text, noEnvironment)
	if err != nil {
		return nil, err
	}
	for _, key := range after.Unknown {
		if !slices.Contains(before.Unknown, key) {
			return nil, wrapf(ErrInvalid, "there is no setting %s", key)
		}
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return nil, fmt.Errorf("format %s: %w", configFile, err)
	}
	return append(bytes.TrimSpace(out.Bytes()), '\n'), nil
}

func encodeSetting(c Setting) (json.RawMessage, error) {
	if len(c.Path) == 0 || slices.Contains(c.Path, "") {
		return nil, wrapf(ErrInvalid, "a setting needs a key")
	}
	if c.Path[0] == "bots" && len(c.Path) > 1 {
		if err := policy.CheckID(c.Path[1]); err != nil {
			return nil, wrapf(ErrInvalid, "bot %q: %v", c.Path[1], err)
		}
	}
	if c.Value == nil {
		return nil, nil
	}
	raw, err := plainJSON(c.Value)
	if err != nil {
		return nil, wrapf(ErrInvalid, "%s cannot be kept as JSON", strings.Join(c.Path, "."))
	}
	return raw, nil
}

// plainJSON leaves < > & as a person would type them.
func plainJSON(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// noEnvironment keeps variables out of what is checked before the file is written:
// one that is wrong today is no reason to refuse a setting.
func noEnvironment(string) (string, bool) { return "", false }

// member is one key of an object with its value as written.
type member struct {
	key   string
	value json.RawMessage
}

// members gives an object's keys in their order. A key that stands twice is a
// fault: which one a reader takes would be a guess.
func members(raw json.RawMessage) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	open, err := dec.Token()
	if err != nil {
		return nil, err
	}
	if open == nil {
		return nil, nil // null: as if it were not there
	}
	if open != json.Delim('{') {
		return nil, errors.New("must be an object")
	}
	var list []member
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		m := member{key: fmt.Sprint(key)}
		if err := dec.Decode(&m.value); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(o member) bool { return o.key == m.key }) {
			return nil, fmt.Errorf("has %q twice", m.key)
		}
		list = append(list, m)
	}
	return list, nil
}

// setMember gives the object raw with the value at path changed, or taken out when
// value is nil; an object that is emptied by that goes too.
func setMember(raw json.RawMessage, path []string, value json.RawMessage) (json.RawMessage, error) {
	list, err := members(raw)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(list, func(m member) bool { return m.key == path[0] })
	if i < 0 {
		if value == nil {
			return raw, nil
		}
		list, i = append(list, member{key: path[0], value: json.RawMessage("{}")}), len(list)
	}
	if len(path) > 1 {
		if list[i].value, err = setMember(list[i].value, path[1:], value); err != nil {
			return nil, err
		}
	} else {
		list[i].value = value
	}
	if list[i].value == nil || (value == nil && string(list[i].value) == "{}") {
		list = slices.Delete(list, i, i+1)
	}
	return joinMembers(list)
}

func joinMembers(list []member) (json.RawMessage, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range list {
		if i > 0 {
			out.WriteByte(',')
		}
		key, err := plainJSON(m.key)
		if err != nil {
			return nil, err
		}
		out.Write(key)
		out.WriteByte(':')
		out.Write(m.value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}
