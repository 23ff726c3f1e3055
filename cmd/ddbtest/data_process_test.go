//go:build unix

package main

import (
	"context"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// dataArgs are the options of a command that keeps its data.
func dataArgs(t *testing.T) []string {
	t.Helper()
	fixtures := filepath.Join(t.TempDir(), "fixtures.json")
	require.NoError(t, os.WriteFile(fixtures, []byte(thingsFixture), 0o600))
	return []string{"-data", t.TempDir(), "-load", fixtures}
}

// kill kills the process and waits for its end.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// TestDataContinues checks that another process has the time to which the clock was moved, and what
// a late request wrote, whether the first one was killed or ended by a signal.
func TestDataContinues(t *testing.T) {
	t.Parallel()
	for _, killed := range []bool{true, false} {
		args := dataArgs(t)
		first := startProcess(t, args...)
		one := first.client("one")
		require.EqualValues(t, 1, countThings(t, one))
		first.control(http.MethodPost, "/faults", `{"operations":["PutItem"],"first":1,"effects":[{"effect":"LateDuplicate"}]}`)
		require.Error(t, putThing(t, one, "b"))
		first.control(http.MethodPost, "/held/deliver", "")
		before := first.control(http.MethodPost, "/clock/advance", `{"by":"192h"}`)
		if killed {
			first.kill()
		} else {
			first.end(syscall.SIGTERM)
		}
		second := startProcess(t, args...)
		require.Greater(t, second.control(http.MethodGet, "/clock", ""), before)
		require.EqualValues(t, 2, countThings(t, second.client("one")))
		second.end(syscall.SIGTERM)
	}
}

// TestDataKilledInReset kills the process while it resets a database. Another process has the
// content of before or that of after the reset.
func TestDataKilledInReset(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(testrand.Seed(t), 0))
	args := dataArgs(t)
	for range testsize.Pick(5, 20, 200) {
		p := startProcess(t, args...)
		require.Contains(t, []int32{1, 2}, countThings(t, p.client("one")))
		replies, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			for p.reset(t.Context()) == nil && putThing(t, p.client("one"), "b") == nil {
				select {
				case replies <- struct{}{}:
				case <-t.Context().Done():
				}
			}
		}()
		for range r.IntN(20) {
			<-replies
		}
		go func() {
			for range replies {
			}
		}()
		p.kill()
		<-ended
		close(replies)
	}
}

// reset resets the database of the only access key.
func (p *process) reset(ctx context.Context) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+"/_ddbtest/v1/reset", strings.NewReader(`{"initial":true}`))
	if err != nil {
		return err
	}
	reply, err := new(http.Client).Do(r)
	if err != nil {
		return err
	}
	return reply.Body.Close()
}
