package engines

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/trestledb/trestle/internal/testsize"
)

// startPatience limits the start, including downloads. It is less than ten minutes, the default
// timeout of a test binary.
const startPatience = 5 * time.Minute

// errMissing is the error of a machine without DynamoDB Local. Any other error means that it is
// available but does not work.
var errMissing = errors.New("tests on DynamoDB Local are skipped")

// server is a running DynamoDB Local.
type server struct {
	endpoint string // URL
	name     string // for the log
	http     *http.Client
	end      func() // ends the server if this process started it
}

// Variables of the environment with the URL of a running server. Packages with many databases do
// not use the second one.
const (
	endpointVariable = "DYNAMODB_ENDPOINT"
	sharedVariable   = "TRESTLE_SHARED_DYNAMODB"
)

// skipVariable is 1 if tests do not run on DynamoDB Local.
const skipVariable = "TRESTLE_SKIP_DYNAMODB"

// startServer uses the server of the environment, or starts one with the command internal/ddblocal.
func startServer() (*server, error) {
	if os.Getenv(skipVariable) == "1" {
		return nil, fmt.Errorf("%w, because of %s=1", errMissing, skipVariable)
	}
	if endpoint := os.Getenv(endpointVariable); endpoint != "" {
		return running(endpointVariable, endpoint), nil
	}
	if testsize.Race && !required() {
		return nil, fmt.Errorf("%w under the race detector; TRESTLE_REQUIRE_DYNAMODB=1 runs them", errMissing)
	}
	if endpoint := os.Getenv(sharedVariable); endpoint != "" && !alone {
		return running(sharedVariable, endpoint), nil
	}
	dir, err := launcherDir()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if cmd.Err != nil {
		return nil, fmt.Errorf("%w: go is not on PATH", errMissing)
	}
	return launch(cmd)
}

// running is a server that a variable of the environment names.
func running(variable, endpoint string) *server {
	return &server{endpoint: endpoint, name: "the server at " + variable, http: newHTTPClient(), end: func() {}}
}

// launcherDir returns the folder of the command. Tests run in the folder of their package, so it
// is below a parent of the working folder. The module that users download does not contain it.
func launcherDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for parent := filepath.Dir(dir); ; dir, parent = parent, filepath.Dir(parent) {
		launcher := filepath.Join(dir, "internal", "ddblocal")
		if _, err := os.Stat(filepath.Join(launcher, "go.mod")); err == nil {
			return launcher, nil
		}
		if parent == dir {
			return "", fmt.Errorf("%w: the tests run outside their repository", errMissing)
		}
	}
}

// launch starts the command. It succeeds without an endpoint if the server is missing, and ends
// with its standard input. The system closes that input when this process ends, even if this
// process is killed.
func launch(cmd *exec.Cmd) (*server, error) {
	var diagnostics bytes.Buffer
	cmd.Stderr = &diagnostics
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	late := time.AfterFunc(startPatience, func() { _ = stdin.Close() })
	name, endpoint := readSettings(stdout)
	late.Stop()
	end := func() error {
		_ = stdin.Close()
		_, _ = io.Copy(io.Discard, stdout)
		return cmd.Wait()
	}
	if endpoint != "" {
		return &server{endpoint: endpoint, name: name, http: newHTTPClient(), end: func() { _ = end() }}, nil
	}
	if err := end(); err != nil {
		return nil, fmt.Errorf("DynamoDB Local does not start: %w: %s", err, &diagnostics)
	}
	return nil, fmt.Errorf("%w: %s", errMissing, &diagnostics)
}

// readSettings reads the lines that the command prints for a shell, up to the endpoint.
func readSettings(r io.Reader) (name, endpoint string) {
	scanner := bufio.NewScanner(r)
	for scanner.Scan() {
		if comment, ok := strings.CutPrefix(scanner.Text(), "# "); ok {
			name = comment
		}
		if endpoint, ok := strings.CutPrefix(scanner.Text(), "export DYNAMODB_ENDPOINT="); ok {
			return name, endpoint
		}
	}
	return "", ""
}

// close closes the connections and ends the server.
func (s *server) close() {
	s.http.CloseIdleConnections()
	s.end()
}
