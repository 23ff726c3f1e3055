package folder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// lockName is the name of a file that the process has open which uses the folder.
const lockName = ".lock"

// Lock makes this process the only one that uses a folder, until it closes the result. It makes the
// folder if there is none.
func Lock(folder string) (*File, error) {
	lock, err := Open(filepath.Join(folder, lockName), false)
	if err != nil {
		return nil, fmt.Errorf("lock the folder %s: %w", folder, err)
	}
	return lock, nil
}

// Remove removes a file that is not open. With sync it waits until the disk has that.
func Remove(path string, sync bool) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	return syncFolder(path, sync)
}

// syncFolder waits until the disk has the name of a file, if sync is true. Windows cannot do it.
func syncFolder(path string, sync bool) error {
	if !sync || runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
