//go:build unix

package main

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPython runs the example in Python with boto3. The environment variable TRESTLE_PYTHON names
// another interpreter than python3, such as that of a virtual environment.
func TestPython(t *testing.T) {
	t.Parallel()
	python := cmp.Or(os.Getenv("TRESTLE_PYTHON"), "python3")
	if out, err := exec.CommandContext(t.Context(), python, "-c", "import boto3").CombinedOutput(); err != nil {
		t.Skipf("%s with boto3 is not there: %v %s", python, err, out)
	}
	example := t.TempDir()
	require.NoError(t, os.CopyFS(example, os.DirFS(filepath.Join("..", "..", "examples", "python"))))
	cmd := exec.CommandContext(t.Context(), python, "-m", "unittest", "-v")
	cmd.Dir = example
	cmd.Env = []string{"DDBTEST=" + binary, "HOME=" + example, "PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "Ran 3 tests")
}
