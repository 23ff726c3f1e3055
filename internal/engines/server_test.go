package engines

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testsize"
)

// launcher returns a command that stands for internal/ddblocal.
func launcher(t *testing.T, script string) *exec.Cmd {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell on this system")
	}
	return exec.Command(shell, "-c", script)
}

func TestLaunchReadsTheSettingsAndEndsTheCommand(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "ended")
	s, err := launch(launcher(t, `echo "# DynamoDB Local"; echo export DYNAMODB_ENDPOINT=http://127.0.0.1:1; echo more; read -r _; echo > '`+file+`'`))
	require.NoError(t, err)
	require.Equal(t, "DynamoDB Local", s.name)
	require.Equal(t, "http://127.0.0.1:1", s.endpoint)
	require.NoFileExists(t, file)
	s.close()
	require.FileExists(t, file)
}

func TestLaunchReportsMissingAndBrokenServers(t *testing.T) {
	t.Parallel()
	_, err := launch(launcher(t, "echo install Java >&2"))
	require.ErrorIs(t, err, errMissing)
	require.Contains(t, err.Error(), "install Java")
	_, err = launch(launcher(t, "echo broken >&2; exit 1"))
	require.Error(t, err)
	require.NotErrorIs(t, err, errMissing)
	require.Contains(t, err.Error(), "broken")
}

// Not parallel: the test changes the working folder.
func TestLauncherDirIsBelowAParentFolder(t *testing.T) {
	dir, err := launcherDir()
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(dir, "main.go"))
	t.Chdir(t.TempDir())
	_, err = launcherDir()
	require.ErrorIs(t, err, errMissing)
}

// Not parallel: the test changes the environment.
func TestServerOfTheEnvironment(t *testing.T) {
	t.Setenv("DYNAMODB_ENDPOINT", "http://127.0.0.1:1")
	s, err := startServer()
	require.NoError(t, err)
	require.Equal(t, "http://127.0.0.1:1", s.endpoint)
	s.close()
}

// Not parallel: the test changes the environment.
func TestPackagesShareAServerUnlessTheyAreAlone(t *testing.T) {
	t.Setenv("DYNAMODB_ENDPOINT", "")
	t.Setenv("TRESTLE_REQUIRE_DYNAMODB", "1")
	t.Setenv("TRESTLE_SHARED_DYNAMODB", "http://127.0.0.1:2")
	s, err := startServer()
	require.NoError(t, err)
	require.Equal(t, "http://127.0.0.1:2", s.endpoint)
	s.close()

	defer func() { alone = false }()
	MainAlone(nil)
	t.Setenv("PATH", "") // no server starts
	_, err = startServer()
	require.ErrorIs(t, err, errMissing)
}

// Not parallel: the test changes the environment.
func TestTheRaceDetectorNeedsNoServer(t *testing.T) {
	if !testsize.Race {
		t.Skip("this test is for the race detector")
	}
	t.Setenv("DYNAMODB_ENDPOINT", "")
	t.Setenv("TRESTLE_REQUIRE_DYNAMODB", "")
	_, err := startServer()
	require.ErrorIs(t, err, errMissing)
}

// Not parallel: the test changes the environment.
func TestServerIsSkipped(t *testing.T) {
	t.Setenv("DYNAMODB_ENDPOINT", "http://127.0.0.1:1")
	t.Setenv("TRESTLE_SKIP_DYNAMODB", "1")
	_, err := startServer()
	require.ErrorIs(t, err, errMissing)
}

// Not parallel: the test changes the environment.
func TestServerIsMissingWithoutGo(t *testing.T) {
	t.Setenv("DYNAMODB_ENDPOINT", "")
	t.Setenv("TRESTLE_SHARED_DYNAMODB", "")
	t.Setenv("TRESTLE_REQUIRE_DYNAMODB", "1")
	t.Setenv("PATH", "")
	_, err := startServer()
	require.ErrorIs(t, err, errMissing)
}

// TestServerEndsWithThisProcess runs this test binary again as a process that is killed while it
// has a server.
func TestServerEndsWithThisProcess(t *testing.T) {
	t.Parallel()
	const role = "ENGINES_TEST_OWNER"
	if os.Getenv(role) != "" {
		s, err := startServer()
		if err != nil {
			t.Skip(err)
		}
		_, _ = os.Stdout.WriteString("# owner\nexport DYNAMODB_ENDPOINT=" + s.endpoint + "\n")
		select {}
	}
	if os.Getenv("DYNAMODB_ENDPOINT") != "" {
		t.Skip("DYNAMODB_ENDPOINT is set: no server is started")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), role+"=1", "TRESTLE_SHARED_DYNAMODB=")
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, endpoint := readSettings(stdout)
	if endpoint == "" {
		_ = cmd.Wait()
		Local(t)
		t.Fatal("the other process found no server")
	}
	require.NoError(t, get(t.Context(), endpoint))
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	for get(t.Context(), endpoint) == nil { // each attempt waits for a response
	}
}

// get returns an error if no server responds.
func get(ctx context.Context, endpoint string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint, http.NoBody)
	if err != nil {
		return err
	}
	client := newHTTPClient()
	defer client.CloseIdleConnections()
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	return response.Body.Close()
}
