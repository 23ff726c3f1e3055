package folder_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/folder"
	"github.com/trestledb/trestle/ddbtest"
)

// content returns the entries of a file in the order in which Load passes them.
func content(t *testing.T, f *folder.File) (list []string) {
	t.Helper()
	require.NoError(t, f.Load(func(key, value []byte) error {
		list = append(list, string(key)+"="+string(value))
		return nil
	}))
	return list
}

func TestFile(t *testing.T) {
	t.Parallel()
	for _, sync := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "a", "b.db")
		f, err := folder.Open(path, sync)
		require.NoError(t, err)
		require.Empty(t, content(t, f))
		change := func(key, value string) ddbtest.StorageChange {
			return ddbtest.StorageChange{Key: []byte(key), Value: []byte(value)}
		}
		require.NoError(t, f.Commit([]ddbtest.StorageChange{change("2\x00b", "1"), change("2\x00a", "2"), change("1", "3")}))
		require.NoError(t, f.Commit([]ddbtest.StorageChange{{Key: []byte("1")}, {Key: []byte("none")}, change("2\x00a", "4")}))
		want := []string{"2\x00a=4", "2\x00b=1"}
		require.Equal(t, want, content(t, f))

		// a commit with an error changes nothing
		require.Error(t, f.Commit([]ddbtest.StorageChange{change("3", "5"), change("", "an empty key")}))
		require.Equal(t, want, content(t, f))

		_, err = folder.Open(path, sync)
		require.Error(t, err, "another one has it")
		require.NoError(t, f.Close())
		f, err = folder.Open(path, sync)
		require.NoError(t, err)
		require.Equal(t, want, content(t, f))
		require.NoError(t, f.Close())
	}
}

func TestFileRename(t *testing.T) {
	t.Parallel()
	for _, sync := range []bool{false, true} {
		dir := t.TempDir()
		change := func(key string) []ddbtest.StorageChange {
			return []ddbtest.StorageChange{{Key: []byte(key), Value: []byte("1")}}
		}
		for _, name := range []string{"a", "b"} {
			f, err := folder.Open(filepath.Join(dir, name), sync)
			require.NoError(t, err)
			require.NoError(t, f.Commit(change(name)))
			if name == "b" {
				require.NoError(t, f.Rename(filepath.Join(dir, "a")))
				require.NoError(t, f.Commit(change("c")))
				require.Equal(t, []string{"b=1", "c=1"}, content(t, f))
				require.NoFileExists(t, filepath.Join(dir, "b"))
				require.Error(t, f.Rename(filepath.Join(dir, "none", "a")))
			}
			require.NoError(t, f.Close())
		}
		require.NoError(t, folder.Remove(filepath.Join(dir, "a"), sync))
		require.Error(t, folder.Remove(filepath.Join(dir, "a"), sync))
	}
}

func TestLock(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	lock, err := folder.Lock(dir)
	require.NoError(t, err)
	_, err = folder.Lock(dir)
	require.Error(t, err)
	require.NoError(t, lock.Close())
	lock, err = folder.Lock(dir)
	require.NoError(t, err)
	require.NoError(t, lock.Close())
}
