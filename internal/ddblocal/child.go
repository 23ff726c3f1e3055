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

// errGone says that a process ended by itself.
var errGone = errors.New("the process ended")

const (
	outputKept  = 100 // lines
	tailLines   = 5   // of these in an error
	tailBytes   = 500
	longestLine = 64 << 10
	endPatience = 30 * time.Second
)

// child is a process that ends when its standard input does. The pipe's other end is this process, and the system closes it
// however this process ends, SIGKILL included: so a child never outlives it.
type child struct {
	cmd    *exec.Cmd
	stdin  io.Closer
	output io.ReadCloser
	deaf   bool // it does not heed its input, and is killed instead

	gone chan struct{} // closed when its output ends, which is when nobody is left to write any
	news chan struct{} // holds a token after a new line

	mu    sync.Mutex
	lines []string // the last outputKept lines of both outputs
}

// startChild starts the command with its input and both outputs bound to this process.
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

// follow keeps the last lines of the output, and reads to its end, so that the pipe never fills up.
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

// after returns what follows prefix on the first kept line that begins with it, without the blanks around.
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

// tail is the end of the kept output on one line, for an error.
func (c *child) tail() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := oneLine(strings.Join(c.lines[max(0, len(c.lines)-tailLines):], " "))
	return strings.ToValidUTF8(text[:min(len(text), tailBytes)], "")
}

// end closes the child's input and waits until it is gone; one that does not heed that in time is killed.
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
	if errors.As(err, &exit) { // how it ended does not matter: it was to end
		return nil
	}
	return err
}

// kill ends the process, and the reading of its output, which children of its own may hold open.
func (c *child) kill() {
	_ = c.cmd.Process.Kill()
	_ = c.output.Close()
}
