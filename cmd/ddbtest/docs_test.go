//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/control"
)

// document returns the documentation of the command.
func document(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "ddbtest.md"))
	require.NoError(t, err)
	return string(text)
}

// TestDocumentation runs the commands of the documentation, one after the other.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not there")
	}
	var script strings.Builder
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(document(t), -1) {
		script.WriteString(block[1])
	}
	run := func(script string) error {
		p := startProcess(t, "-record", filepath.Join(t.TempDir(), "recording"))
		cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", strings.ReplaceAll(script, "http://127.0.0.1:8000", p.url))
		cmd.Dir = t.TempDir()
		out, err := cmd.CombinedOutput()
		t.Logf("%s", out)
		return err
	}
	require.Greater(t, strings.Count(script.String(), "\ncurl -sS --fail-with-body "), 40)
	require.NoError(t, run(script.String()))

	// The negative control: a wrong command fails.
	require.Error(t, run(strings.Replace(script.String(), `"quantity":"ReadUnits"`, `"quantity":"ReedUnits"`, 1)))
}

// TestDocumentationHasAllPaths checks that each path and each option is documented.
func TestDocumentationHasAllPaths(t *testing.T) {
	t.Parallel()
	text := document(t)
	for _, r := range control.Routes() {
		path := strings.ReplaceAll(strings.ReplaceAll(r.Path, "{id}", "1"), "{table}", "orders")
		require.Regexp(t, regexp.QuoteMeta("$E"+path)+`[\s?"]`, text)
		for _, name := range r.Query {
			require.Regexp(t, "[?&]"+name+"=|`"+name+"`", text)
		}
	}
	var usage strings.Builder
	_, err := parseOptions([]string{"-help"}, &usage)
	require.Error(t, err)
	options := regexp.MustCompile(`(?m)^  (-\w+)`).FindAllStringSubmatch(usage.String(), -1)
	require.Len(t, options, 16)
	for _, o := range options {
		require.Contains(t, text, "`"+o[1])
	}
}
