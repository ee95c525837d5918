package git

import (
	"os"

	"github.com/go-git/go-git/v5/config"
)

// Identity is the name and address that the person's own git signs with, "" where
// none is set.
func Identity() (name, email string) {
	c, err := globalConfig()
	if err != nil {
		return "", ""
	}
	return c.User.Name, c.User.Email
}

func globalConfig() (*config.Config, error) {
	path, set := os.LookupEnv("GIT_CONFIG_GLOBAL")
	if !set {
		return config.LoadConfig(config.GlobalScope)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // read only
	return config.ReadConfig(f)
}
