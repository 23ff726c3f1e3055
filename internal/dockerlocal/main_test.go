package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/testcontainers/testcontainers-go"
)

// TestMain runs the command itself if a test has set playVariable.
func TestMain(m *testing.M) {
	if os.Getenv(playVariable) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

const playVariable = "DOCKERLOCAL_TEST_PLAY"

// requireDocker skips the test if no Docker daemon responds.
func requireDocker(t *testing.T) {
	t.Helper()
	provider, err := testcontainers.NewDockerProvider()
	if err != nil {
		t.Skipf("no Docker daemon answers; start Docker to run this test: %v", err)
	}
	defer func() { _ = provider.Close() }()
	if err := provider.Health(t.Context()); err != nil {
		t.Skipf("no Docker daemon answers; start Docker to run this test: %v", err)
	}
}

// running is a call of run whose input is still open.
type running struct {
	input *io.PipeWriter
	lines *bufio.Scanner
	ended chan error
}

func startRun(ctx context.Context) running {
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	r := running{input: inWrite, lines: bufio.NewScanner(outRead), ended: make(chan error, 1)}
	go func() {
		err := run(ctx, defaultImage, inRead, outWrite)
		_ = outWrite.Close()
		r.ended <- err
	}()
	return r
}

// endpoint reads the lines that run prints.
func (r running) endpoint(t *testing.T) (endpoint, version string) {
	t.Helper()
	for r.lines.Scan() {
		if v, ok := strings.CutPrefix(r.lines.Text(), "Version: "); ok {
			version = v
		}
		if e, ok := strings.CutPrefix(r.lines.Text(), "Endpoint: "); ok {
			return e, version
		}
	}
	t.Fatal("it ended without an endpoint")
	return "", ""
}

func status(endpoint string) (int, error) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	response, err := client.Get(endpoint)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

func TestServesUntilTheInputEnds(t *testing.T) {
	t.Parallel()
	requireDocker(t)
	r := startRun(t.Context())
	endpoint, version := r.endpoint(t)
	t.Logf("engine: dynamodb-local %s (Docker)", version)
	require.Contains(t, defaultImage, ":"+version)

	code, err := status(endpoint)
	require.NoError(t, err)
	require.Equal(t, http.StatusBadRequest, code, "a GET without a signature")

	require.NoError(t, r.input.Close())
	require.NoError(t, <-r.ended)
	_, err = status(endpoint)
	require.Error(t, err, "the container outlives its input")
}

func TestAnInputThatEndsDuringTheStartLeavesNothing(t *testing.T) {
	t.Parallel()
	requireDocker(t)
	r := startRun(t.Context())
	require.NoError(t, r.input.Close())
	require.ErrorIs(t, <-r.ended, context.Canceled)
}

// A killed owner closes the input and the outputs of the command at the same moment. A write to the
// closed outputs must not end the command before it terminates the container.
func TestEndsTheContainerWhenItsOwnerIsKilled(t *testing.T) {
	t.Parallel()
	requireDocker(t)
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), playVariable+"=1")
	input, err := cmd.StdinPipe()
	require.NoError(t, err)
	read, write, err := os.Pipe()
	require.NoError(t, err)
	cmd.Stdout, cmd.Stderr = write, write
	require.NoError(t, cmd.Start())
	require.NoError(t, write.Close())
	r := running{lines: bufio.NewScanner(read)}
	endpoint, _ := r.endpoint(t)

	require.NoError(t, read.Close())
	require.NoError(t, input.Close())
	require.NoError(t, cmd.Wait())
	_, err = status(endpoint)
	require.Error(t, err, "the container outlives the owner")
}
