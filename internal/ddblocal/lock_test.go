//go:build unix && !aix && !solaris

package main

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLockFileRespectsItsContext(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := lockFile(t.Context(), path)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err = lockFile(ctx, path)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	unlock()
	unlock, err = lockFile(t.Context(), path)
	require.NoError(t, err)
	unlock()
}

func TestAKilledProcessHoldsNoLock(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "locker")
	cmd := m.command("locker")
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	defer func() { _ = stdin.Close() }()
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = stdout.Read(make([]byte, 1))
	require.NoError(t, err)
	ended, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err = lockFile(ended, filepath.Join(m.dir, "lock"))
	require.ErrorIs(t, err, context.DeadlineExceeded, "the other process has no lock")

	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait() // it was killed
	unlock, err := lockFile(t.Context(), filepath.Join(m.dir, "lock"))
	require.NoError(t, err)
	unlock()
}
