// Package testkill kills processes of a test at random requests, before or after the request is
// applied. What such a process has stored and printed is what is left of it.
package testkill

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/trestledb/trestle/ddbtest"
)

// Killer serves a database to one process after the other, and kills each.
type Killer struct {
	Kills   int
	Applied int // kills after the request was applied, at least one

	t   testing.TB
	db  *ddbtest.DB
	rnd *rand.Rand
	url string

	mutex    sync.Mutex
	process  *os.Process
	requests int // until the process is killed
}

// New returns a killer of processes that use a database.
func New(t testing.TB, db *ddbtest.DB, rnd *rand.Rand) *Killer {
	t.Helper()
	k := &Killer{t: t, db: db, rnd: rnd}
	server := httptest.NewServer(k)
	t.Cleanup(server.Close)
	k.url = server.URL
	return k
}

// Run runs a test in another process, and kills that at one of its first eight requests. The test
// must call [InProcess], and do its work if that returns a client. It gets the text for its start.
// Run returns the lines that the process has printed.
func (k *Killer) Run(t testing.TB, test, start string) (lines []string) {
	t.Helper()
	process := exec.CommandContext(t.Context(), os.Args[0], "-test.run="+test) //nolint:gosec // it is this program
	process.Env = append(os.Environ(), endpointVariable+"="+k.url, startVariable+"="+start)
	out, err := process.StdoutPipe()
	if err == nil {
		err = k.start(process)
	}
	if err != nil {
		t.Fatal(err)
	}
	for printed := bufio.NewScanner(out); printed.Scan(); {
		lines = append(lines, printed.Text())
	}
	if process.Wait() == nil {
		t.Fatal("the process has ended before it was killed")
	}
	return lines
}

func (k *Killer) start(process *exec.Cmd) error {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.requests = 1 + k.rnd.IntN(8)
	err := process.Start()
	k.process = process.Process
	return err
}

// ServeHTTP serves a request, or kills the process that sent it.
func (k *Killer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.requests--; k.requests > 0 {
		k.db.ServeHTTP(w, r)
		return
	}
	if k.Kills++; k.Kills == 1 || k.rnd.IntN(2) == 0 {
		k.Applied++
		k.db.ServeHTTP(httptest.NewRecorder(), r)
	} else if _, err := io.Copy(io.Discard, r.Body); err != nil {
		k.t.Error(err)
	}
	if err := k.process.Kill(); err != nil {
		k.t.Error(err)
	}
	<-r.Context().Done() // the process has ended
}

// String returns how many processes were killed.
func (k *Killer) String() string {
	return fmt.Sprintf("%d kills, %d of them after the request was applied", k.Kills, k.Applied)
}
