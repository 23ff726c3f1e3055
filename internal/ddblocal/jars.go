package main

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

//go:embed pom.xml
var pom []byte

const (
	mavenGoal     = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
	mavenPatience = 4 * time.Minute
)

// findJars returns the folder with the server's jars in the user's cache folder. Maven downloads
// them if needed.
func findJars(ctx context.Context) (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", missing("no cache folder: %v", err)
	}
	c := cache{root: filepath.Join(base, "trestle", "dynamodb-local"), download: runMaven, lock: lockFile}
	jars, err := c.jars(ctx)
	if err != nil {
		return "", missing("the jars cannot be downloaded: %v", err)
	}
	return jars, nil
}

// runMaven copies the dependencies of the pom into a folder. They come from Maven Central or from
// the user's local repository.
func runMaven(ctx context.Context, pomFile, into string) error {
	ctx, cancel := context.WithTimeout(ctx, mavenPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "mvn", "--batch-mode", "--quiet", "--file", pomFile, mavenGoal, "-DoutputDirectory="+into)
	if cmd.Err != nil {
		return errors.New("mvn is not on PATH")
	}
	cmd.Dir = filepath.Dir(pomFile)
	cmd.WaitDelay = time.Second
	output, err := cmd.CombinedOutput()
	if err != nil {
		// Maven prints the cause first, and many lines of advice after it.
		cause, _, _ := strings.Cut(strings.TrimSpace(string(output)), "\n")
		return fmt.Errorf("mvn: %w: %s", err, cause)
	}
	return nil
}

// cache is a folder with the jars of each pom. Several processes may use it at once, and may be
// killed at any time: a subfolder gets its name when it is complete.
type cache struct {
	root     string
	download func(ctx context.Context, pomFile, into string) error
	lock     func(ctx context.Context, path string) (unlock func(), err error)
}

// jars returns the folder with the jars of the pom, and downloads them if it does not exist.
func (c cache) jars(ctx context.Context) (string, error) {
	dir := filepath.Join(c.root, fmt.Sprintf("%s-%.6x", version, sha256.Sum256(pom)))
	jars := filepath.Join(dir, "lib")
	if exists(jars) {
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
	if exists(jars) { // downloaded by the previous holder of the lock
		return jars, nil
	}
	return jars, c.fill(ctx, dir)
}

// fill downloads into a temporary folder and renames it when it is complete.
func (c cache) fill(ctx context.Context, dir string) error {
	temp, err := os.MkdirTemp(c.root, "temp-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	pomFile := filepath.Join(temp, "pom.xml")
	if err := os.WriteFile(pomFile, pom, 0o644); err != nil {
		return err
	}
	lib := filepath.Join(temp, "lib")
	if err := c.download(ctx, pomFile, lib); err != nil {
		return err
	}
	if jar := filepath.Join(lib, "DynamoDBLocal-"+version+".jar"); !exists(jar) {
		return fmt.Errorf("maven copied no %s: %w", filepath.Base(jar), fs.ErrNotExist)
	}
	err = os.Rename(temp, dir)
	if err == nil || exists(filepath.Join(dir, "lib")) { // without a lock, another process may be first
		return nil
	}
	if err := os.RemoveAll(dir); err != nil { // its jars were removed
		return err
	}
	return os.Rename(temp, dir)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
