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
	// PartitionLimit is the limit of one partition in units per second. 0 means no limit. See
	// [DB.LimitPartitions].
	PartitionLimit Units

	// TableDelay is how long a table or an index stays CREATING, UPDATING or DELETING. Tables of
	// [DB.CreateTable] have no delay.
	TableDelay time.Duration
	// TTLDelay is how long an expired item is kept, and still read, before it is deleted. DynamoDB
	// may take days.
	TTLDelay time.Duration

	// UnusedDefinitions lets CreateTable accept definitions of attributes that no key uses, as
	// DynamoDB Local does, and leave them out of the table. DynamoDB rejects them. It is for tests
	// that were written for DynamoDB Local, and applies to tables of files too.
	UnusedDefinitions bool

	// KeepRequests is how many requests [DB.Requests] keeps. The default is 10,000.
	KeepRequests int
	// Record keeps the bodies of requests, so that [DB.WriteRecording] can write them for [Replay].
	Record bool
	// FailureRecording is the file to which [Start] writes the recording if the test fails. Start
	// creates its folders. FailureRecording implies Record. It does not apply to forks: use
	// [DB.WriteRecording] for them.
	FailureRecording string

	// Storage keeps the content outside of the memory: see [Storage]. The default is memory only.
	Storage Storage `json:"-"`
}

const (
	defaultRegion       = "us-east-1"
	defaultAccount      = "123456789012"
	defaultKeepRequests = 10_000
)

// check returns all errors of the options.
func (o *Options) check() error {
	var errs []error
	check := func(invalid bool, format string, args ...any) {
		if invalid {
			errs = append(errs, fmt.Errorf("Options."+format, args...))
		}
	}
	check(!isRegion(o.Region), "Region: %q is not the name of a Region, such as %q", o.Region, defaultRegion)
	check(!isAccount(o.Account), "Account: %q is not a number of twelve digits", o.Account)
	if err := o.Lag.check(); err != nil {
		errs = append(errs, fmt.Errorf("Options.Lag: %w", err))
	}
	if err := o.PartitionLimit.checkLimit(); err != nil {
		errs = append(errs, fmt.Errorf("Options.PartitionLimit: %w", err))
	}
	check(o.TableDelay < 0, "TableDelay: %s is negative", o.TableDelay)
	check(o.TTLDelay < 0, "TTLDelay: %s is negative", o.TTLDelay)
	check(o.Storage != nil && (o.Record || o.FailureRecording != ""), "Storage: a recording does not contain what the storage had before: set Record or Storage")
	check(o.KeepRequests < 0, "KeepRequests: %d is negative: 0 keeps %d requests", o.KeepRequests, defaultKeepRequests)
	return errors.Join(errs...)
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
	if o.KeepRequests == 0 {
		o.KeepRequests = defaultKeepRequests
	}
	for o.Seed == 0 {
		o.Seed = rand.Uint64()
	}
	return o
}

func (o *Options) config() *engine.Config {
	return &engine.Config{
		Region: o.Region, Account: o.Account, TableDelay: o.TableDelay, TTLDelay: o.TTLDelay, UnusedDefinitions: o.UnusedDefinitions,
	}
}
