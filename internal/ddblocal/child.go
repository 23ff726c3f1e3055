package ddblocal

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// errGone is the error of a process that ended by itself.
var errGone = errors.New("the process ended")

const (
	outputKept  = 100 // lines
	tailLines   = 5   // of these in an error
	tailBytes   = 500
	longestLine = 64 << 10
	endPatience = 30 * time.Second
)

// child is a process that ends when its standard input ends. This process holds the other end of
// the pipe. The system closes that end when this process ends, even by SIGKILL, so a child never
// outlives this process.
type child struct {
	cmd    *exec.Cmd
	stdin  io.Closer
	output io.ReadCloser
	deaf   bool // ignores the end of its input, and must be killed

	gone chan struct{} // closed at the end of the output, when no process can write to it
	news chan struct{} // holds a token after a new line

	mu    sync.Mutex
	lines []string // the last outputKept lines of both outputs
}

// startChild starts the command and connects its input and both outputs to this process.
func startChild(cmd *exec.Cmd) (*child, error) {
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		_ = stdin.Close()
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = write, write
	err = cmd.Start()
	_ = write.Close()
	if err != nil {
		_ = stdin.Close()
		_ = read.Close()
		return nil, err
	}
	c := &child{cmd: cmd, stdin: stdin, output: read, gone: make(chan struct{}), news: make(chan struct{}, 1)}
	go c.follow()
	return c, nil
}

// follow keeps the last lines of the output. It reads to the end, so that the pipe never fills up.
func (c *child) follow() {
	defer close(c.gone)
	defer func() { _ = c.output.Close() }()
	scanner := bufio.NewScanner(c.output)
	scanner.Buffer(nil, longestLine)
	for scanner.Scan() {
		c.keep(scanner.Text())
		select {
		case c.news <- struct{}{}:
		default:
		}
	}
	_, _ = io.Copy(io.Discard, c.output)
}

func (c *child) keep(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.lines) == outputKept {
		c.lines = slices.Delete(c.lines, 0, 1)
	}
	c.lines = append(c.lines, line)
}

// after returns the rest of the first kept line that begins with prefix, without surrounding white
// space.
func (c *child) after(prefix string) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, line := range c.lines {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

// tail returns the last lines of the kept output as one line, for an error text.
func (c *child) tail() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := oneLine(strings.Join(c.lines[max(0, len(c.lines)-tailLines):], " "))
	return strings.ToValidUTF8(text[:min(len(text), tailBytes)], "")
}

// end closes the child's input and waits until the child has ended. It kills a child that does not
// end within endPatience.
func (c *child) end() error {
	_ = c.stdin.Close()
	if c.deaf {
		c.kill()
	}
	late := time.AfterFunc(endPatience, c.kill)
	defer late.Stop()
	err := c.cmd.Wait()
	<-c.gone
	var exit *exec.ExitError
	if errors.As(err, &exit) { // a non-zero exit code is expected here
		return nil
	}
	return err
}

// kill ends the process and stops reading its output, which its own children may hold open.
func (c *child) kill() {
	_ = c.cmd.Process.Kill()
	_ = c.output.Close()
}
