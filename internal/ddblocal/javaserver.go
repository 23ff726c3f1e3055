package ddblocal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

const (
	startPatience = time.Minute // for one server; it takes 1.2 s on an idle machine
	portAttempts  = 5
)

// guard is a shell script that runs its arguments as a command. It kills the command when its own
// standard input ends: Java does not notice the end of its input, and every Unix has a shell. The
// guard ignores the signals of a terminal, because the process at the other end of the pipe decides
// when to stop. Only the command holds the outputs, so they end with it.
const guard = `trap '' HUP INT QUIT
trap : TERM
"$@" </dev/null &
exec >/dev/null 2>&1
read -r _
kill -9 $!
wait $!`

// startJava runs DynamoDB Local on this machine's Java. The error is an absence if Java, Maven or
// the jars are not available.
func startJava(ctx context.Context, h host) (*Server, error) {
	java, err := findJava(ctx, h)
	if err != nil {
		return nil, err
	}
	jars, err := findJars(ctx, h)
	if err != nil {
		return nil, err
	}
	for range portAttempts {
		var server *Server
		server, err = launchJava(ctx, h, java, jars)
		if !errors.Is(err, errGone) {
			return server, err
		}
		// The server ends by itself if another program has taken the port. Try another port.
	}
	return nil, err
}

func launchJava(ctx context.Context, h host, java, jars string) (*Server, error) {
	port, err := claimPort()
	if err != nil {
		return nil, err
	}
	c, err := startJavaChild(h, java, jars, port.number)
	if err != nil {
		port.release()
		return nil, fmt.Errorf("start java: %w", err)
	}
	end := func() error {
		defer port.release()
		return c.end()
	}
	endpoint := "http://127.0.0.1:" + strconv.Itoa(port.number)
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	if err := awaitHTTP(ctx, endpoint, fromDynamoDB, c.gone); err != nil {
		_ = end()
		return nil, fmt.Errorf("DynamoDB Local on Java does not answer: %w (%s)", err, c.tail())
	}
	version, _ := c.after("Version:")
	return newServer(Java, endpoint, version, end), nil
}

func startJavaChild(h host, java, jars string, port int) (*child, error) {
	command := []string{
		// The optimizing compiler takes more time than it saves in the short life of a test server.
		java, "-XX:TieredStopAtLevel=1",
		"-cp", filepath.Join(jars, "*"),
		"software.amazon.dynamodb.services.local.main.ServerRunner",
		"-inMemory", "-disableTelemetry", "-port", strconv.Itoa(port),
	}
	shell, err := h.lookPath("sh")
	deaf := err != nil
	if !deaf {
		command = append([]string{shell, "-c", guard, "sh"}, command...)
	}
	cmd := exec.Command(command[0], command[1:]...)
	// The JVM writes crash reports here instead of into the folder of the tested package.
	cmd.Dir = os.TempDir()
	c, err := startChild(cmd)
	if err != nil {
		return nil, err
	}
	c.deaf = deaf
	return c, nil
}
