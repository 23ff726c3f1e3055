package folder_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/folder"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// TestDamagedFile opens files that were truncated, that lost a page, or that have something else.
// Each is an error that names the file, or has readable content; nothing panics.
func TestDamagedFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	f, err := folder.Open(path, false)
	require.NoError(t, err)
	for i := range 40 {
		var changes []ddbtest.StorageChange
		for j := range 50 {
			changes = append(changes, ddbtest.StorageChange{Key: fmt.Appendf(nil, "%d/%d", j, i), Value: make([]byte, 100+i)})
		}
		require.NoError(t, f.Commit(changes))
	}
	require.NoError(t, f.Close())
	intact, err := os.ReadFile(path)
	require.NoError(t, err)

	refused := 0
	open := func(data []byte) error {
		path := filepath.Join(t.TempDir(), "b.db") // bbolt may keep the lock of a damaged file
		require.NoError(t, os.WriteFile(path, data, 0o600))
		f, err := folder.Open(path, false)
		if err != nil {
			require.ErrorContains(t, err, path)
			refused++
			return err
		}
		content(t, f)
		require.NoError(t, f.Close())
		return nil
	}
	require.NoError(t, open(intact))
	require.Error(t, open([]byte("not a database")))
	require.Error(t, open(make([]byte, len(intact))))
	require.Error(t, open(intact[:len(intact)/3]))
	require.Error(t, open(bytes.ReplaceAll(intact, []byte("25/30"), []byte("zz/30"))), "keys out of order")

	rnd := testrand.New(t)
	for range testsize.Pick(20, 100, 2000) {
		data := slices.Clone(intact)
		if at := rnd.IntN(len(data)); rnd.IntN(2) == 0 {
			data = data[:at]
		} else {
			at -= at % 4096
			clear(data[at:min(len(data), at+4096)])
		}
		_ = open(data)
	}
	require.Greater(t, refused, 3)
}
