package ddblocal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// cache is a folder with the jars of each version and pom. Several processes may use it at once,
// and may be killed at any time. A subfolder gets its name by one rename when it is complete, and a
// stamp file shows whether it is still complete.
type cache struct {
	root    string
	version string
	pom     []byte
	fetch   func(ctx context.Context, pomFile, into string) error
	lock    func(ctx context.Context, path string) (unlock func(), err error)
}

const (
	libFolder = "lib"
	tempMark  = ".tmp-"
	// abandoned is the age from which a temporary folder is no longer in use.
	abandoned = time.Hour
)

// id returns the folder name of this version and pom.
func (c cache) id() string {
	sum := sha256.Sum256(c.pom)
	return c.version + "-" + hex.EncodeToString(sum[:6])
}

// jars returns the folder with the jars. It downloads them only if the stamp does not match the
// files.
func (c cache) jars(ctx context.Context) (string, error) {
	dir := filepath.Join(c.root, c.id())
	jars := filepath.Join(dir, libFolder)
	if stamped(dir, c.id()) {
		return jars, nil
	}
	if err := os.MkdirAll(c.root, 0o755); err != nil {
		return "", err
	}
	unlock, err := c.lock(ctx, filepath.Join(c.root, "lock"))
	if err != nil {
		return "", fmt.Errorf("lock the cache: %w", err)
	}
	defer unlock()
	if stamped(dir, c.id()) { // by the previous holder of the lock
		return jars, nil
	}
	c.sweep()
	return jars, c.fill(ctx, dir)
}

// fill downloads into a temporary folder and renames it when it is complete.
func (c cache) fill(ctx context.Context, dir string) error {
	temp, err := os.MkdirTemp(c.root, c.id()+tempMark)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	pomFile := filepath.Join(temp, "pom.xml")
	if err := os.WriteFile(pomFile, c.pom, 0o644); err != nil {
		return err
	}
	if err := c.fetch(ctx, pomFile, filepath.Join(temp, libFolder)); err != nil {
		return err
	}
	if err := c.complete(filepath.Join(temp, libFolder)); err != nil {
		return err
	}
	if err := writeStamp(temp, c.id()); err != nil {
		return err
	}
	return c.place(temp, dir)
}

// complete checks that the server's jar was downloaded.
func (c cache) complete(jars string) error {
	_, err := os.Stat(filepath.Join(jars, "DynamoDBLocal-"+c.version+".jar"))
	return err
}

// place renames a complete folder to dir, and first removes a damaged one from there.
func (c cache) place(temp, dir string) error {
	err := os.Rename(temp, dir)
	if err == nil || stamped(dir, c.id()) { // without a lock, another process may be first
		return nil
	}
	if err := os.Rename(dir, temp+"-damaged"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp + "-damaged") }()
	return os.Rename(temp, dir)
}

// sweep removes what killed processes left behind. It ignores errors: the next fill tries again.
func (c cache) sweep() {
	entries, err := os.ReadDir(c.root)
	if err != nil {
		return
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && strings.Contains(entry.Name(), tempMark) && time.Since(info.ModTime()) > abandoned {
			_ = os.RemoveAll(filepath.Join(c.root, entry.Name()))
		}
	}
}
