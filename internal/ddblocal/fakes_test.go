package ddblocal

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// roles are the programs that this binary can act as. Each reads its settings from files in its
// folder, and returns an exit code.
var roles = map[string]func(dir string, args []string) int{
	"java":          playJava,
	"mvn":           playMaven,
	"docker":        playDocker,
	"go":            playGo,
	"fill":          func(dir string, _ []string) int { return playFill(dir, lockFile) },
	"fill-unlocked": func(dir string, _ []string) int { return playFill(dir, noLock) },
	"owner":         playOwner,
}

// machine is a fake machine: a folder that is its whole PATH.
type machine struct {
	t   *testing.T
	dir string
	env map[string]string
}

func newMachine(t *testing.T, programs ...string) machine {
	t.Helper()
	m := machine{t: t, dir: t.TempDir(), env: map[string]string{}}
	m.env["PATH"] = m.dir
	m.install(m.dir, programs...)
	return m
}

// install links programs into a folder. "sh" links to the real shell, all others to this binary.
func (m machine) install(dir string, programs ...string) {
	m.t.Helper()
	self, err := os.Executable()
	require.NoError(m.t, err)
	for _, name := range programs {
		target := self
		if name == "sh" {
			target = "/bin/sh"
		}
		require.NoError(m.t, os.Symlink(target, filepath.Join(dir, name)))
	}
}

func (m machine) host() host { return hostIn(m.dir, func(name string) string { return m.env[name] }) }

// hostIn returns a host without a Docker socket. Its cache folder and its working folder are in
// dir.
func hostIn(dir string, getenv func(string) string) host {
	return host{
		getenv:   getenv,
		cacheDir: func() (string, error) { return filepath.Join(dir, "cache"), nil },
		workDir:  func() (string, error) { return dir, nil },
	}
}

func (m machine) write(name, text string) {
	m.t.Helper()
	path := filepath.Join(m.dir, name)
	require.NoError(m.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(m.t, os.WriteFile(path, []byte(text), 0o644))
}

// lines returns the lines that a role wrote to a file, or none if there is no file.
func (m machine) lines(name string) []string { return strings.Fields(orders(m.dir, name)) }

// withJava returns a machine with Maven, a shell and Java of a version.
func withJava(t *testing.T, version string) machine {
	t.Helper()
	m := newMachine(t, "java", "mvn", "sh")
	m.write("java.version", version)
	return m
}

const java17 = `openjdk version "17.0.15" 2025-04-15`

// checkout makes the machine's working folder look like a checkout of the repository.
func (m machine) checkout() {
	m.write("go.mod", "module "+modulePath+"\n")
	m.write("internal/dockerlocal/go.mod", "module "+modulePath+"/internal/dockerlocal\n")
}

func orders(dir, name string) string {
	text, _ := os.ReadFile(filepath.Join(dir, name))
	return string(text)
}

func note(dir, name, line string) {
	file, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, _ = fmt.Fprintln(file, line)
		_ = file.Close()
	}
}

// playJava prints the version in java.version, or runs a server. It ends at once as long as the
// file java.clashes has a line left, and removes one line each time.
func playJava(dir string, args []string) int {
	if args[0] == "-version" {
		fmt.Fprintln(os.Stderr, orders(dir, "java.version"))
		return 0
	}
	port := args[len(args)-1]
	note(dir, "java.ports", port)
	if clashes := strings.Fields(orders(dir, "java.clashes")); len(clashes) > 0 {
		_ = os.WriteFile(filepath.Join(dir, "java.clashes"), []byte(strings.Join(clashes[1:], "\n")), 0o644)
		return 1
	}
	fmt.Fprintln(os.Stdout, "Version:\t9.9.9")
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		return 1
	}
	_ = http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/exit" {
			os.Exit(0)
		}
		w.Header().Set("X-Amzn-Requestid", "1")
		w.WriteHeader(http.StatusBadRequest)
	}))
	return 1
}

// playMaven waits at the gate. Then it writes two jars, or fails with the text of mvn.fails.
func playMaven(dir string, args []string) int {
	note(dir, "mvn.calls", "call")
	defer passGate(dir, "mvn")()
	if text := orders(dir, "mvn.fails"); text != "" {
		fmt.Fprintln(os.Stdout, text)
		return 1
	}
	into, _ := strings.CutPrefix(args[len(args)-1], "-DoutputDirectory=")
	if err := bringJars(into); err != nil {
		return 1
	}
	return 0
}

func bringJars(into string) error {
	if err := os.MkdirAll(into, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"DynamoDBLocal-" + Version + ".jar", "other.jar"} {
		if err := os.WriteFile(filepath.Join(into, name), []byte(name), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func playDocker(dir string, _ []string) int {
	if orders(dir, "docker.up") != "" {
		return 0
	}
	return 1
}

// playGo acts as the nested module. It prints the endpoint in the file endpoint and ends with its
// input.
func playGo(dir string, args []string) int {
	note(dir, "go.calls", strings.Join(args, "_"))
	endpoint := orders(dir, "endpoint")
	if endpoint == "" {
		return 1
	}
	fmt.Fprintf(os.Stdout, "Version: 8.8.8\nEndpoint: %s\n", endpoint)
	_, _ = io.Copy(io.Discard, os.Stdin)
	note(dir, "go.calls", "ended")
	return 0
}

// playFill gets the jars from the cache as any process does.
func playFill(dir string, lock func(context.Context, string) (func(), error)) int {
	defer passGate(dir, "fill")()
	h := hostIn(dir, func(name string) string { return map[string]string{"PATH": dir}[name] })
	c := cache{
		root:    filepath.Join(dir, "cache"),
		version: Version,
		pom:     pom,
		fetch:   func(ctx context.Context, pomFile, into string) error { return runMaven(ctx, h, pomFile, into) },
		lock:    lock,
	}
	if _, err := c.jars(context.Background()); err != nil {
		fmt.Fprintln(os.Stdout, err)
		return 1
	}
	return 0
}

func noLock(context.Context, string) (func(), error) { return func() {}, nil }

// playOwner starts a server and waits until it is killed.
func playOwner(dir string, _ []string) int {
	h := hostIn(dir, func(name string) string { return map[string]string{"PATH": dir}[name] })
	server, err := startJava(context.Background(), h)
	if err != nil {
		fmt.Fprintln(os.Stdout, err)
		return 1
	}
	fmt.Fprintln(os.Stdout, server.Endpoint)
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

// newShortMachine is for tests with Unix sockets. Their paths are limited to about a hundred bytes.
func newShortMachine(t *testing.T) machine {
	t.Helper()
	dir, err := os.MkdirTemp("", "m") //nolint:usetesting // the folders of testing.T are named for the test: too long
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return machine{t: t, dir: dir, env: map[string]string{"PATH": dir}}
}
