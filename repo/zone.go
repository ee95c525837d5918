package repo

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quipu/policy"
)

// zoneKey is the setting, in the file that machines share, of where days are counted.
const zoneKey = "timezone"

// shareZone makes the machines that share a bot count its days in one time zone, so that
// they agree on dates: what one of them sets is taken over by the others. It gives the
// zone that holds from now on, "" where none is known. Without mayWrite none is set.
func (w *Workspace) shareZone(ctx context.Context, m Meta, last string, mayWrite bool) (zone string, note string, err error) {
	mine, shared, write, err := w.zones(last)
	switch {
	case err != nil:
		return last, "", err
	case shared == mine:
		return shared, "", nil
	case !write:
		if err := w.store.SetBot(w.id, map[string]any{zoneKey: shared}); err != nil {
			return last, "", err
		}
		return shared, "days are counted in " + shared + ", as wherever this memory is shared", nil
	}
	if !mayWrite {
		return last, "", nil
	}
	m.Action = ActSync
	_, err = w.change(ctx, m, func(v *view) (draft, error) {
		text, _, err := v.file(policy.SettingsFile)
		if err != nil {
			return draft{}, err
		}
		if text, err = withZone(text, mine); err != nil {
			return draft{}, err
		}
		return draft{subject: "days are counted in " + mine, files: []fileText{{path: policy.SettingsFile, text: text}}}, nil
	})
	return mine, "", err
}

// zones are the time zone of this machine and that of the machines that share the bot;
// write says that ours, where they differ, is the newer one.
func (w *Workspace) zones(last string) (mine, shared string, write bool, err error) {
	if strings.HasPrefix(string(w.id), "@") || w.id.bot() != w.id {
		return "", "", false, nil // About me has no days of its own, and a layer has its bot's
	}
	text, err := w.textNow(policy.SettingsFile)
	mine, shared = zoneName(w.store.Config().LocationOf(w.id)), sharedZone(text)
	return mine, shared, mine != shared && mine != "" && (shared == "" || shared == last), err
}

// textNow is a file as the newest commit has it; empty when there is none.
func (w *Workspace) textNow(path string) ([]byte, error) {
	head, err := w.git.Position()
	if err != nil {
		return nil, gitError(err)
	}
	blob, err := w.git.FileAt(head, path)
	if err != nil {
		return nil, gitError(err)
	}
	text, err := w.git.Blob(blob)
	return text, gitError(err)
}

// sharedZone is the zone that a settings file names; "" when it names none that is known
// here.
func sharedZone(text []byte) string {
	var s map[string]json.RawMessage
	var zone string
	if json.Unmarshal(text, &s) != nil || json.Unmarshal(s[zoneKey], &zone) != nil {
		return ""
	}
	if _, err := time.LoadLocation(zone); err != nil || zone == "Local" {
		return ""
	}
	return zone
}

// withZone is a settings file that names a zone; what else it says stays.
func withZone(text []byte, zone string) ([]byte, error) {
	s := map[string]any{}
	if len(bytes.TrimSpace(text)) > 0 && json.Unmarshal(text, &s) != nil {
		s = map[string]any{}
	}
	s[zoneKey] = zone
	b, err := json.MarshalIndent(s, "", "  ")
	return append(b, '\n'), err
}

// zoneName is a zone's name; the machine's own has one where the system tells it.
func zoneName(l *time.Location) string {
	if l != time.Local {
		return l.String()
	}
	if tz, set := os.LookupEnv("TZ"); set {
		if _, err := time.LoadLocation(tz); err == nil && tz != "" {
			return tz
		}
		return ""
	}
	at, err := filepath.EvalSymlinks("/etc/localtime")
	if _, name, ok := strings.Cut(at, "/zoneinfo/"); err == nil && ok {
		return strings.TrimPrefix(name, "Etc/")
	}
	return ""
}
