package explore

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trestledb/trestle/ddbtest"
)

// Report is the result of a search.
type Report struct {
	Runs    int    // without those that looked for a shorter failure
	States  int    // distinct states; 0 for [Sample] and a replay
	Longest int    // number of steps of the longest run
	Faults  Faults // how often faults of each kind acted, in all runs

	// CutOff is why the search is not complete, or "".
	CutOff string
	// Failure is the run that broke an invariant, or nil.
	Failure *Failure
	// Lacks lists why the search proves nothing: mistakes of the options and of the declarations, a
	// client whose requests or writes never succeed, an operation that is always invalid,
	// invariants that were never checked on a changed database, kinds of faults that never acted
	// (except for stale reads, if a client reads), and, unless Pause is in [Options.Faults], also
	// with 0: deadlines of a client's requests of which none passed, a pause that is longer than
	// [Options.Backoff], and one that is longer than the deadlines of [Options.Wakes] requests.
	// PartiQL statements are one if Faults has a kind that DynamoDB has for them and the search has
	// not: Throttle, Conflict of a write, and StaleRead of a SELECT that does not read strongly.
	Lacks []string
	// Elapsed is the duration of the search.
	Elapsed time.Duration

	// unreduced is why all orders were run, also those of requests that commute, or "".
	unreduced string
	test      ddbtest.TB
}

// Complete fails the test if the search was cut off. It returns the report. A report of [Search]
// has no test: check its CutOff.
func (r *Report) Complete() *Report {
	if r.test != nil && r.CutOff != "" && r.Failure == nil {
		r.test.Helper()
		r.test.Errorf("explore: the search was cut off by %s, so it proves nothing", r.CutOff)
	}
	return r
}

// String returns one line that describes what was covered.
func (r *Report) String() string {
	end := "complete"
	if r.Runs == 0 {
		return "nothing was run"
	}
	if r.CutOff != "" {
		end = "cut off by " + r.CutOff
	}
	if r.unreduced != "" {
		end += ", without reduction: " + r.unreduced
	}
	return fmt.Sprintf("%s, %s, longest run %s, faults: %s, %s", count(r.Runs, "run"), count(r.States, "state"),
		count(r.Longest, "step"), r.Faults, end)
}

// log fails the test if the search found something, or proves nothing, and logs what it covered.
func (r *Report) log(t ddbtest.TB) {
	t.Helper()
	r.test = t
	if r.Failure != nil {
		t.Errorf("explore: %s", r.Failure)
	}
	for _, lack := range r.Lacks {
		t.Errorf("explore: %s", lack)
	}
	t.Logf("explore: %s, %.1f s", r, r.Elapsed.Seconds())
}

func (s *search) newReport(elapsed time.Duration) *Report {
	return &Report{
		Runs: s.stats.runs, States: s.stats.states, Longest: s.stats.longest, Faults: s.stats.faults(),
		CutOff: s.cutOff, Failure: s.failure, Lacks: s.lacks(), Elapsed: elapsed,
		unreduced: s.shared,
	}
}

// lacks returns why the search proves nothing.
func (s *search) lacks() []string {
	switch {
	case s.invalid != nil:
		return []string{s.invalid.Error()}
	case s.failure != nil, s.options.Replay != "", s.tooLong:
		return nil
	}
	var list []string
	for _, name := range s.stats.clients {
		list = append(list, s.stats.refusals(name)...)
	}
	if list != nil && s.options.Setup == nil {
		list = append(list, "Options.Setup is nil: it creates the tables")
	}
	if !s.asked {
		list = append(list, "no invariant was ever checked on a changed database: no run changed it, or no run ended")
	}
	list = append(append(list, s.times()...), s.statements()...)
	for k := Kind(1); k < kinds; k++ {
		if k == StaleRead && s.stats.reads {
			continue // all contents were tried: reads are strong, or see the same
		}
		if s.options.Faults[k] > 0 && s.stats.acted[k] == 0 {
			lack := fmt.Sprintf("no fault of the kind %s ever acted in these runs", k)
			if k == Pause && s.options.Pauses == nil {
				lack += ": no client waits for a timer, so name times in Options.Pauses, such as that of a lease"
			}
			list = append(list, lack)
		}
	}
	return list
}

