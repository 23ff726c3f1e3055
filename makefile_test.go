package trestle_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// demos returns the names of the example programs.
func demos(t *testing.T) []string {
	t.Helper()
	mains, err := filepath.Glob("examples/*/main.go")
	require.NoError(t, err)
	require.NotEmpty(t, mains)
	for i, main := range mains {
		mains[i] = filepath.Base(filepath.Dir(main))
	}
	return mains
}

// runMake returns the output and the error of make. It runs make with --dry-run, so the test
// compiles and runs no program.
func runMake(t *testing.T, arguments ...string) (string, error) {
	t.Helper()
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not on PATH")
	}
	command := exec.CommandContext(t.Context(), "make", append(arguments, "--dry-run")...)
	// Drop the variables that an outer make sets.
	command.Env = slices.DeleteFunc(command.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return strings.HasPrefix(name, "MAKE") || slices.Contains([]string{"DEMO", "ROUNDS", "BENCH", "BENCHSTAT", "FUZZTIME"}, name)
	})
	out, err := command.CombinedOutput()
	return string(out), err
}

// For an unknown demo, make fails with an error that lists all demos.
func TestMakeListsTheDemos(t *testing.T) {
	t.Parallel()
	for _, unknown := range []string{"nosuch", "", "why nosuch", "internal"} {
		out, err := runMake(t, "demo", "DEMO="+unknown)
		require.Error(t, err, "%q", unknown)
		for _, name := range demos(t) {
			require.Contains(t, out, name, "%q", unknown)
		}
	}
	help, err := runMake(t, "help")
	require.NoError(t, err)
	for _, name := range demos(t) {
		require.Contains(t, help, name)
	}
}

// Every example is a demo, and make runs one of them if no name is given.
func TestMakeRunsEveryDemo(t *testing.T) {
	t.Parallel()
	for _, name := range demos(t) {
		out, err := runMake(t, "demo", "DEMO="+name)
		require.NoError(t, err, name)
		require.Contains(t, out, "in "+name+";")
	}
	out, err := runMake(t, "demo")
	require.NoError(t, err)
	require.Contains(t, out, "in why company;")
}

// The comparison runs in its module, in 9 rounds or as many as the caller wants. The benchmarks of
// the packages are another target.
func TestMakeBench(t *testing.T) {
	t.Parallel()
	out, err := runMake(t, "bench")
	require.NoError(t, err)
	require.Contains(t, out, "-C internal/peerbench -run '^TestComparison$'")
	require.Contains(t, out, "-rounds 9 ")
	out, err = runMake(t, "bench", "ROUNDS=1")
	require.NoError(t, err)
	require.Contains(t, out, "-rounds 1 ")
	out, err = runMake(t, "fuzz")
	require.NoError(t, err)
	require.Contains(t, out, ".ci/fuzz 60s 3")

	out, err = runMake(t, "bench-packages", "BENCH=Render")
	require.NoError(t, err)
	require.Contains(t, out, "-bench 'Render'")
	require.NotContains(t, out, "peerbench")
}

// The packages that start goroutines, and no others, are tested under the race detector.
func TestRaceDetectorTestsPackagesWithConcurrency(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("sh is not on PATH")
	}
	script, err := filepath.Abs(".ci/concurrent")
	require.NoError(t, err)
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("go.mod", "module m\n\ngo 1.25\n")
	for name, code := range map[string]string{
		"call": "package p\n\nfunc f() {\n\tgo f()\n}\n",
		"line": "package p\n\nfunc f() { go f() }\n",
		"lit":  "package p\n\nfunc f() {\n\tgo func() {}()\n}\n",
		"pool": "package p\n\nimport \"sync\"\n\nvar pool sync.Pool\n",
		"wait": "package p\n\nfunc f(g interface{ Go(func()) }) { g.Go(nil) }\n",
		"pure": "package p\n\n// A comment may speak of go f().\nfunc f() {}\n",
	} {
		write(name+"/p.go", code)
		write(name+"/p_test.go", "package p\n")
	}
	write("intest/p.go", "package p\n")
	write("intest/p_test.go", "package p\n\nfunc f() {\n\tgo f()\n}\n")
	write("untested/p.go", "package p\n\nfunc f() {\n\tgo f()\n}\n")
	command := exec.CommandContext(t.Context(), shell, script)
	command.Dir = dir
	command.Env = append(command.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := command.Output()
	require.NoError(t, err)
	require.Equal(t, []string{"m/call", "m/intest", "m/line", "m/lit", "m/wait"}, strings.Fields(string(out)))

	write("pure/p.go", "no Go code")
	command = exec.CommandContext(t.Context(), shell, script)
	command.Dir = dir
	command.Env = append(command.Environ(), "GOWORK=off", "GOFLAGS=")
	require.Error(t, command.Run(), "a package that cannot be listed")
}
