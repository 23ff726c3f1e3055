//go:build unix

package main

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// killOwner kills a process that runs ddblocal. It returns a connection to the server that was
// opened before, and the input of the process.
func killOwner(t *testing.T, args ...string) (conn net.Conn, stdin io.Closer) {
	t.Helper()
	m := newMachine(t, "java", "mvn", "owner")
	cmd := m.command("owner", args...)
	input, stdin, err := os.Pipe() // a pipe of package exec would be closed by Wait
	require.NoError(t, err)
	t.Cleanup(func() { _ = stdin.Close() })
	cmd.Stdin = input
	stdout, stdoutWriter, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { _ = stdout.Close() })
	cmd.Stdout, cmd.Stderr = stdoutWriter, stdoutWriter
	require.NoError(t, cmd.Start())
	require.NoError(t, errors.Join(input.Close(), stdoutWriter.Close()))
	scanner := bufio.NewScanner(stdout)
	for conn == nil && scanner.Scan() {
		if endpoint, ok := strings.CutPrefix(scanner.Text(), "export "+endpointVariable+"="); ok {
			conn, err = net.Dial("tcp", hostOf(t, endpoint))
			require.NoError(t, err)
		}
	}
	require.NotNil(t, conn)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
	_ = cmd.Wait() // it was killed
	return conn, stdin
}

// requireClosed fails if the other end does not close the connection.
func requireClosed(t *testing.T, conn net.Conn) {
	t.Helper()
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(30*time.Second)))
	_, err := conn.Read(make([]byte, 1))
	require.Error(t, err)
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the server runs after the process that started it was killed")
}

func TestTheServerEndsWithAKilledOwner(t *testing.T) {
	t.Parallel()
	conn, _ := killOwner(t)
	requireClosed(t, conn)
}

// The negative control of the test above: the server of a killed owner runs as long as the input of
// ddblocal is open elsewhere.
func TestTheServerRunsWhileTheInputIsOpen(t *testing.T) {
	t.Parallel()
	conn, stdin := killOwner(t, "inherit")
	_, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	require.NoError(t, err)
	response, err := io.ReadAll(conn)
	require.NoError(t, err)
	require.Contains(t, string(response), " 400 ")

	another, err := net.Dial("tcp", conn.RemoteAddr().String())
	require.NoError(t, err)
	defer func() { _ = another.Close() }()
	require.NoError(t, stdin.Close())
	requireClosed(t, another)
}

func TestSIGTERMEndsTheServer(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "java", "mvn")
	cmd := m.command("ddblocal")
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	defer func() { _ = stdin.Close() }()
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	text := make([]byte, len(settings)+1000)
	n, err := stdout.Read(text)
	require.NoError(t, err)
	host := hostOf(t, parse(t, string(text[:n]))[endpointVariable])
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, cmd.Wait())
	_, err = net.Dial("tcp", host)
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}
