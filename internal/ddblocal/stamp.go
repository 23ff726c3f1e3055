package ddblocal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const stampFile = "stamp"

// stamped reports whether the folder matches its stamp: the ID, the file names and the file sizes.
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

// stampOf lists the ID and the jars in the folder, sorted by name.
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
