//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// roles are the programs that this binary can act as: ddblocal itself, and fakes of the programs
// that it starts. Each fake reads its settings from files in its folder, and returns an exit code.
var roles = map[string]func(dir string, args []string) int{
	"ddblocal": func(string, []string) int { main(); return 0 },
	"java":     fakeJava,
	"mvn":      fakeMaven,
	"docker":   fakeDocker,
	"go":       fakeGo,
	"owner":    fakeOwner,
	"locker":   fakeLocker,
}

// TestMain acts as the program that the file name of this binary selects.
func TestMain(m *testing.M) {
	if role, ok := roles[filepath.Base(os.Args[0])]; ok {
		self, err := exec.LookPath(os.Args[0])
		if err != nil {
			panic(err)
		}
		os.Exit(role(filepath.Dir(self), os.Args[1:]))
	}
	os.Exit(m.Run())
}

// machine is a fake machine: a folder that is its whole PATH and the home of its user.
type machine struct {
	t   *testing.T
	dir string
	env []string
}

const java17 = `openjdk version "17.0.15" 2025-04-15`

// newMachine returns a machine with ddblocal and further programs. Its Java has version 17.
func newMachine(t *testing.T, programs ...string) *machine {
	t.Helper()
	m := &machine{t: t, dir: t.TempDir()}
	m.set("PATH", m.dir)
	m.set("HOME", m.dir)
	m.set("GORACE", "atexit_sleep_ms=0") // by default each process ends a second later
	m.install("", append(programs, "ddblocal")...)
	m.write("java.version", java17)
	return m
}

func (m *machine) set(name, value string) { m.env = append(m.env, name+"="+value) }

// install links programs into a folder of the machine.
func (m *machine) install(folder string, programs ...string) {
	m.t.Helper()
	self, err := os.Executable()
	require.NoError(m.t, err)
	for _, name := range programs {
		require.NoError(m.t, os.Symlink(self, filepath.Join(m.dir, folder, name)))
	}
}

func (m *machine) write(name, text string) {
	m.t.Helper()
	path := filepath.Join(m.dir, name)
	require.NoError(m.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(m.t, os.WriteFile(path, []byte(text), 0o644))
}

// words returns what the programs wrote to a file.
func (m *machine) words(name string) []string { return strings.Fields(read(m.dir, name)) }

// command returns a command of a program of the machine.
func (m *machine) command(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(m.t.Context(), filepath.Join(m.dir, name), args...)
	cmd.Env = m.env
	return cmd
}

// run runs ddblocal until it ends by itself.
func (m *machine) run(args ...string) (stdout, stderr string, err error) {
	cmd := m.command("ddblocal", args...)
	var out, diagnostics bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diagnostics
	stdin, err := cmd.StdinPipe()
	require.NoError(m.t, err)
	defer func() { _ = stdin.Close() }()
	err = cmd.Run()
	return out.String(), diagnostics.String(), err
}

// serve runs ddblocal until end is called. It returns the variables that ddblocal prints.
func (m *machine) serve() (variables map[string]string, end func()) {
	m.t.Helper()
	cmd := m.command("ddblocal")
	stdin, err := cmd.StdinPipe()
	require.NoError(m.t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(m.t, err)
	var diagnostics bytes.Buffer
	cmd.Stderr = &diagnostics
	require.NoError(m.t, cmd.Start())
	text := make([]byte, len(settings)+1000)
	n, _ := stdout.Read(text) // the settings are printed in one write
	if n == 0 {
		_ = cmd.Wait()
		m.t.Fatal(diagnostics.String())
	}
	return parse(m.t, string(text[:n])), func() {
		_ = stdin.Close()
		_, _ = io.Copy(io.Discard, stdout)
		require.NoError(m.t, cmd.Wait(), "%s", &diagnostics)
	}
}

// parse parses the settings that ddblocal prints. The comment has the empty name.
func parse(t *testing.T, lines string) map[string]string {
	t.Helper()
	variables := map[string]string{}
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if comment, ok := strings.CutPrefix(line, "# "); ok {
			variables[""] = comment
			continue
		}
		assignment, ok := strings.CutPrefix(line, "export ")
		require.True(t, ok, line)
		name, value, ok := strings.Cut(assignment, "=")
		require.True(t, ok, line)
		variables[name] = value
	}
	return variables
}

func read(dir, name string) string {
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

// fakeJava prints the version in java.version, or runs a server. It ends at once as long as the
// file java.clashes has a word left, and removes one word each time.
func fakeJava(dir string, args []string) int {
	if args[0] == "-version" {
		fmt.Fprintln(os.Stderr, read(dir, "java.version"))
		return 0
	}
	port := args[len(args)-1]
	note(dir, "java.ports", port)
	if clashes := strings.Fields(read(dir, "java.clashes")); len(clashes) > 0 {
		_ = os.WriteFile(filepath.Join(dir, "java.clashes"), []byte(strings.Join(clashes[1:], "\n")), 0o644)
		return 1
	}
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

// fakeMaven copies two jars, or fails with the text of mvn.fails.
func fakeMaven(dir string, args []string) int {
	note(dir, "mvn.calls", "call")
	if text := read(dir, "mvn.fails"); text != "" {
		fmt.Fprintln(os.Stdout, text)
		return 1
	}
	into, _ := strings.CutPrefix(args[len(args)-1], "-DoutputDirectory=")
	if writeJar(into) != nil {
		return 1
	}
	return 0
}

func fakeDocker(dir string, _ []string) int {
	if read(dir, "docker.up") == "" {
		return 1
	}
	return 0
}

// fakeGo acts as dockerlocal. It prints the endpoint in the file endpoint and ends with its input.
func fakeGo(dir string, args []string) int {
	note(dir, "go.calls", strings.Join(args, "_"))
	endpoint := read(dir, "endpoint")
	if endpoint == "" {
		return 1
	}
	fmt.Fprintf(os.Stdout, "Version: 8.8.8\nEndpoint: %s\n", endpoint)
	_, _ = io.Copy(io.Discard, os.Stdin)
	note(dir, "go.calls", "ended")
	return 0
}

// fakeOwner runs ddblocal and waits. With an argument, ddblocal gets the input of the owner instead
// of a pipe.
func fakeOwner(dir string, args []string) int {
	cmd := exec.Command(filepath.Join(dir, "ddblocal"))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if len(args) > 0 {
		cmd.Stdin = os.Stdin
	} else if _, err := cmd.StdinPipe(); err != nil {
		return 1
	}
	if err := cmd.Run(); err != nil {
		return 1
	}
	return 0
}

// fakeLocker locks a file and waits until its input ends.
func fakeLocker(dir string, _ []string) int {
	if _, err := lockFile(context.Background(), filepath.Join(dir, "lock")); err != nil {
		return 1
	}
	fmt.Fprintln(os.Stdout, "locked")
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}
