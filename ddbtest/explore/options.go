package explore

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/trestledb/trestle/ddbtest"
)

// Options configure a search. The zero value searches every order of the requests, with at most one
// lost reply.
type Options struct {
	// Setup fills the database once, before the search: its tables and items. Each run begins with
	// a copy of it, on 2000-01-01, when Setup ran.
	Setup func(db *ddbtest.DB)
	// Database configures the database. Lag, PartitionLimit and TableDelay are not allowed: the
	// kinds of faults have their effects.
	Database ddbtest.Options

	// Faults is how many faults of each kind a run may have. The default, nil, is one [LostReply].
	// Faults{} is no fault. Pause: 0 says that no deadline has to pass: see [Report.Lacks].
	Faults Faults
	// MaxFaults is how many faults a run may have in total. 0 means the sum of Faults.
	MaxFaults int
	// Pauses are times that may pass while requests wait, such as the time of a lease. Each counts
	// as a fault of the kind [Pause].
	Pauses []time.Duration
	// Wakes is how often in a run time may pass while requests wait, until a client that pauses
	// wakes, for example between two attempts. This is no fault. It happens at every step. The time
	// ends before the deadline of such a request; see [Pause]. So a client that pauses for longer
	// than Wakes deadlines wakes after the requests of the others, which is one of [Report.Lacks].
	// With 0 it is 4, and a search is cut off whose clients wake more often. Without requests that
	// wait, time passes any number of times. The search counts time in milliseconds.
	Wakes int
	// Backoff is the longest pause that clients make by themselves. If it is not 0, clients wake
	// beside waiting requests only after pauses of at most this time, and any number of times
	// unless Wakes is set, also after the deadline of a request. A client that pauses for longer is
	// one of [Report.Lacks].
	Backoff time.Duration

	// MaxRuns cuts the search off after so many runs. The default is 100,000. For [Sample] it is
	// the number of runs; the default is 1,000.
	MaxRuns int
	// MaxSteps cuts the search off if a run has more steps. The default is 1,000.
	MaxSteps int
	// MaxShorten is how many further runs look for a shorter failure. The default is 5,000.
	MaxShorten int
	// NoReduction runs every order, even if requests commute or a state was seen before.
	NoReduction bool

	// Seed determines [World.Rand], and the random decisions of [Sample]. With 0 it is 1, or random
	// for Sample.
	Seed uint64
	// Replay repeats one run, given by the schedule that a failure printed. The other options must
	// be those of the failed search. A schedule lists the steps: alice is the waiting request of
	// this client (alice.2 its second request, if several wait), alice!LostReply is the same with a
	// fault, +alice the client's start, ~alice.2 a request that is applied late, -alice.2 one that
	// never is, pause:30s and elapse are time that passes. After the last step, the run goes on
	// without faults.
	Replay string
}

const (
	defaultRuns    = 100_000
	defaultSamples = 1_000
	defaultSteps   = 1_000
	defaultShorten = 5_000
	defaultSeed    = 1
)

// check returns all mistakes of the options.
func (o *Options) check() error {
	var errs []error
	check := func(invalid bool, format string, args ...any) {
		if invalid {
			errs = append(errs, fmt.Errorf("Options."+format, args...))
		}
	}
	for k, n := range o.Faults {
		check(k == 0 || k >= kinds, "Faults: kind %d does not exist", k)
		check(n < 0, "Faults: %s: %d is negative", k, n)
	}
	check(o.MaxFaults < 0, "MaxFaults: %d is negative", o.MaxFaults)
	sum := 0
	for _, n := range o.Faults {
		sum += n
	}
	check(o.MaxFaults > sum && o.MaxFaults != math.MaxInt, "MaxFaults: %d is more than the sum of Faults, %d", o.MaxFaults, sum)
	for _, d := range o.Pauses {
		check(d <= 0 || d%time.Millisecond != 0, "Pauses: %s is not a number of milliseconds", d)
	}
	check(len(o.Pauses) > 0 && o.Faults[Pause] == 0, "Pauses: they need Faults[Pause]")
	check(o.Backoff < 0 || o.Backoff%time.Millisecond != 0, "Backoff: %s is not a number of milliseconds", o.Backoff)
	check(o.Wakes < 0, "Wakes: %d is negative", o.Wakes)
	check(o.MaxRuns < 0, "MaxRuns: %d is negative", o.MaxRuns)
	check(o.MaxSteps < 0, "MaxSteps: %d is negative", o.MaxSteps)
	check(o.MaxShorten < 0, "MaxShorten: %d is negative", o.MaxShorten)
	check(o.Database.Lag != ddbtest.Lag{}, "Database.Lag: name StaleRead in Faults instead")
	check(o.Database.PartitionLimit != ddbtest.Units{}, "Database.PartitionLimit: name Throttle in Faults instead")
	check(o.Database.TableDelay != 0, "Database.TableDelay: it must be 0")
	return errors.Join(errs...)
}

// withDefaults replaces zero values by their defaults.
func (o Options) withDefaults(runs int) Options {
	if o.Faults == nil {
		o.Faults = Faults{LostReply: 1}
	}
	o.MaxRuns = orDefault(o.MaxRuns, runs)
	o.MaxSteps = orDefault(o.MaxSteps, defaultSteps)
	o.MaxShorten = orDefault(o.MaxShorten, defaultShorten)
	o.MaxFaults = orDefault(o.MaxFaults, math.MaxInt)
	if o.Seed == 0 {
		o.Seed = defaultSeed
	}
	if o.Database.Seed == 0 {
		o.Database.Seed = o.Seed
	}
	return o
}

func orDefault(n, byDefault int) int {
	if n == 0 {
		return byDefault
	}
	return n
}
