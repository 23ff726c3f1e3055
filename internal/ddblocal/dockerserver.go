package ddblocal

import (
	"context"
	"os"
	"os/exec"
	"time"
)

const (
	dockerImage = "amazon/dynamodb-local:" + Version
	// dockerStartPatience includes the build of the nested module and the pull of the image, which
	// both happen once.
	dockerStartPatience = 4 * time.Minute
)

// startDocker runs the public image with the nested module. That command prints the endpoint and
// ends with its input. The error is an absence if no daemon responds, or if the module or the image
// is not available, for example without a network.
func startDocker(ctx context.Context, h host) (*Server, error) {
	if err := findDocker(ctx, h); err != nil {
		return nil, err
	}
	module, err := findModule(h)
	if err != nil {
		return nil, err
	}
	compiler, err := h.lookPath("go")
	if err != nil {
		return nil, absent("go is not on PATH")
	}
	cmd := exec.Command(compiler, "run", ".", "-image", dockerImage)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	c, err := startChild(cmd)
	if err != nil {
		return nil, absent("go does not start: %v", err)
	}
	endpoint, err := awaitEndpoint(ctx, c)
	if err != nil {
		_ = c.end()
		return nil, absent("the image does not start: %v: %s", err, c.tail())
	}
	version, _ := c.after("Version:")
	return newServer(Docker, endpoint, version, c.end), nil
}

// awaitEndpoint waits for the line with the endpoint. The command prints it when the server
// responds.
func awaitEndpoint(ctx context.Context, c *child) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, dockerStartPatience)
	defer cancel()
	for {
		if endpoint, ok := c.after("Endpoint:"); ok {
			return endpoint, nil
		}
		select {
		case <-c.news:
		case <-c.gone:
			return "", errGone
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}
