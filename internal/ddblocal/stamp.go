package ddblocal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const stampFile = "stamp"

// stamped tells whether the folder holds what its stamp says: the id, and every file with the size it had.
func stamped(dir, id string) bool {
	have, err := os.ReadFile(filepath.Join(dir, stampFile))
	if err != nil {
		return false
	}
	want, err := stampOf(dir, id)
	return err == nil && string(have) == want
}

func writeStamp(dir, id string) error {
	text, err := stampOf(dir, id)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, stampFile), []byte(text), 0o644)
}

// stampOf lists the jars that are there, in the order of their names.
func stampOf(dir, id string) (string, error) {
	entries, err := os.ReadDir(filepath.Join(dir, libFolder))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", id)
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%d %s\n", info.Size(), entry.Name())
	}
	return b.String(), nil
}
