package shard

import (
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/hooks"
)

// Bounded are counters with a limit, such as the seats of each hall: never more than the limit is
// taken, whatever fails, and whatever the clocks show. Each has a name. They are safe for
// concurrent use. [NewBounded] returns them.
//
// The limit is divided into quota. A pool item holds the quota that no shard has, and each shard
// holds the quota that was leased to it, and what was taken from it. The sum of all of them is the
// limit. Every step that changes them is one transaction or one conditional write that keeps the
// sum, so a program can crash between any two of them, and a step can arrive late.
//
// [Bounded.Take] usually writes one shard only, so a counter sustains more takes than one item can.
// Quota that is left in other shards is found when the pool is empty: as long as anything is left,
// it is taken.
//
// Every error is a [*trestle.OpError] or wraps one. A mistake of the configuration or of the
// arguments is [trestle.ErrInvalid]; nothing was sent then. The observer is notified of each read
// and write that a method sends.
type Bounded struct {
	base   *Counters // its keys, requests and errors
	config BoundedConfig
}

// NewBounded returns the counters with a limit of a family on a table. Several families can be on
// one table, if their names differ; they may have the names of families of [Counters]. The value is
// cheap, but it remembers the numbers of shards that it has read: keep it.
//
// NewBounded never fails and sends nothing. If the configuration is invalid, each method returns
// [trestle.ErrInvalid] with all mistakes. A global table is refused, because its transactions are
// not atomic across Regions.
func NewBounded(table *entity.Table, family string, c BoundedConfig) *Bounded {
	b := &Bounded{base: NewCounters(table, family, Config{MarkerLife: c.MarkerLife}), config: c.withDefaults()}
	if t := hooks.TableOf(table); t.Err == nil {
		var wrong errs.Problems
		wrong.AddErr("", b.base.err)
		b.config.check(&wrong, t.Schema)
		b.base.err = wrong.Err()
	}
	return b
}

// ready reports why a method cannot be called.
func (b *Bounded) ready(operation, name string) error {
	if b == nil || b.base == nil {
		return new(Counters).failed(operation, errNoBounded)
	}
	return b.base.ready(operation, name)
}

var errNoBounded = errs.New("", "the counters are nil or zero", "make them with shard.NewBounded")