// times returns the times that should pass beside waiting requests and do not.
func (s *search) times() (list []string) {
	if _, named := s.options.Faults[Pause]; named {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.stats.timed)) {
		if !s.stats.gaveUp[name] {
			list = append(list, fmt.Sprintf("client %s sends requests with a deadline, and no run let it pass: "+
				"name Pause in Options.Faults, with 0 to search without it", name))
		}
	}
	if s.stats.outOfReach {
		list = append(list, fmt.Sprintf("a client pauses for longer than the deadlines of %s, one after the other, so it never wakes beside them: "+
			"name more in Options.Wakes, or Pause in Options.Faults, with 0 to search without it", count(cmp.Or(s.options.Wakes, defaultWakes), "request")))
	}
	if d := s.options.Backoff; d > 0 && s.stats.paused > d {
		list = append(list, fmt.Sprintf("a client pauses for %s, which is longer than Options.Backoff, so it never wakes beside waiting requests: "+
			"name a longer Backoff, or Pause in Options.Faults, with 0 to search without it", s.stats.paused))
	}
	return list
}

// refusals returns why a client proves nothing.
func (s *stats) refusals(client string) []string {
	operations := s.operations[client]
	name, again := strings.CutSuffix(client, restarted)
	switch {
	case len(operations) == 0 && again:
		return []string{fmt.Sprintf("Restart(%q): the client never crashed, or sent no request after it: name Crash in Options.Faults", name)}
	case len(operations) == 0:
		return []string{fmt.Sprintf("client %s never sent a request with the SDK client that it got", client)}
	}
	var list []string
	some, writes, someWrite := false, false, false
	for name, o := range operations {
		if !o.succeeded && o.refused != "" {
			list = append(list, fmt.Sprintf("client %s: no %s ever succeeded: %s", client, name, o.refused))
		}
		some = some || o.succeeded
		writes, someWrite = writes || o.writes, someWrite || o.wrote
	}
	switch {
	case list != nil:
	case !some:
		list = append(list, fmt.Sprintf("client %s: no request ever succeeded", client))
	case writes && !someWrite:
		list = append(list, fmt.Sprintf("client %s: none of its writes ever succeeded", client))
	}
	slices.Sort(list)
	return list
}

// count returns a number and a noun, such as "1 run" or "2 runs".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return itoa(n) + " " + noun + "s"
}

// Failure is a run that broke an invariant.
type Failure struct {
	What     string // the broken invariant, with the values of the test
	Faults   int
	Switches int    // how often the client changed from one step to the next
	Schedule string // repeats the run: see [Options.Replay]
	Story    string // the steps of the run as a table
	Shortest bool   // provably no run with fewer faults, or with as many and fewer switches, fails

	seed uint64 // 0 if it is the default
}

func newFailure(r *run, shortest bool) *Failure {
	seed := r.search.options.Seed
	if seed == defaultSeed {
		seed = 0
	}
	return &Failure{
		seed: seed,
		What: r.failure.what, Faults: r.faults, Switches: r.switches, Schedule: strings.Join(r.trace, " "),
		Story: r.story(), Shortest: shortest && !r.failure.divergent,
	}
}

// String returns the failure as a test logs it.
func (f *Failure) String() string {
	var b strings.Builder
	shortest := ""
	if f.Shortest {
		shortest = ", the shortest such run"
	}
	b.WriteString(f.What)
	if f.Schedule == "" {
		return b.String()
	}
	fmt.Fprintf(&b, "\n\nafter these steps (%s, %s%s):\n\n", count(f.Faults, "fault"), plural(f.Switches, "switch"), shortest)
	b.WriteString(f.Story)
	seed := ""
	if f.seed != 0 {
		seed = fmt.Sprintf("Seed: %d, ", f.seed)
	}
	fmt.Fprintf(&b, "\nrepeat it with explore.Options{…, %sReplay: %q}", seed, f.Schedule)
	return b.String()
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return itoa(n) + " " + noun + "es"
}
