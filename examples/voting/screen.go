package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// screen prints views. On a terminal each view replaces the one before it.
type screen struct {
	out  io.Writer
	live bool
	last string // the view that the next one replaces
}

func newScreen(out io.Writer) *screen { return &screen{out: out, live: isTerminal(out)} }

// draw prints a view.
func (s *screen) draw(view string) {
	fmt.Fprint(s.out, replacement(s.last, view))
	s.last = view
}

// keep leaves the view as it is, so that the next one is below it.
func (s *screen) keep() { s.last = "" }

// replacement returns what to print so that a view replaces the last one: ANSI codes that move the
// cursor up and clear the screen below it, then the view.
func replacement(last, view string) string {
	if last == "" {
		return view
	}
	return fmt.Sprintf("\x1b[%dA\x1b[J%s", strings.Count(last, "\n"), view)
}

// isTerminal reports whether the output is a terminal: a device of characters, not a file or a
// pipe.
func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
