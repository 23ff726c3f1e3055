package ddblocal

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
)

const modulePath = "github.com/trestledb/trestle"

// findModule returns the folder of the nested module for Docker. Only a checkout of the repository
// has it. The module that users download does not contain it, so users do not get its dependencies.
func findModule(h host) (string, error) {
	dir, err := h.workDir()
	if err != nil {
		return "", absent("no working folder: %v", err)
	}
	for {
		nested := filepath.Join(dir, "internal", "dockerlocal")
		if isModule(dir, modulePath) && isModule(nested, modulePath+"/internal/dockerlocal") {
			return nested, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", absent("outside the repository %s", modulePath)
		}
		dir = parent
	}
}

// isModule reports whether the go.mod of the folder declares the module path.
func isModule(dir, path string) bool {
	file, err := os.Open(filepath.Join(dir, "go.mod"))
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		if name, ok := strings.CutPrefix(scanner.Text(), "module "); ok {
			return strings.TrimSpace(name) == path
		}
	}
	return false
}
