package ddblocal

import (
	"net"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFindDockerAsksWhereADaemonMayBe(t *testing.T) {
	t.Parallel()
	listen := func(t *testing.T, network, address string) net.Listener {
		l, err := net.Listen(network, address)
		require.NoError(t, err)
		t.Cleanup(func() { _ = l.Close() })
		return l
	}
	for name, c := range map[string]struct {
		prepare func(t *testing.T, m machine, h *host)
		ok      bool
	}{
		"nothing": {func(*testing.T, machine, *host) {}, false},
		"a socket": {func(t *testing.T, m machine, h *host) {
			h.sockets = []string{filepath.Join(m.dir, "none"), filepath.Join(m.dir, "s")}
			listen(t, "unix", filepath.Join(m.dir, "s"))
		}, true},
		"a socket that nobody serves": {func(_ *testing.T, m machine, h *host) { h.sockets = []string{filepath.Join(m.dir, "s")} }, false},
		"the command": {func(_ *testing.T, m machine, _ *host) {
			m.install(m.dir, "docker")
			m.write("docker.up", "yes")
		}, true},
		"the command without a daemon": {func(_ *testing.T, m machine, _ *host) { m.install(m.dir, "docker") }, false},
		"DOCKER_HOST, unix": {func(t *testing.T, m machine, _ *host) {
			m.env["DOCKER_HOST"] = "unix://" + filepath.Join(m.dir, "s")
			listen(t, "unix", filepath.Join(m.dir, "s"))
		}, true},
		"DOCKER_HOST, tcp": {func(t *testing.T, m machine, _ *host) {
			m.env["DOCKER_HOST"] = "tcp://" + listen(t, "tcp", "127.0.0.1:0").Addr().String()
		}, true},
		"DOCKER_HOST, ssh": {func(_ *testing.T, m machine, _ *host) {
			m.env["DOCKER_HOST"] = "ssh://somewhere"
			m.install(m.dir, "docker")
			m.write("docker.up", "yes")
		}, true},
		"DOCKER_HOST that is down, beside a socket": {func(t *testing.T, m machine, h *host) {
			m.env["DOCKER_HOST"] = "unix://" + filepath.Join(m.dir, "none")
			h.sockets = []string{filepath.Join(m.dir, "s")}
			listen(t, "unix", filepath.Join(m.dir, "s"))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newShortMachine(t)
			h := m.host()
			c.prepare(t, m, &h)
			err := findDocker(t.Context(), h)
			if c.ok {
				require.NoError(t, err)
				return
			}
			_, absent := isAbsent(err)
			require.True(t, absent)
		})
	}
}

func TestFindModuleLooksUpwards(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	h := m.host()
	h.workDir = func() (string, error) { return filepath.Join(m.dir, "a", "b"), nil }
	_, err := findModule(h)
	_, absent := isAbsent(err)
	require.True(t, absent)

	m.checkout()
	m.write("a/go.mod", "module example.com/other\n")
	dir, err := findModule(h)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(m.dir, "internal", "dockerlocal"), dir)
}

func TestFindModuleFindsTheRealOne(t *testing.T) {
	t.Parallel()
	dir, err := findModule(thisHost())
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(dir, "main.go"))
}
