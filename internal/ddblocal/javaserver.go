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
	startPatience = time.Minute // for one server to answer; it takes 1.2 s on an idle machine
	portAttempts  = 5
)

// guard runs its arguments as a command until its own standard input ends, then kills that command. Java would not notice the end of its input,
// and a shell is on every Unix. A terminal's signals are not its business: the process at the pipe's other end decides. The outputs are
// left to the command alone, so that they end when it does.
const guard = `trap '' HUP INT QUIT
trap : TERM
"$@" </dev/null &
exec >/dev/null 2>&1
read -r _
kill -9 $!
wait $!`

// startJava runs DynamoDB Local on this machine's Java. The error is an absence where Java, Maven or the jars cannot be had.
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
		// It ends by itself when another program has taken the port meanwhile: try the next one.
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
		java, "-XX:TieredStopAtLevel=1", // the optimizing compiler takes more time than it saves in the short life of a test's server
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
	cmd.Dir = os.TempDir() // a crash report of the JVM belongs there, not in the package that is being tested
	c, err := startChild(cmd)
	if err != nil {
		return nil, err
	}
	c.deaf = deaf
	return c, nil
}
