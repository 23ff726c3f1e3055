//go:build unix

package ddblocal

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// answering starts a server that responds to a GET as DynamoDB does.
func answering(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Amzn-Requestid", "1")
		w.WriteHeader(http.StatusBadRequest)
	}))
	t.Cleanup(s.Close)
	return s
}

func closeServer(t *testing.T, s *Server) {
	t.Helper()
	t.Cleanup(func() { require.NoError(t, s.Close()) })
}

func TestStartPrefersTheEndpointOfTheEnvironment(t *testing.T) {
	t.Parallel()
	m := withJava(t, java17)
	m.env[endpointVariable] = answering(t).URL
	server, err := start(t.Context(), m.host())
	require.NoError(t, err)
	closeServer(t, server)
	require.Equal(t, Given, server.Source)
	require.Equal(t, m.env[endpointVariable], server.Endpoint)
	require.Empty(t, server.Version)
	require.Empty(t, m.lines("java.ports"), "nothing is started beside it")
}

func TestStartTakesJavaBeforeDocker(t *testing.T) {
	t.Parallel()
	m := withJava(t, java17)
	m.install(m.dir, "docker", "go")
	m.write("docker.up", "yes")
	m.checkout()
	server, err := start(t.Context(), m.host())
	require.NoError(t, err)
	closeServer(t, server)
	require.Equal(t, Java, server.Source)
	require.Equal(t, "9.9.9", server.Version)
	require.Empty(t, m.lines("go.calls"))
}

func TestStartNeedsNoMavenOnceTheJarsAreThere(t *testing.T) {
	t.Parallel()
	m := withJava(t, java17)
	_, err := findJars(t.Context(), m.host())
	require.NoError(t, err)

	without := newMachine(t, "java", "sh")
	without.write("java.version", java17)
	h := without.host()
	h.cacheDir = m.host().cacheDir
	server, err := start(t.Context(), h)
	require.NoError(t, err)
	closeServer(t, server)
	require.Equal(t, Java, server.Source)
	require.Len(t, m.lines("mvn.calls"), 1)
}

func TestStartTakesDockerWhereJavaDoesNotDo(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T) machine{
		"no Java":  func(t *testing.T) machine { return newMachine(t, "mvn", "sh") },
		"old Java": func(t *testing.T) machine { return withJava(t, `java version "1.8.0_292"`) },
		"no Maven": func(t *testing.T) machine {
			m := newMachine(t, "java", "sh")
			m.write("java.version", java17)
			return m
		},
		"Maven fails": func(t *testing.T) machine { m := withJava(t, java17); m.write("mvn.fails", "no network"); return m },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := spoil(t)
			m.install(m.dir, "docker", "go")
			m.write("docker.up", "yes")
			m.write("endpoint", "http://127.0.0.1:1")
			m.checkout()
			server, err := start(t.Context(), m.host())
			require.NoError(t, err)
			require.Equal(t, Docker, server.Source)
			require.Equal(t, "8.8.8", server.Version)
			require.Equal(t, "http://127.0.0.1:1", server.Endpoint)
			require.NoError(t, server.Close())
			require.Equal(t, []string{"run_._-image_" + dockerImage, "ended"}, m.lines("go.calls"), "it ends with its input")
		})
	}
}

func TestStartSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T) machine{
		"bare machine":           func(t *testing.T) machine { return newMachine(t) },
		"old Java":               func(t *testing.T) machine { return withJava(t, `java version "1.8.0_292"`) },
		"Maven fails with a lot": func(t *testing.T) machine { m := withJava(t, java17); m.write("mvn.fails", "a\nb"); return m },
		"Docker is down":         func(t *testing.T) machine { return newMachine(t, "docker", "go") },
		"DOCKER_HOST is wrong": func(t *testing.T) machine {
			m := newMachine(t, "go")
			m.env["DOCKER_HOST"] = "unix://" + filepath.Join(m.dir, "none.sock")
			return m
		},
		"no image": func(t *testing.T) machine {
			m := newMachine(t, "docker", "go")
			m.write("docker.up", "yes")
			m.checkout()
			return m
		},
		"outside the repository": func(t *testing.T) machine {
			m := newMachine(t, "docker", "go")
			m.write("docker.up", "yes")
			return m
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, err := start(t.Context(), prepare(t).host())
			require.Nil(t, server)
			var missing *MissingError
			require.ErrorAs(t, err, &missing)
			require.NotEmpty(t, missing.Java)
			require.NotEmpty(t, missing.Docker)
			require.NotContains(t, err.Error(), "\n")
			for _, cure := range []string{"install Java 17", "Maven", "Docker", endpointVariable} {
				require.Contains(t, err.Error(), cure)
			}
		})
	}
}

// If a source is available but broken, Start returns an error. It does not try the next source, and
// the error is not a reason to skip a test.
func TestStartReportsWhatIsBroken(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T) machine{
		"no URL": func(t *testing.T) machine {
			m := withJava(t, java17)
			m.env[endpointVariable] = "localhost:8000"
			return m
		},
		"Java server ends": func(t *testing.T) machine {
			m := withJava(t, java17)
			m.write("java.clashes", strings.Repeat("x\n", portAttempts))
			return m
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, err := start(t.Context(), prepare(t).host())
			require.Nil(t, server)
			require.Error(t, err)
			var missing *MissingError
			require.NotErrorAs(t, err, &missing)
		})
	}
}

func TestStartTakesAnotherPortWhenOneIsTaken(t *testing.T) {
	t.Parallel()
	m := withJava(t, java17)
	m.write("java.clashes", "x\nx")
	server, err := start(t.Context(), m.host())
	require.NoError(t, err)
	closeServer(t, server)
	ports := m.lines("java.ports")
	require.Len(t, ports, 3)
	require.True(t, strings.HasSuffix(server.Endpoint, ":"+ports[2]))
}
