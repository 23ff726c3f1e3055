package folder_test

import (
	"bytes"
	"encoding/binary"
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
	for range 10 { // bbolt finds it in another goroutine, which goes on while the file is closed
		require.Error(t, open(bytes.ReplaceAll(intact, []byte("/30"), []byte("/zz"))), "keys out of order")
	}
	require.Error(t, open(bytes.ReplaceAll(intact, []byte("entries"), []byte("entrees"))), "another bucket")

	rnd := testrand.New(t)
	leaves, branches := elements(intact)
	require.NotEmpty(t, branches)
	for range testsize.Pick(20, 100, 2000) {
		data := slices.Clone(intact)
		switch at := rnd.IntN(len(data)); rnd.IntN(5) {
		case 0:
			data = data[:at]
		case 1:
			at -= at % pageSize
			clear(data[at:min(len(data), at+pageSize)])
		case 2: // how many pages belong to it
			at = leaves[rnd.IntN(len(leaves))]
			binary.NativeEndian.PutUint32(data[at-at%pageSize+12:], rnd.Uint32()|1<<16)
		case 3: // the flags, the position, or the size of the key or the value
			at = leaves[rnd.IntN(len(leaves))] + 4*rnd.IntN(4)
			binary.NativeEndian.PutUint32(data[at:], rnd.Uint32()>>rnd.IntN(32))
		default: // the position or the size of a key
			at = branches[rnd.IntN(len(branches))] + 4*rnd.IntN(2)
			binary.NativeEndian.PutUint32(data[at:], rnd.Uint32()>>rnd.IntN(32))
		}
		_ = open(data)
	}
	require.Greater(t, refused, 3)
}

var pageSize = os.Getpagesize()

// elements returns the positions of the elements of pages that were in use: those of leaf pages,
// and those of branch pages but for the first one of each.
func elements(file []byte) (leaves, branches []int) {
	const header, element = 16, 16
	for page := 0; page < len(file); page += pageSize {
		flags, count := binary.NativeEndian.Uint16(file[page+8:]), binary.NativeEndian.Uint16(file[page+10:])
		for i := range int(count) {
			at := page + header + i*element
			switch {
			case flags == 2:
				leaves = append(leaves, at)
			case flags == 1 && i > 0:
				branches = append(branches, at)
			}
		}
	}
	return leaves, branches
}
