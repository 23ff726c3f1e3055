package generations_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/generations"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// Processes replace, clean and read at the same time, in a random order of their requests. Requests
// are dropped, lose their reply or arrive late, and processes crash. Readers see whole editions,
// none of a call that failed, and none again that was replaced. At the end nothing is left.
func TestRandomProcesses(t *testing.T) {
	t.Parallel()
	eachShelf(t, func(t *testing.T, e engines.Engine, open func(*library, string) shelf) {
		runs := testsize.Sequential(5, 15, 50, 20_000)
		if e.Name == engines.DynamoDBLocal {
			runs = testsize.Pick(2, 5, 100)
		}
		l, r := newLibrary(t, e.Client(t)), testrand.New(t)
		total := map[string]int{}
		wanted := []string{"replaced", "not replaced", "read", "cleaned", "crashed", "late"}
		complete := func() bool {
			return !slices.ContainsFunc(wanted, func(name string) bool { return total[name] == 0 })
		}
		for n := 0; n < runs || !complete() && n < runs+100; n++ {
			s := newStage(l, open, r)
			require.NoError(t, s.play(t))
			for name, n := range s.count {
				total[name] += n
			}
		}
		t.Log(total)
		for _, name := range wanted {
			require.Positive(t, total[name], name)
		}
	})
}

// The negative controls fail the same test.
func TestRandomProcessesControl(t *testing.T) {
	t.Parallel()
	eachControl(t, func(t *testing.T, e engines.Engine, open func(*library, string) shelf) {
		l, r := newLibrary(t, e.Client(t)), testrand.New(t)
		var issue error
		for i := 0; i < 200 && issue == nil; i++ {
			issue = newStage(l, open, r).play(t)
		}
		require.Error(t, issue)
	})
}

// stage runs the calls of several processes. Only one of them runs at a time: the others wait
// before a request.
type stage struct {
	*library
	open    func(*library, string) shelf
	r       *rand.Rand
	jumps   bool // the clock advances so far that generations are forgotten too early
	calls   int
	waiting []*process
	events  chan *process
	failed  map[string]bool // the editions whose calls failed
	last    string          // the edition that the reader saw last
	gone    map[string]bool // the editions that were replaced, as the reader saw
	count   map[string]int  // of what happened
}

// process is a process with one call at a time.
type process struct {
	*testfaults.Wire
	shelf
	kind    string // of its calls
	left    int    // calls
	crashed bool   // it gets no more replies in this call
	turn    chan testfaults.Fate
	result  func() error // evaluates the call that has ended; nil while the process waits
}

func newStage(l *library, open func(*library, string) shelf, r *rand.Rand) *stage {
	return &stage{
		library: l, open: open, r: r, jumps: r.IntN(4) == 0, events: make(chan *process),
		failed: map[string]bool{}, gone: map[string]bool{}, count: map[string]int{},
	}
}

func (s *stage) play(t *testing.T) error {
	t.Helper()
	defer s.wipe(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var all []*process
	for _, kind := range []string{"replace", "replace", "replace", "clean", "read"} {
		p := &process{Wire: new(testfaults.Wire), kind: kind, left: 4, turn: make(chan testfaults.Fate)}
		p.Decide = func(int, string) testfaults.Fate {
			p.result = nil
			s.events <- p
			return <-p.turn
		}
		p.shelf = s.open(s.process(t, p.Wire, 1+s.r.IntN(2)), "a")
		all = append(all, p)
	}
	var issues []error
	for _, p := range all {
		issues = append(issues, s.begin(ctx, p))
	}
	for len(s.waiting) > 0 {
		i := s.r.IntN(len(s.waiting))
		p := s.waiting[i]
		s.waiting[i] = s.waiting[len(s.waiting)-1]
		s.waiting = s.waiting[:len(s.waiting)-1]
		p.turn <- s.fate(p)
		issues = append(issues, s.next(ctx, p))
		if late := all[s.r.IntN(len(all))]; s.r.IntN(8) == 0 && late.Delayed() > 0 {
			s.count["late"]++
			issues = append(issues, late.Deliver())
		}
		if s.jumps && s.r.IntN(8) == 0 {
			s.clock.advance(time.Duration(s.r.Int64N(int64(2 * writeTime))))
		}
	}
	for _, p := range all {
		issues = append(issues, p.Deliver())
	}
	reader := s.open(s.library, "a")
	text, err := reader.visible(ctx)
	issues = append(issues, err, s.saw(text))
	if err := errors.Join(issues...); err != nil || s.jumps {
		return err
	}
	if _, err := reader.state(ctx); errors.Is(err, trestle.ErrNotFound) {
		return nil
	}
	return reader.leftovers(t, s.library)
}

// fate decides about a request of a process.
func (s *stage) fate(p *process) testfaults.Fate {
	switch n := s.r.IntN(40); {
	case p.crashed:
		return testfaults.Drop
	case n == 0:
		s.count["crashed"]++
		p.crashed = true
		return testfaults.Fate(s.r.IntN(4))
	case n < 6:
		return testfaults.Fate(1 + s.r.IntN(3))
	default:
		return testfaults.Pass
	}
}

// begin starts the next call of a process, and waits until it waits or ends.
func (s *stage) begin(ctx context.Context, p *process) error {
	if p.left == 0 {
		return nil
	}
	p.left--
	p.crashed = false
	var call func() func() error
	switch p.kind {
	case "replace":
		s.calls++
		n := 1 + s.r.IntN(40)
		text := fmt.Sprintf("%d/%d", s.calls, n)
		call = func() func() error {
			err := p.replace(ctx, text, n)
			return func() error { return s.replaced(text, err) }
		}
	case "clean":
		call = func() func() error {
			_, err := p.clean(ctx)
			return func() error {
				if err == nil {
					s.count["cleaned"]++
				}
				return nil
			}
		}
	case "read":
		call = func() func() error {
			text, err := p.visible(ctx)
			return func() error {
				var op *trestle.OpError
				if errors.As(err, &op) && !errors.Is(err, generations.ErrIncomplete) {
					return nil // a request failed
				}
				s.count["read"]++
				return errors.Join(err, s.saw(text))
			}
		}
	}
	go func() {
		p.result = call()
		s.events <- p
	}()
	return s.next(ctx, p)
}

// next waits until a process waits before a request. If its call has ended, next evaluates it and
// begins another one.
func (s *stage) next(ctx context.Context, p *process) error {
	if <-s.events; p.result == nil {
		s.waiting = append(s.waiting, p)
		return nil
	}
	return errors.Join(p.result(), s.begin(ctx, p))
}

func (s *stage) replaced(text string, err error) error {
	outcome := trestle.OutcomeOf(err)
	switch outcome {
	case trestle.Applied:
		s.count["replaced"]++
	case trestle.NotApplied:
		s.count["not replaced"]++
		s.failed[text] = true
	}
	if (outcome == trestle.Unknown) != errors.Is(err, trestle.ErrUnknown) {
		return fmt.Errorf("the outcome is %v: %w", outcome, err)
	}
	if s.failed[text] && (s.last == text || s.gone[text]) {
		return fmt.Errorf("%q was visible, and its call failed: %w", text, err)
	}
	return nil
}

// saw checks an edition that the reader saw.
func (s *stage) saw(text string) error {
	switch {
	case text == s.last:
		return nil
	case text == "":
		return fmt.Errorf("no edition is visible after %q", s.last)
	case s.failed[text]:
		return fmt.Errorf("%q is visible, and its call failed", text)
	case s.gone[text]:
		return fmt.Errorf("%q is visible again", text)
	}
	s.gone[s.last], s.last = true, text
	return nil
}
