package databases_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testsize"
)

// TestFailedReset checks that a database whose reset fails opens again with the content and the
// policies that it had.
func TestFailedReset(t *testing.T) {
	t.Parallel()
	for _, shared := range []bool{false, true} {
		c := databases.Config{Folder: t.TempDir(), Shared: shared, Fixtures: fixtures(t, things)}
		d := start(t, c)
		one := open(t, d, "one", "us-east-1")
		put(t, one.DB, "b")
		require.NoError(t, d.Restrict(one, "ann", ddbtest.Policy{Document: `{"Version":"2012-10-17","Statement":{"Effect":"Deny","Action":"*","Resource":"*"}}`}))
		inTheWay := filepath.Join(c.Folder, one.Key.AccessKey+".us-east-1.db.new")
		require.NoError(t, os.MkdirAll(filepath.Join(inTheWay, "a"), 0o700))
		_, err := d.Reset(one, true, false)
		require.Error(t, err)

		again, signer, err := d.OpenFor(key("ann", "us-east-1"))
		require.NoError(t, err)
		require.NotSame(t, one, again)
		require.NotEmpty(t, signer, "it is restricted")
		require.Len(t, d.Restricted(again), 1)
		require.Equal(t, 2, count(open(t, d, "one", "us-east-1")))
		require.NoError(t, os.RemoveAll(inTheWay))
		again, err = d.Reset(again, true, false)
		require.NoError(t, err)
		require.Equal(t, 1, count(again))
		closeAll(t, d)
	}
}

// TestPoliciesOfClosedForks checks that a reset that closes a fork forgets its policies, and that
// it keeps those of the database itself.
func TestPoliciesOfClosedForks(t *testing.T) {
	t.Parallel()
	d := start(t, databases.Config{})
	one := open(t, d, "one", "us-east-1")
	fork, err := d.Fork(one, "fork")
	require.NoError(t, err)
	deny := ddbtest.Policy{Document: `{"Version":"2012-10-17","Statement":{"Effect":"Deny","Action":"*","Resource":"*"}}`}
	require.NoError(t, d.Restrict(one, "ann", deny))
	require.NoError(t, d.Restrict(fork, "bob", deny))
	_, err = d.Reset(one, false, true)
	require.NoError(t, err)
	for accessKey, restricted := range map[string]bool{"ann": true, "bob": false} {
		_, signer, err := d.OpenFor(key(accessKey, "us-east-1"))
		require.NoError(t, err)
		require.Equal(t, restricted, signer != "", accessKey)
	}
}

// TestSharedIsTheOnlyOne checks that the shared database is neither forked nor removed.
func TestSharedIsTheOnlyOne(t *testing.T) {
	t.Parallel()
	d := start(t, databases.Config{Shared: true})
	shared := open(t, d, "one", "us-east-1")
	_, err := d.Fork(shared, "two")
	require.ErrorIs(t, err, databases.ErrShared)
	require.ErrorIs(t, d.Remove(shared, true), databases.ErrShared)
	require.Same(t, shared, open(t, d, "two", "eu-west-1"))
}

var errFull = errors.New("the disk is full")

// full is an empty storage that may refuse commits.
type full struct{ refuses atomic.Bool }

func (*full) Load(func(key, value []byte) error) error { return nil }

func (f *full) Commit([]ddbtest.StorageChange) error {
	if f.refuses.Load() {
		return errFull
	}
	return nil
}

// TestCloseRefused checks that the end reports what a storage lacks.
func TestCloseRefused(t *testing.T) {
	t.Parallel()
	for _, refuses := range []bool{false, true} {
		disk := new(full)
		d := start(t, databases.Config{Shared: true, Options: ddbtest.Options{Storage: disk}})
		disk.refuses.Store(refuses)
		d.All()[0].DB.Advance(1)
		_, err := d.Close()
		require.Equal(t, refuses, errors.Is(err, errFull))
	}
}

// TestCloseDuringResets checks that Close closes the databases of resets that run meanwhile.
func TestCloseDuringResets(t *testing.T) {
	t.Parallel()
	for range testsize.Pick(3, 10, 100) {
		c := databases.Config{Folder: t.TempDir()}
		d := start(t, c)
		var resets sync.WaitGroup
		for _, name := range []string{"one", "two", "three"} {
			db := open(t, d, name, "us-east-1")
			resets.Go(func() {
				for err := error(nil); err == nil; {
					db, err = d.Reset(db, false, false)
				}
			})
		}
		closeAll(t, d)
		resets.Wait()
		closeAll(t, start(t, c)) // no file is in use
	}
}
