package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

const (
	oldestJava    = 17               // major version that DynamoDB Local 3 supports
	javaPatience  = 20 * time.Second // for java -version, which can be slow on a cold disk
	startPatience = time.Minute      // for one server; it takes 1.2 s on an idle machine
	endPatience   = 10 * time.Second // for the last output of a server that is killed
	portAttempts  = 5
)

// errEnded is the error of a server that ended by itself.
var errEnded = errors.New("the process ended")

// startJava runs DynamoDB Local on this machine's Java.
func startJava(ctx context.Context) (*server, error) {
	java, err := findJava(ctx)
	if err != nil {
		return nil, err
	}
	jars, err := findJars(ctx)
	if err != nil {
		return nil, err
	}
	for range portAttempts {
		var s *server
		s, err = launchJava(ctx, java, jars)
		if !errors.Is(err, errEnded) {
			return s, err
		}
		// The server ends by itself if another program has taken the port. Try another port.
	}
	return nil, err
}

func launchJava(ctx context.Context, java, jars string) (*server, error) {
	port, err := claimPort()
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "ddblocal-") // the server leaves a native library here
	if err != nil {
		port.release()
		return nil, err
	}
	ctx, end := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, java,
		// The optimizing compiler takes more time than it saves in the short life of a test server.
		"-XX:TieredStopAtLevel=1",
		"-XX:+UseSerialGC", // the parallel collectors take a sixth more time of the cores
		"-Djava.io.tmpdir="+temp,
		"-cp", filepath.Join(jars, "*"),
		"software.amazon.dynamodb.services.local.main.ServerRunner",
		"-inMemory", "-disableTelemetry", "-port", strconv.Itoa(port.number))
	output := new(tail)
	cmd.Stdout, cmd.Stderr = output, output
	cmd.Dir = os.TempDir() // for crash reports
	cmd.WaitDelay = endPatience
	cleanUp := func() {
		port.release()
		_ = os.RemoveAll(temp)
	}
	if err := cmd.Start(); err != nil {
		end()
		cleanUp()
		return nil, fmt.Errorf("start java: %w", err)
	}
	starting, gone := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // fails, because the server is killed
		gone(errEnded)
		cleanUp()
		end()
	}()

	endpoint := "http://127.0.0.1:" + strconv.Itoa(port.number)
	starting, cancel := context.WithTimeout(starting, startPatience)
	defer cancel()
	if err := awaitHTTP(starting, endpoint, fromDynamoDB); err != nil {
		end()
		<-ended
		return nil, fmt.Errorf("DynamoDB Local on Java does not answer: %w (%s); to download the jars again, remove %s", err, output, jars)
	}
	return &server{endpoint: endpoint, name: "DynamoDB Local " + version + " (Java)", ended: ended}, nil
}

// fromDynamoDB accepts only responses with DynamoDB's request ID. It rejects another program's
// server on the port.
func fromDynamoDB(r *http.Response) bool { return r.Header.Get("X-Amzn-Requestid") != "" }

// findJava returns the first java of JAVA_HOME and PATH that is new enough.
func findJava(ctx context.Context) (string, error) {
	var candidates []string
	if home := os.Getenv("JAVA_HOME"); home != "" {
		candidates = append(candidates, filepath.Join(home, "bin", "java"))
	}
	var reason error
	for _, candidate := range append(candidates, "java") {
		java, err := exec.LookPath(candidate)
		if err != nil {
			continue
		}
		major, ok := javaMajor(ctx, java)
		switch {
		case !ok:
			reason = missing("java does not print its version")
		case major < oldestJava:
			reason = missing("java is version %d, and must be %d or newer", major, oldestJava)
		default:
			return java, nil
		}
	}
	return "", cmp.Or(reason, missing("java is not on PATH"))
}

func javaMajor(ctx context.Context, java string) (major int, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, javaPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, java, "-version")
	cmd.WaitDelay = time.Second
	text, err := cmd.CombinedOutput()
	if err != nil {
		return 0, false
	}
	return parseJavaMajor(string(text))
}

var javaVersion = regexp.MustCompile(`(?m)^\S+ version "(?:1\.)?(\d+)`)

// parseJavaMajor parses the output of java -version. "17.0.15" and "17-ea" give 17. Up to Java 8
// the major version is the second number, as in "1.8.0_292".
func parseJavaMajor(text string) (major int, ok bool) {
	m := javaVersion.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	major, err := strconv.Atoi(m[1])
	return major, err == nil
}
