package repo

import (
	"encoding/json"

	"quipu/policy"
)

func (r *configReader) rules(target *RulesConfig) reading {
	const boolean = "true or false"
	s := &target.Switches
	return r.object(map[string]reading{
		"preset":             r.oneOf(&target.Preset, policy.Presets()...),
		"english":            into(r, &s.English, boolean),
		"atomic":             into(r, &s.Atomic, boolean),
		"dedupeAcrossTopics": into(r, &s.DedupeAcrossTopics, boolean),
		"sensitive":          into(r, &s.Sensitive, boolean),
		"evidenceQuote":      into(r, &s.EvidenceQuote, boolean),
		"reviewed":           into(r, &s.Reviewed, boolean),
		"noCredentials":      into(r, &s.NoCredentials, boolean),
		"noOrders":           into(r, &s.NoOrders, boolean),
		"lasting":            into(r, &s.Lasting, boolean),
		"dateBehind":         into(r, &s.DateBehind, boolean),
		"maxEntryChars":      r.counted(&s.MaxEntryChars, 1, policy.MaxEntryRunes),
		"maxEntries":         r.counted(&s.MaxEntries, 0, 1_000_000),
		"recent":             r.counted(&s.Recent, 0, 200),
		"areas":              r.areas(&s.Areas),
	})
}

// counted reads a number that may be left out; null leaves it out.
func (r *configReader) counted(target **int, low, high int) reading {
	return func(at string, raw json.RawMessage) {
		if string(raw) == "null" {
			return
		}
		var n int
		r.count(&n, low, high)(at, raw)
		*target = &n
	}
}

// areas reads a list of topics.
func (r *configReader) areas(target **[]string) reading {
	return func(at string, raw json.RawMessage) {
		if string(raw) == "null" {
			return
		}
		list := []string{}
		into(r, &list, "a list of topics")(at, raw)
		for _, name := range list {
			if _, err := policy.TopicFile(name); err != nil {
				r.fault(at, "%q is no topic: %v", name, err)
			}
		}
		if len(list) > maxAreas {
			r.fault(at, "at most %d topics", maxAreas)
			return
		}
		*target = &list
	}
}

const maxAreas = 100
