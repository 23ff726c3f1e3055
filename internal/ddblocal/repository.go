package ddblocal

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
)

const modulePath = "github.com/trestledb/trestle"

// findModule returns the folder of the nested module that speaks to Docker. Only a checkout of the repository has it:
// it is no part of the module that users download, so that none of them carries its dependencies.
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

// isModule tells whether the folder's go.mod is that of the module named.
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
