package repo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"quipu/repo/internal/git"
)

const configFile = "config.json"

// LoadConfig reads config.json in the home at dir and lays the environment
// (QUIPU_LISTEN and its like) over it. No file is every default. ErrInvalid names
// each key or variable that is wrong and what it must be.
func LoadConfig(dir string) (Config, error) {
	data, err := readSmall(filepath.Join(dir, configFile))
	if err != nil {
		return Config{}, fmt.Errorf("read %s: %w", configFile, err)
	}
	c, err := parseConfig(data, os.LookupEnv)
	if err == nil && c.Person.Name == "" {
		c.gitName, c.gitEmail = git.Identity()
	}
	return c, err
}

// configBox holds the configuration in force. The file is read again when its
// time or size changed; one that is invalid leaves the old configuration in force.
type configBox struct {
	mu    sync.Mutex
	read  bool
	stamp fileStamp
	conf  Config
	fault error
}

type fileStamp struct {
	changed time.Time
	size    int64
}

func stampOf(path string) fileStamp {
	info, err := os.Stat(path)
	if err != nil {
		return fileStamp{size: -1}
	}
	return fileStamp{changed: info.ModTime(), size: info.Size()}
}

// current gives the configuration of the home at dir, and what is wrong with the
// file when an older one stays in force. A fault is logged once.
func (b *configBox) current(dir string, log *slog.Logger) (Config, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	stamp := stampOf(filepath.Join(dir, configFile))
	if b.read && stamp == b.stamp {
		return b.conf, b.fault
	}
	conf, err := LoadConfig(dir)
	b.read, b.stamp, b.fault = true, stamp, err
	if err != nil {
		log.Warn("config.json is not used, the last good one stays in force", "err", err)
		return b.conf, b.fault
	}
	if len(conf.Unknown) > 0 {
		log.Warn("config.json has settings that quipu does not know", "keys", strings.Join(conf.Unknown, " "))
	}
	b.conf = conf
	return b.conf, nil
}

// forget makes the next current read the file.
func (b *configBox) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.read = false
}

func parseConfig(data []byte, getenv func(string) (string, bool)) (Config, error) {
	var c Config
	r := &configReader{}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(data)) > 0 {
		if err := syntax(data); err != nil {
			return Config{}, wrapf(ErrInvalid, "%s: %v", configFile, err)
		}
		r.object(r.topKeys(&c))("", data)
	}
	r.environment(&c, getenv)
	r.together(c)
	if len(r.faults) > 0 {
		return Config{}, wrapf(ErrInvalid, "%s: %s", configFile, strings.Join(r.faults, "; "))
	}
	c.Unknown = r.unknown
	if c.Timezone != "" {
		c.location = locationOr(c.Timezone, nil)
	}
	return c, nil
}

// syntax says where a text stops being JSON, in lines and columns as an editor counts.
func syntax(data []byte) error {
	if !utf8.Valid(data) {
		return errors.New("not UTF-8 text")
	}
	var whole json.RawMessage
	err := json.Unmarshal(data, &whole)
	var bad *json.SyntaxError
	if !errors.As(err, &bad) {
		return err
	}
	before := data[:min(int(bad.Offset), len(data))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n') - 1
	return fmt.Errorf("line %d, column %d: %w", line, column, bad)
}
