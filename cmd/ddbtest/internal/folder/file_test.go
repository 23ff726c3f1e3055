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
