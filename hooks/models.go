package hooks

import (
	"log/slog"
	"path/filepath"
	"time"

	"quipu/hooks/model"
	"quipu/repo"
)

// NewModels gives the models that a home's configuration names. getenv holds the keys.
func NewModels(store *repo.Store, now func() time.Time, getenv func(string) (string, bool), log *slog.Logger) *model.Models {
	return model.New(model.Options{
		Config: store.Config, Getenv: getenv, Now: now, Log: log, Redact: store.Redact, Dir: filepath.Join(store.Home(), "log"),
	})
}
