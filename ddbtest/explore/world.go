package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/ddbtest"
)

// World is one run: a database, its clients and its invariants. The function that [Run] calls
// declares them; the clients start when it has returned.
//
// A World can be used instead of the test in assertions: it implements [ddbtest.TB] and the
// interfaces of testify. A failed assertion fails the run, wherever it is: in the function itself,
// in a client or in an invariant. The methods that declare something must not be called by clients.
type World struct{ run *run }

var _ ddbtest.TB = (*World)(nil)

// DB returns the database of this run: a fork of the one that [Options.Setup] filled, or an empty
// one. It must not have rules: faults are chosen by the search.
func (w *World) DB() *ddbtest.DB { return w.run.db }

// Client declares a client: any code that uses the SDK. Its goroutines must end with it, or with
// its context. A request that waits when its function returns is still served. The options are
// applied to the SDK's client last. The client does not sign its requests, and pauses between its
// attempts only if the options have another Retryer.
//
// A name has up to 20 letters, digits, hyphens and underscores, and is used once.
func (w *World) Client(name string, f func(ctx context.Context, client *dynamodb.Client), options ...func(*dynamodb.Options)) {
	w.run.declare(name, nil, f, options)
}

// Restart declares that a client that crashed ([Crash]) is started again with this function: right
// after the crash or, with [Pause] or [Options.Backoff], at any later moment. The client may then
// also crash after its last request, when its function has returned. The restarted client does not
// crash again. The story calls it by its name with the suffix -again.
func (w *World) Restart(name string, f func(ctx context.Context, client *dynamodb.Client), options ...func(*dynamodb.Options)) {
	for _, p := range w.run.processes {
		if p.name == name && p.restartOf == nil {
			w.run.declare(name+restarted, p, f, options)
			return
		}
	}
	w.run.invalid("Restart(%q): there is no such client", name)
}

// Always declares an invariant of the database. It is checked at the start and after every step,
// once for each state. It must depend on the database alone, because the search does not repeat a
// state that it has seen.
// Its reads with [ddbtest.DB.Dump], or with a client of the database, are not part of the run.
// A service that writes in two steps may break an invariant in between: use Finally then.
func (w *World) Always(f func(db *ddbtest.DB) error) {
	if w.run.declares("Always", f == nil) {
		w.run.always = append(w.run.always, f)
	}
}

// Finally declares an invariant that is checked when all clients have ended and no request is kept
// for later. It may also depend on what the clients of this run have seen.
func (w *World) Finally(f func(db *ddbtest.DB) error) {
	if w.run.declares("Finally", f == nil) {
		w.run.finally = append(w.run.finally, f)
	}
}

// Rand returns a new source of random numbers, which is the same in every run. Each client needs
// one of its own, made by the function that declares it.
func (w *World) Rand() *rand.Rand {
	r := w.run
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sources++
	return rand.New(rand.NewPCG(r.search.options.Seed, r.sources))
}

// Helper does nothing.
func (w *World) Helper() {}

// Name returns the name of the test.
func (w *World) Name() string { return w.run.search.testName }

// Failed reports whether the run has failed.
func (w *World) Failed() bool { return w.run.failed() }

// Cleanup calls f at the end of the run, the last function first.
func (w *World) Cleanup(f func()) {
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	w.run.cleanups = append(w.run.cleanups, f)
}

// Logf adds a line to the story of the run, which is printed if the run fails.
func (w *World) Logf(format string, args ...any) {
	w.run.note(strings.TrimSpace(fmt.Sprintf(format, args...)))
}

// Log is Logf with the operands of [fmt.Sprintln].
func (w *World) Log(args ...any) { w.Logf("%s", fmt.Sprintln(args...)) }

// Errorf fails the run.
func (w *World) Errorf(format string, args ...any) {
	w.run.fail(nil, strings.TrimSpace(fmt.Sprintf(format, args...)))
}

// FailNow fails the run and ends the goroutine.
func (w *World) FailNow() {
	w.run.fail(nil, "FailNow was called")
	runtime.Goexit()
}

// Fatalf is Errorf followed by FailNow.
func (w *World) Fatalf(format string, args ...any) {
	w.Errorf(format, args...)
	w.FailNow()
}

// isName reports whether the text can be the name of a client.
func isName(text string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return text != "" && len(text) <= maxName && strings.Trim(text, letters) == "" && text != "elapse"
}

const (
	maxName   = 20
	restarted = "-again" // follows the name of a client that is started again
)
