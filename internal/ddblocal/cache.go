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

// cache is a folder with the jars of each version and pom that was ever asked for, safe for processes that start at once and for
// processes that die: a folder appears by one rename when it is complete, and its stamp tells whether it still is.
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
	// abandoned is the age from which a half-filled folder belongs to nobody any more.
	abandoned = time.Hour
)

// id names the folder of this version and pom.
func (c cache) id() string {
	sum := sha256.Sum256(c.pom)
	return c.version + "-" + hex.EncodeToString(sum[:6])
}

// jars returns the folder with the jars. It fetches them only where the stamp does not match what is there.
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
	if stamped(dir, c.id()) { // by the one who held the lock before
		return jars, nil
	}
	c.sweep()
	return jars, c.fill(ctx, dir)
}

// fill fetches into a folder of its own and puts that in its place when it is complete.
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

// complete checks that the fetch brought what it was for.
func (c cache) complete(jars string) error {
	_, err := os.Stat(filepath.Join(jars, "DynamoDBLocal-"+c.version+".jar"))
	return err
}

// place moves a complete folder to its name, and a damaged one out of the way.
func (c cache) place(temp, dir string) error {
	err := os.Rename(temp, dir)
	if err == nil || stamped(dir, c.id()) { // without a lock, another process may have been first
		return nil
	}
	if err := os.Rename(dir, temp+"-damaged"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp + "-damaged") }()
	return os.Rename(temp, dir)
}

// sweep removes what processes that died left behind. Failure is harmless: the next fill tries again.
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
