package ddblocal

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Environment variables that this package reads.
const (
	endpointVariable = "DYNAMODB_ENDPOINT"
	requireVariable  = "TRESTLE_REQUIRE_DYNAMODB"
)

// Required reports whether TRESTLE_REQUIRE_DYNAMODB=1 is set. A test without DynamoDB Local must
// then fail instead of being skipped.
func Required() bool { return os.Getenv(requireVariable) == "1" }

// host is the environment in which Start searches. Tests construct hosts of their own.
type host struct {
	getenv   func(string) string
	cacheDir func() (string, error) // the user's cache folder
	workDir  func() (string, error) // where the search for the repository begins
	sockets  []string               // where a Docker daemon may listen
}

func thisHost() host {
	return host{
		getenv:   os.Getenv,
		cacheDir: os.UserCacheDir,
		workDir:  os.Getwd,
		sockets:  dockerSockets(os.Getenv),
	}
}

// lookPath finds a program on the PATH of the host. It skips relative entries, as package exec
// does.
func (h host) lookPath(name string) (string, error) {
	for _, dir := range filepath.SplitList(h.getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("%s: %w", name, exec.ErrNotFound)
}
