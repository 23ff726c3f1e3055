//go:build unix

package ddblocal

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// silence is the timeout for events that happen at once.
const silence = 30 * time.Second

// killOwner starts a server in another process and kills that process. It returns the endpoint of
// the server and a connection that it opened before.
func killOwner(t *testing.T, m machine) (endpoint string, conn net.Conn) {
	t.Helper()
	cmd := exec.Command(filepath.Join(m.dir, "owner"))
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	defer func() { _ = in.Close() }()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	endpoint, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	endpoint = strings.TrimSpace(endpoint)
	u, err := url.Parse(endpoint)
	require.NoError(t, err)
	conn, err = net.Dial("tcp", u.Host)
	require.NoError(t, err, "the owner says: %s", endpoint)
	t.Cleanup(func() { _ = conn.Close() })

	require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
	require.Error(t, cmd.Wait())
	return endpoint, conn
}

func TestTheServerDiesWithItsOwner(t *testing.T) {
	t.Parallel()
	m := withJava(t, java17)
	m.install(m.dir, "owner")
	_, conn := killOwner(t, m)
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(silence)))
	_, err := conn.Read(make([]byte, 1))
	require.Error(t, err)
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the server outlives the process that started it")
}

// This is the control of the test above: without the guard a server lives on.
func TestAServerWithoutTheGuardOutlivesItsOwner(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "java", "mvn", "owner") // no shell
	m.write("java.version", java17)
	endpoint, _ := killOwner(t, m)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: silence}
	response, err := client.Get(endpoint)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	_, err = client.Get(endpoint + "/exit")
	require.ErrorIs(t, err, io.EOF)
}

func TestCloseEndsTheServer(t *testing.T) {
	t.Parallel()
	for name, programs := range map[string][]string{"guarded": {"java", "mvn", "sh"}, "deaf": {"java", "mvn"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t, programs...)
			m.write("java.version", java17)
			server, err := start(t.Context(), m.host())
			require.NoError(t, err)
			u, err := url.Parse(server.Endpoint)
			require.NoError(t, err)
			require.NoError(t, server.Close())
			require.NoError(t, server.Close(), "a second Close does nothing")
			_, err = net.Dial("tcp", u.Host)
			require.ErrorIs(t, err, syscall.ECONNREFUSED, "Close returned before the server was gone")
		})
	}
}

// A terminal sends its signals to the whole process group. The server must end when its owner ends,
// not before.
func TestTheGuardIgnoresATerminalsSignals(t *testing.T) {
	t.Parallel()
	m := withJava(t, java17)
	jars, err := findJars(t.Context(), m.host())
	require.NoError(t, err)
	port, err := claimPort()
	require.NoError(t, err)
	defer port.release()
	c, err := startJavaChild(m.host(), filepath.Join(m.dir, "java"), jars, port.number)
	require.NoError(t, err)
	endpoint := "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(port.number))
	require.NoError(t, awaitHTTP(t.Context(), endpoint, fromDynamoDB, c.gone))
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT} {
		require.NoError(t, c.cmd.Process.Signal(signal))
	}
	require.NoError(t, awaitHTTP(t.Context(), endpoint, fromDynamoDB, c.gone))
	require.NoError(t, c.cmd.Process.Signal(syscall.SIGTERM))
	select {
	case <-c.gone: // the end of the guard ends the server
	case <-time.After(silence):
		t.Error("the server outlives its guard")
	}
	require.NoError(t, c.end())
}
