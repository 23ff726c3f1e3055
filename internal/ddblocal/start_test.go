//go:build unix

package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// useHomeOf makes a machine use the downloaded jars of another machine.
func (m *machine) useHomeOf(other *machine) { m.set("HOME", other.dir) }

func hostOf(t *testing.T, endpoint string) string {
	t.Helper()
	u, err := url.Parse(endpoint)
	require.NoError(t, err)
	return u.Host
}

func TestEndpointOfTheEnvironmentComesFirst(t *testing.T) {
	t.Parallel()
	given := httptest.NewServer(http.NotFoundHandler()) // any response counts
	defer given.Close()
	m := newMachine(t, "java", "mvn")
	m.set(endpointVariable, given.URL)
	stdout, stderr, err := m.run()
	require.NoError(t, err)
	require.Equal(t, given.URL, parse(t, stdout)[endpointVariable])
	require.Contains(t, stderr, "nothing was started")
	require.Empty(t, m.words("java.ports"))
}

func TestJavaComesBeforeDocker(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "java", "mvn", "docker", "go")
	m.write("docker.up", "yes")
	variables, end := m.serve()
	require.Equal(t, "DynamoDB Local "+version+" (Java)", variables[""])
	require.Equal(t, variables[endpointVariable], variables["AWS_ENDPOINT_URL_DYNAMODB"])
	conn, err := net.Dial("tcp", hostOf(t, variables[endpointVariable]))
	require.NoError(t, err)
	require.NoError(t, conn.Close())

	end()
	_, err = net.Dial("tcp", hostOf(t, variables[endpointVariable]))
	require.ErrorIs(t, err, syscall.ECONNREFUSED, "ddblocal ended before its server")
	require.Empty(t, m.words("go.calls"))
}

func TestMavenIsNotNeededAfterTheDownload(t *testing.T) {
	t.Parallel()
	with, without := newMachine(t, "java", "mvn"), newMachine(t, "java")
	without.useHomeOf(with)
	for _, m := range []*machine{with, without} {
		_, end := m.serve()
		end()
	}
	require.Len(t, with.words("mvn.calls"), 1)
}

func TestDockerIsUsedWithoutJava(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T) *machine{
		"no Java": func(t *testing.T) *machine { return newMachine(t, "mvn") },
		"old Java": func(t *testing.T) *machine {
			m := newMachine(t, "java", "mvn")
			m.write("java.version", `java version "1.8.0_292"`)
			return m
		},
		"no Maven": func(t *testing.T) *machine { return newMachine(t, "java") },
		"Maven fails": func(t *testing.T) *machine {
			m := newMachine(t, "java", "mvn")
			m.write("mvn.fails", "no network")
			return m
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := prepare(t)
			m.install("", "docker", "go")
			m.write("docker.up", "yes")
			m.write("endpoint", "http://127.0.0.1:1")
			variables, end := m.serve()
			require.Equal(t, "DynamoDB Local "+version+" (Docker)", variables[""])
			require.Equal(t, "http://127.0.0.1:1", variables[endpointVariable])
			end()
			require.Equal(t, []string{"run_._-image_" + dockerImage, "ended"}, m.words("go.calls"), "it ends with its input")
		})
	}
}

func TestAMissingServerIsAnErrorOnlyIfRequired(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T) *machine{
		"bare machine": func(t *testing.T) *machine { return newMachine(t) },
		"Maven fails with a lot": func(t *testing.T) *machine {
			m := newMachine(t, "java", "mvn")
			m.write("mvn.fails", "a\nb")
			return m
		},
		"Docker is down": func(t *testing.T) *machine { return newMachine(t, "docker", "go") },
		"no image": func(t *testing.T) *machine {
			m := newMachine(t, "docker", "go")
			m.write("docker.up", "yes")
			return m
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := prepare(t)
			stdout, stderr, err := m.run()
			require.NoError(t, err)
			require.Empty(t, stdout)
			require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
			for _, cure := range []string{"install Java 17", "Maven", "Docker", endpointVariable} {
				require.Contains(t, stderr, cure)
			}
			m.set(requireVariable, "1")
			stdout, _, err = m.run()
			require.Error(t, err)
			require.Empty(t, stdout)
		})
	}
}

// If a server is available but broken, ddblocal fails. It does not try the next one.
func TestABrokenServerIsAnError(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(m *machine){
		"no URL":           func(m *machine) { m.set(endpointVariable, "localhost:8000") },
		"Java server ends": func(m *machine) { m.write("java.clashes", strings.Repeat("x\n", portAttempts)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t, "java", "mvn", "docker", "go")
			m.write("docker.up", "yes")
			prepare(m)
			stdout, _, err := m.run()
			require.Error(t, err)
			require.Empty(t, stdout)
			require.Empty(t, m.words("go.calls"))
		})
	}
}

func TestATakenPortIsReplaced(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "java", "mvn")
	m.write("java.clashes", "x\nx")
	variables, end := m.serve()
	defer end()
	ports := m.words("java.ports")
	require.Len(t, ports, 3)
	require.True(t, strings.HasSuffix(variables[endpointVariable], ":"+ports[2]))
}

func TestAProbeStartsAndEndsTheServer(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "java", "mvn")
	stdout, _, err := m.run("-probe")
	require.NoError(t, err)
	require.Equal(t, "tests run on DynamoDB Local "+version+" (Java)\n", stdout)
	ports := m.words("java.ports")
	require.Len(t, ports, 1)
	_, err = net.Dial("tcp", "127.0.0.1:"+ports[0])
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}

func TestJavaHasTheNeededVersion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		home, path string // the version in JAVA_HOME, if there is one, and on PATH
		want       string // the folder of the java that runs, or "" if none does
	}{
		{"", java17, "."},
		{"", `openjdk version "21" 2023-09-19`, "."},
		{"", `java version "1.8.0_292"`, ""},
		{"", `openjdk version "16.0.2" 2021-07-20`, ""},
		{"", "no version", ""},
		{`openjdk version "21" 2023-09-19`, java17, "home/bin"},
		{`java version "1.8.0_292"`, java17, "."},
	} {
		m := newMachine(t, "java", "mvn")
		m.write("java.version", c.path)
		if c.home != "" {
			m.write("home/bin/java.version", c.home)
			m.install("home/bin", "java")
			m.set("JAVA_HOME", filepath.Join(m.dir, "home"))
		}
		stdout, _, err := m.run("-probe")
		require.NoError(t, err)
		require.Equal(t, c.want != "", strings.HasPrefix(stdout, "tests run on"), "%+v", c)
		for _, folder := range []string{".", "home/bin"} {
			require.Equal(t, folder == c.want, len(m.words(folder+"/java.ports")) > 0, "%+v", c)
		}
	}
}
