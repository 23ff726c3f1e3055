package ddblocal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// countingCache returns a cache in a new folder that counts its downloads.
func countingCache(t *testing.T) (c cache, fetched *int) {
	t.Helper()
	fetched = new(int)
	return cache{
		root:    t.TempDir(),
		version: Version,
		pom:     []byte("a pom"),
		lock:    lockFile,
		fetch: func(_ context.Context, pomFile, into string) error {
			*fetched++
			have, err := os.ReadFile(pomFile)
			require.NoError(t, err)
			require.NotEmpty(t, have)
			return bringJars(into)
		},
	}, fetched
}

func TestCacheFetchesOnlyWhatItsStampDoesNotVouchFor(t *testing.T) {
	t.Parallel()
	jar := filepath.Join(libFolder, "other.jar")
	for name, c := range map[string]struct {
		damage  func(t *testing.T, c *cache, dir string)
		refetch bool
	}{
		"intact":      {func(*testing.T, *cache, string) {}, false},
		"jar gone":    {func(t *testing.T, _ *cache, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, jar))) }, true},
		"jar cut off": {func(t *testing.T, _ *cache, dir string) { require.NoError(t, os.Truncate(filepath.Join(dir, jar), 1)) }, true},
		"stamp gone":  {func(t *testing.T, _ *cache, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, stampFile))) }, true},
		"stamp cut off": {func(t *testing.T, _ *cache, dir string) {
			require.NoError(t, os.Truncate(filepath.Join(dir, stampFile), 9))
		}, true},
		"folder gone":    {func(t *testing.T, _ *cache, dir string) { require.NoError(t, os.RemoveAll(dir)) }, true},
		"another pom":    {func(_ *testing.T, c *cache, _ string) { c.pom = []byte("another pom") }, true},
		"foreign jar in": {func(t *testing.T, _ *cache, dir string) { writeFile(t, filepath.Join(dir, libFolder, "x.jar")) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, fetched := countingCache(t)
			jars, err := store.jars(t.Context())
			require.NoError(t, err)
			require.Equal(t, 1, *fetched)

			c.damage(t, &store, filepath.Dir(jars))
			jars, err = store.jars(t.Context())
			require.NoError(t, err)
			require.Equal(t, c.refetch, *fetched == 2)
			require.True(t, stamped(filepath.Dir(jars), store.id()))
			require.NoFileExists(t, filepath.Join(jars, "x.jar"))
			requireNothingLeft(t, store.root)
		})
	}
}

func writeFile(t *testing.T, path string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte("text"), 0o644))
}

// requireNothingLeft fails if a temporary or damaged folder remains.
func requireNothingLeft(t *testing.T, root string) {
	t.Helper()
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, entry := range entries {
		require.NotContains(t, entry.Name(), tempMark)
	}
}

func TestCacheKeepsNothingOfAFailedFetch(t *testing.T) {
	t.Parallel()
	errFetch := errors.New("no network")
	for name, c := range map[string]struct {
		fetch func(ctx context.Context, pomFile, into string) error
		want  error
	}{
		"fails half-way":         {func(_ context.Context, _, into string) error { return errors.Join(bringJars(into), errFetch) }, errFetch},
		"brings nothing":         {func(context.Context, string, string) error { return nil }, os.ErrNotExist},
		"brings other jars only": {func(_ context.Context, _, into string) error { return os.Mkdir(into, 0o755) }, os.ErrNotExist},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, fetched := countingCache(t)
			good := store.fetch
			store.fetch = c.fetch
			_, err := store.jars(t.Context())
			require.ErrorIs(t, err, c.want)
			requireNothingLeft(t, store.root)

			store.fetch = good
			_, err = store.jars(t.Context())
			require.NoError(t, err)
			require.Equal(t, 1, *fetched)
		})
	}
}

func TestCacheSweepsWhatIsAbandoned(t *testing.T) {
	t.Parallel()
	store, _ := countingCache(t)
	old, fresh := filepath.Join(store.root, "1"+tempMark+"1"), filepath.Join(store.root, "1"+tempMark+"2")
	for _, dir := range []string{old, fresh} {
		require.NoError(t, os.Mkdir(dir, 0o755))
	}
	long := time.Now().Add(-2 * abandoned)
	require.NoError(t, os.Chtimes(old, long, long))
	_, err := store.jars(t.Context())
	require.NoError(t, err)
	require.NoDirExists(t, old)
	require.DirExists(t, fresh, "it may belong to a process that is at work")
}

func TestThePomNamesTheVersion(t *testing.T) {
	t.Parallel()
	require.Equal(t, 1, strings.Count(string(pom), "<version>"+Version+"</version>"))
}
