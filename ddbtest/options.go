package ddbtest

import (
	"math/rand/v2"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
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

	TableDelay time.Duration // how long a table or an index is CREATING, UPDATING or DELETING
	TTLDelay   time.Duration // how long after its time an expired item is deleted

	LogSize int  // how many requests [DB.Requests] remembers: 10,000 where it is 0
	Record  bool // keep the requests' bodies too, so that [DB.WriteLog] can write them for [Replay]
}

// Lag is how far eventually consistent reads are behind. Strong reads never are.
type Lag struct {
	Items   time.Duration // of a table and its local indexes
	Indexes time.Duration // of its global indexes
}

// UntilSettled is a lag that ends with [DB.Settle] only.
const UntilSettled = store.Forever

const (
	defaultRegion  = "us-east-1"
	defaultAccount = "123456789012"
	defaultLogSize = 10_000
)

// withDefaults fills in what was left out.
func (o Options) withDefaults() Options {
	if o.Region == "" {
		o.Region = defaultRegion
	}
	if o.Account == "" {
		o.Account = defaultAccount
	}
	if o.LogSize <= 0 {
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
