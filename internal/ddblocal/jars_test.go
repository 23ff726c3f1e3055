package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// writeJar stands for a download.
func writeJar(into string) error {
	if err := os.MkdirAll(into, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(into, "DynamoDBLocal-"+version+".jar"), nil, 0o644)
}

// requireNoTemp fails if a temporary folder remains.
func requireNoTemp(t *testing.T, c cache) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(c.root, "temp-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestTheJarsAreDownloadedOnce(t *testing.T) {
	t.Parallel()
	downloads := 0
	c := cache{root: filepath.Join(t.TempDir(), "root"), lock: lockFile, download: func(_ context.Context, pomFile, into string) error {
		downloads++
		require.FileExists(t, pomFile)
		return writeJar(into)
	}}
	var jars string
	for range 3 {
		var err error
		jars, err = c.jars(t.Context())
		require.NoError(t, err)
		require.FileExists(t, filepath.Join(jars, "DynamoDBLocal-"+version+".jar"))
	}
	require.Equal(t, 1, downloads)
	requireNoTemp(t, c)

	require.NoError(t, os.RemoveAll(jars))
	_, err := c.jars(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, downloads, "a removed folder is downloaded again")
	requireNoTemp(t, c)
}

func TestNothingRemainsOfAFailedDownload(t *testing.T) {
	t.Parallel()
	errDownload := errors.New("no network")
	for name, test := range map[string]struct {
		download func(into string) error
		want     error
	}{
		"half-way":     {func(into string) error { return errors.Join(writeJar(into), errDownload) }, errDownload},
		"copies none":  {func(string) error { return nil }, fs.ErrNotExist},
		"copies other": {func(into string) error { return os.Mkdir(into, 0o755) }, fs.ErrNotExist},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := cache{root: t.TempDir(), lock: lockFile, download: func(_ context.Context, _, into string) error { return test.download(into) }}
			_, err := c.jars(t.Context())
			require.ErrorIs(t, err, test.want)
			requireNoTemp(t, c)

			c.download = func(_ context.Context, _, into string) error { return writeJar(into) }
			_, err = c.jars(t.Context())
			require.NoError(t, err)
		})
	}
}

// startTogether counts the downloads of callers that start at once. Each download waits for the
// expected number of downloads.
func startTogether(t *testing.T, expected int, lock func(context.Context, string) (func(), error)) int64 {
	t.Helper()
	const callers = 4
	var downloads atomic.Int64
	var all, done sync.WaitGroup
	all.Add(expected)
	c := cache{root: t.TempDir(), lock: lock, download: func(_ context.Context, _, into string) error {
		if downloads.Add(1) <= int64(expected) {
			all.Done()
		}
		all.Wait()
		return writeJar(into)
	}}
	var errs [callers]error
	for i := range callers {
		done.Go(func() { _, errs[i] = c.jars(t.Context()) })
	}
	done.Wait()
	require.NoError(t, errors.Join(errs[:]...))
	requireNoTemp(t, c)
	return downloads.Load()
}

// Without the lock all callers download, which is the negative control. The cache is complete then,
// too.
func TestOneOfManyDownloads(t *testing.T) {
	t.Parallel()
	require.EqualValues(t, 4, startTogether(t, 4, func(context.Context, string) (func(), error) { return func() {}, nil }))
	if runtime.GOOS == "windows" {
		t.Skip("no lock on this system")
	}
	require.EqualValues(t, 1, startTogether(t, 1, lockFile))
}

func TestThePomHasTheVersion(t *testing.T) {
	t.Parallel()
	require.Equal(t, 1, strings.Count(string(pom), "<version>"+version+"</version>"))
}
