//go:build unix && !aix && !solaris

package ddblocal

import (
	"context"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// startRole starts a program of the machine as a process.
func startRole(t *testing.T, m machine, role string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(filepath.Join(m.dir, role))
	require.NoError(t, cmd.Start())
	return cmd
}

// fillAtOnce starts n processes that use an empty cache at once, and returns the number of calls of
// Maven. It blocks the expected calls until all of them have started.
func fillAtOnce(t *testing.T, role string, n, expected int) (calls int) {
	t.Helper()
	m := newMachine(t, role, "mvn")
	g := newGate(t, m)
	var processes []*exec.Cmd
	for range n {
		processes = append(processes, startRole(t, m, role))
	}
	for _, v := range g.await(n) {
		require.Equal(t, "fill", v.role)
		v.pass()
	}
	visitors := g.await(expected)
	// Further calls find no listener. They do not block, but are counted.
	require.NoError(t, g.listener.Close())
	for _, v := range visitors {
		require.Equal(t, "mvn", v.role)
		v.pass()
	}
	for _, p := range processes {
		require.NoError(t, p.Wait())
	}
	requireFilled(t, m)
	return len(m.lines("mvn.calls"))
}

func requireFilled(t *testing.T, m machine) {
	t.Helper()
	root := filepath.Join(m.dir, "cache")
	c := cache{root: root, version: Version, pom: pom}
	require.True(t, stamped(filepath.Join(root, c.id()), c.id()))
}

func TestProcessesThatStartAtOnceFetchOnce(t *testing.T) {
	t.Parallel()
	const n = 4
	require.Equal(t, 1, fillAtOnce(t, "fill", n, 1))
}

// Without the lock every process downloads the jars. The cache is complete in the end.
func TestProcessesWithoutALockAllFetch(t *testing.T) {
	t.Parallel()
	const n = 4
	require.Equal(t, n, fillAtOnce(t, "fill-unlocked", n, n), "the test above proves nothing")
}

func TestAProcessThatDiesWhileItFetchesBlocksNobody(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "fill", "mvn")
	g := newGate(t, m)
	first := startRole(t, m, "fill")
	g.await(1)[0].pass()
	orphan := g.await(1)[0]
	require.NoError(t, first.Process.Kill())
	require.Error(t, first.Wait())

	second := startRole(t, m, "fill")
	g.await(1)[0].pass()
	g.await(1)[0].pass()
	require.NoError(t, second.Wait())

	orphan.pass()
	orphan.awaitEnd()
	requireFilled(t, m) // Maven of the killed process wrote elsewhere
	require.Len(t, m.lines("mvn.calls"), 2)
}

func TestLockFileHeedsItsContext(t *testing.T) {
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
