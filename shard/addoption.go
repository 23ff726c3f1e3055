package shard

import (
	"time"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/spread"
)

// AddOption is an option of [Counters.Add] and [Counters.Op].
type AddOption struct {
	key    string
	since  time.Time
	timed  bool // OnceSince
	option bool // not the zero value
}

// Once identifies an increment by a key, such as the ID of the caller's request. Repeated with the
// same key and the same number, the increment counts once. See [Mode] for how long. Each counter
// has its own keys: with the same key, an increment of another name counts too.
//
// Create the key before the first call, and store it with the caller's request. The modes
// ExactForever and Events need a key. Without one in mode ExactWindow, an increment counts once
// however often it is sent by one call of Add, but a second call counts again. A repetition after
// the 10 minutes of mode ExactWindow counts again too: see [OnceSince].
func Once(key string) AddOption { return AddOption{key: key, option: true} }

// OnceSince is [Once] for an increment that may have been sent before, at the earliest at the time
// first. In mode ExactWindow, DynamoDB remembers keys for 10 minutes. If less of this time is left
// than one attempt may take, Add sends nothing and fails with [trestle.ErrUnknown], because a
// repetition could count twice. The clock is that of the schema.
func OnceSince(key string, first time.Time) AddOption {
	return AddOption{key: key, since: first, timed: true, option: true}
}

// shard returns the shard of the key.
func (o AddOption) shard(shards int) int { return int(spread.Of(o.key) % uint64(shards)) }

// oneOption returns the only option, or the zero value if there is none.
func oneOption(list []AddOption) (o AddOption, err error) {
	var wrong errs.Problems
	for i, next := range list {
		switch {
		case !next.option:
			wrong.Add("", "an option is zero", "use shard.Once or shard.OnceSince")
		case i > 0:
			wrong.Add("", "there are several keys", "give one option")
		default:
			wrong.AddAt("key", libitem.CheckText("the key of the increment", next.key))
		}
		o = next
	}
	return o, wrong.Err()
}

// check reports why a mode cannot use the option.
func (o AddOption) check(m Mode) error {
	switch {
	case m == WriterOwned:
		return errs.New("", "mode WriterOwned counts in memory", "use the Add of a Writer")
	case m == Approximate && o.option:
		return errs.New("", "mode Approximate cannot recognize a repeated increment", "leave the option out, or use mode ExactWindow or ExactForever")
	case (m == ExactForever || m == Events) && !o.option:
		return errNoKey
	default:
		return nil
	}
}
