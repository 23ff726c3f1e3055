package ddbtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

// Options configure a database. The zero value is a usable default.
type Options struct {
	Region  string // default "us-east-1"
	Account string // the account ID in ARNs; default "123456789012"

	// Seed determines every random decision: which requests [Rate] selects, which parts of a batch
	// are unprocessed, and how long the client backs off. With 0, each database has a new seed.
	// [DB.Seed] returns it. [Start] logs it if the test fails after a random decision.
	Seed uint64

	Lag Lag // how far eventually consistent reads lag behind
	// Heat is the limit of one partition in units per second, such as [PartitionLimit]. 0 means no
	// limit. See [DB.LimitHeat].
	Heat Units

	// TableDelay is how long a table or an index stays CREATING, UPDATING or DELETING. Tables of
	// [DB.CreateTable] have no delay.
	TableDelay time.Duration
	// TTLDelay is how long an expired item is kept, and still read, before it is deleted. The
	// service may take days.
	TTLDelay time.Duration

	// LogSize is how many requests [DB.Requests] keeps. The default is 10,000.
	LogSize int
	// Record keeps the bodies of requests, so that [DB.WriteLog] can write them for [Replay].
	Record bool
	// FailureLog is the file to which [Start] writes this log if the test fails. Start creates its
	// folders. FailureLog implies Record. It does not apply to forks: use [DB.WriteLog] for them.
	FailureLog string
}

const (
	defaultRegion  = "us-east-1"
	defaultAccount = "123456789012"
	defaultLogSize = 10_000
)

// check returns all errors of the options.
func (o *Options) check() error {
	var faults []error
	wrong := func(is bool, format string, args ...any) {
		if is {
			faults = append(faults, fmt.Errorf("Options."+format, args...))
		}
	}
	wrong(!isRegion(o.Region), "Region: %q is not a Region's name, such as %q", o.Region, defaultRegion)
	wrong(!isAccount(o.Account), "Account: %q is not twelve digits", o.Account)
	if err := o.Lag.check(); err != nil {
		faults = append(faults, fmt.Errorf("Options.Lag: %w", err))
	}
	if err := o.Heat.checkLimit(); err != nil {
		faults = append(faults, fmt.Errorf("Options.Heat: %w", err))
	}
	wrong(o.TableDelay < 0, "TableDelay: %s is before now", o.TableDelay)
	wrong(o.TTLDelay < 0, "TTLDelay: %s is before the time has come", o.TTLDelay)
	wrong(o.LogSize < 0, "LogSize: %d requests cannot be kept; 0 is %d", o.LogSize, defaultLogSize)
	return errors.Join(faults...)
}

// isRegion reports whether the text is at most 64 lower-case letters, digits and hyphens. It may be
// empty.
func isRegion(text string) bool {
	return len(text) <= 64 && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// isAccount reports whether the text is twelve digits or empty.
func isAccount(text string) bool {
	return text == "" || len(text) == 12 && strings.Trim(text, "0123456789") == ""
}

// withDefaults replaces zero values by their defaults.
func (o Options) withDefaults() Options {
	if o.Region == "" {
		o.Region = defaultRegion
	}
	if o.Account == "" {
		o.Account = defaultAccount
	}
	if o.LogSize == 0 {
		o.LogSize = defaultLogSize
	}
	for o.Seed == 0 {
		o.Seed = rand.Uint64()
	}
	return o
}

func (o *Options) config() *engine.Config {
	return &engine.Config{Region: o.Region, Account: o.Account, TableDelay: o.TableDelay, TTLDelay: o.TTLDelay}
}
