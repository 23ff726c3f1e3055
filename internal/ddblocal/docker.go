package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	dockerImage    = "amazon/dynamodb-local:" + version
	dockerPatience = 5 * time.Second // for the check whether a daemon responds
	// imagePatience includes the build of dockerlocal and the pull of the image, which both happen
	// once.
	imagePatience = 4 * time.Minute
)

// startDocker runs the public image with the command dockerlocal, a module beside this one. That
// command prints the endpoint when the server responds, and ends with its input. The server counts
// as missing if the image does not start, for example without a network.
func startDocker(ctx context.Context) (*server, error) {
	if err := findDocker(ctx); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "run", ".", "-image", dockerImage)
	cmd.Dir = filepath.Join("..", "dockerlocal")
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	diagnostics := new(tail)
	cmd.Stderr = diagnostics
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	cmd.Cancel = stdin.Close
	cmd.WaitDelay = 3 * endPatience
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, missing("go does not start: %v", err)
	}
	late := time.AfterFunc(imagePatience, func() { _ = stdin.Close() })
	defer late.Stop()
	endpoint := readEndpoint(stdout)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, stdout)
		_ = cmd.Wait() // what matters was read
	}()
	if endpoint == "" {
		<-ended
		return nil, missing("the image does not start: %s", diagnostics)
	}
	return &server{endpoint: endpoint, name: "DynamoDB Local " + version + " (Docker)", ended: ended}, nil
}

// readEndpoint reads up to the line with the endpoint. It returns "" if there is none.
func readEndpoint(r io.Reader) string {
	scanner := bufio.NewScanner(r)
	for scanner.Scan() {
		if endpoint, ok := strings.CutPrefix(scanner.Text(), "Endpoint: "); ok {
			return endpoint
		}
	}
	return ""
}

// findDocker checks quickly whether a daemon responds. The first build of dockerlocal takes a
// minute, and a machine without Docker should not build it.
func findDocker(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, dockerPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "docker", "version", "--format", "{{.Server.Version}}")
	cmd.WaitDelay = time.Second
	if cmd.Err != nil {
		return missing("docker is not on PATH")
	}
	if cmd.Run() != nil {
		return missing("no daemon answers")
	}
	return nil
}

const tailBytes = 500

// tail keeps the end of an output for an error text. It may be read when the process has ended.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-tailBytes):]
	return len(p), nil
}

// String returns the text as one line.
func (t *tail) String() string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(string(t.text), "")), " ")
}
