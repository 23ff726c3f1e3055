package trestle_test

import (
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
		return strings.HasPrefix(variable, "DEMO=") || strings.HasPrefix(variable, "MAKE")
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
