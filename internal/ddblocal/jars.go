package ddblocal

import (
	"context"
	_ "embed"
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

// findJars returns the folder with the server's jars. Maven downloads them if needed. Every error
// is an absence.
func findJars(ctx context.Context, h host) (string, error) {
	base, err := h.cacheDir()
	if err != nil {
		return "", absent("no cache folder: %v", err)
	}
	c := cache{
		root:    filepath.Join(base, "trestle", "dynamodb-local"),
		version: Version,
		pom:     pom,
		fetch:   func(ctx context.Context, pomFile, into string) error { return runMaven(ctx, h, pomFile, into) },
		lock:    lockFile,
	}
	jars, err := c.jars(ctx)
	if _, ok := isAbsent(err); err != nil && !ok {
		err = absent("the jars cannot be had: %v", err)
	}
	return jars, err
}

// runMaven copies the dependencies of the pom into a folder. They come from Maven Central or from
// the user's local repository.
func runMaven(ctx context.Context, h host, pomFile, into string) error {
	maven, err := h.lookPath("mvn")
	if err != nil {
		return absent("mvn is not on PATH")
	}
	ctx, cancel := context.WithTimeout(ctx, mavenPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, maven, "--batch-mode", "--quiet", "--file", pomFile, mavenGoal, "-DoutputDirectory="+into)
	cmd.Dir = filepath.Dir(pomFile)
	cmd.WaitDelay = time.Second
	output, err := cmd.CombinedOutput()
	if err != nil {
		return absent("mvn: %v: %s", err, firstLine(output))
	}
	return nil
}

// firstLine returns the first line with text. Maven prints the cause there, and many lines of
// advice after it.
func firstLine(output []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(output)), "\n")
	return line
}
