package ddblocal

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// gate blocks the processes of a machine until the test lets them continue. Tests of several
// processes therefore need no clock.
type gate struct {
	t        *testing.T
	listener net.Listener
}

// visitor is a process that waits at the gate. Its connection lasts until the process ends or
// leaves.
type visitor struct {
	role string
	conn net.Conn
	text *bufio.Reader
}

func newGate(t *testing.T, m machine) gate {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	m.write("gate", listener.Addr().String())
	return gate{t: t, listener: listener}
}

// await returns the next n processes that connect.
func (g gate) await(n int) []visitor {
	g.t.Helper()
	var visitors []visitor
	for range n {
		conn, err := g.listener.Accept()
		require.NoError(g.t, err)
		g.t.Cleanup(func() { _ = conn.Close() })
		v := visitor{conn: conn, text: bufio.NewReader(conn)}
		v.role, err = v.text.ReadString('\n')
		require.NoError(g.t, err)
		v.role = v.role[:len(v.role)-1]
		visitors = append(visitors, v)
	}
	return visitors
}

func (v visitor) pass() { _, _ = fmt.Fprintln(v.conn, "pass") }

// awaitEnd returns when the process has ended.
func (v visitor) awaitEnd() { _, _ = io.Copy(io.Discard, v.text) }

// passGate connects to the gate, if there is one, and waits until the test lets this process
// continue. The connection closes when the process calls leave or ends.
func passGate(dir, role string) (leave func()) {
	address := orders(dir, "gate")
	if address == "" {
		return func() {}
	}
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return func() {}
	}
	_, _ = fmt.Fprintln(conn, role)
	_, _ = bufio.NewReader(conn).ReadString('\n')
	return func() { _ = conn.Close() }
}
