package ddblocal

import (
	"context"
	"net"
	"net/url"
	"os/exec"
	"path/filepath"
	"time"
)

// dockerPatience is the timeout of the check whether a Docker daemon responds.
const dockerPatience = 5 * time.Second

// dockerSockets returns the default sockets of the daemon: Linux, rootless, and Docker Desktop.
func dockerSockets(getenv func(string) string) []string {
	sockets := []string{"/var/run/docker.sock"}
	if dir := getenv("XDG_RUNTIME_DIR"); dir != "" {
		sockets = append(sockets, filepath.Join(dir, "docker.sock"))
	}
	if home := getenv("HOME"); home != "" {
		sockets = append(sockets,
			filepath.Join(home, ".docker", "run", "docker.sock"),
			filepath.Join(home, ".docker", "desktop", "docker.sock"))
	}
	return sockets
}

// findDocker checks quickly whether a daemon responds. The nested module takes a minute to build
// the first time, and a machine without Docker should not build it. Every error is an absence.
func findDocker(ctx context.Context, h host) error {
	ctx, cancel := context.WithTimeout(ctx, dockerPatience)
	defer cancel()
	if address := h.getenv("DOCKER_HOST"); address != "" {
		if dialDocker(ctx, address) || dockerCommand(ctx, h) {
			return nil
		}
		return absent("no daemon answers at DOCKER_HOST")
	}
	for _, socket := range h.sockets {
		if dial(ctx, "unix", socket) {
			return nil
		}
	}
	if dockerCommand(ctx, h) { // it supports contexts and Windows pipes
		return nil
	}
	return absent("no daemon answers")
}

func dialDocker(ctx context.Context, address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	switch u.Scheme {
	case "unix":
		return dial(ctx, "unix", u.Path)
	case "tcp", "http", "https":
		return dial(ctx, "tcp", u.Host)
	default:
		return false
	}
}

func dial(ctx context.Context, network, address string) bool {
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, address)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

func dockerCommand(ctx context.Context, h host) bool {
	docker, err := h.lookPath("docker")
	if err != nil {
		return false
	}
	cmd := exec.CommandContext(ctx, docker, "version", "--format", "{{.Server.Version}}")
	cmd.WaitDelay = time.Second
	return cmd.Run() == nil
}
