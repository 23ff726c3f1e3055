package explore

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
)

// hangAfter is how long a step may take in real time before a report is printed.
var hangAfter = 30 * time.Second

// hangOutput is where the report is printed: a test that hangs cannot log.
var hangOutput io.Writer = os.Stderr

// watch prints a report if the search makes no progress: a goroutine of a client waits for
// something that testing/synctest does not know, such as a mutex or a network connection, or it
// never waits.
func (s *search) watch() (stop func()) {
	done := make(chan struct{})
	var end sync.WaitGroup
	end.Go(func() {
		ticker := time.NewTicker(hangAfter)
		defer ticker.Stop()
		last, reported := int64(-1), false
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
			}
			now := s.progress.Load()
			if now == last && !reported {
				reportHang()
				reported = true
			}
			last = now
		}
	})
	return func() {
		close(done)
		end.Wait()
	}
}

func reportHang() {
	const size = 1 << 20
	stacks := make([]byte, size)
	var run []string // goroutines of the run
	for stack := range strings.SplitSeq(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
		if strings.Contains(stack, "synctest bubble") {
			run = append(run, stack)
		}
	}
	_, _ = fmt.Fprintf(hangOutput, "explore: no step within %s: a client is busy, or it waits for a mutex, a network connection "+
		"or a channel made outside the run\n\n%s\n", hangAfter, strings.Join(run, "\n\n"))
}
