package ddbtest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

// Options set a database up. The zero value is an ordinary one.
type Options struct {
	Region  string // "us-east-1" where it is empty
	Account string // the account in ARNs: "123456789012" where it is empty

	// Seed decides what happens by chance: which requests [Rate] picks, what is left unprocessed, how long the client backs off. With 0 it
	// is another one each time; [DB.Seed] tells it, and so does [Start] when the test has failed.
	Seed uint64

	Lag  Lag   // how far eventually consistent reads are behind
	Heat Units // what one partition serves in a second, such as [PartitionLimit]: see [DB.LimitHeat]; 0 is no limit

	TableDelay time.Duration // how long a table or an index is CREATING, UPDATING or DELETING; not the tables of [DB.CreateTable]
	TTLDelay   time.Duration // how long after its time an expired item is deleted, and still read; at the service, up to days

	LogSize int  // how many requests [DB.Requests] remembers: 10,000 where it is 0
	Record  bool // keep the requests' bodies too, so that [DB.WriteLog] can write them for [Replay]
	// FailureLog is the file that [Start] writes this log to when the test has failed, in folders that it makes; it implies Record. A fork's
	// log is [DB.WriteLog]'s matter.
	FailureLog string
}

// Lag is how far eventually consistent reads are behind. Strong reads never are. With a lag of some time each write within it is kept as it was, at some
// kilobytes each.
type Lag struct {
	Items   time.Duration // of a table and its local indexes
	Indexes time.Duration // of its global indexes
}

// UntilSettled is a lag that ends with [DB.Settle] only.
const UntilSettled time.Duration = math.MaxInt64

const (
	defaultRegion  = "us-east-1"
	defaultAccount = "123456789012"
	defaultLogSize = 10_000
)

// check returns all that makes no sense.
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

// isRegion tells whether the text is lower-case letters, digits and hyphens, or nothing.
func isRegion(text string) bool {
	return len(text) <= 64 && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// isAccount tells whether the text is twelve digits, or nothing.
func isAccount(text string) bool {
	return text == "" || len(text) == 12 && strings.Trim(text, "0123456789") == ""
}

func (l Lag) check() error {
	if l.Items < 0 || l.Indexes < 0 {
		return fmt.Errorf("%s and %s: no read sees what is yet to be written", l.Items, l.Indexes)
	}
	return nil
}

func (u Units) checkLimit() error {
	if !(u.Read >= 0 && u.Write >= 0) || math.IsInf(u.Read+u.Write, 0) { // NaN is not at least 0 either
		return fmt.Errorf("%g and %g units are no limit; 0 is none", u.Read, u.Write)
	}
	return nil
}

// withDefaults fills in what was left out.
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
