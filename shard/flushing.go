package shard

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
)

// flushing is a running flush of a counter.
type flushing struct {
	*Counters
	of    counter
	tally *tally
	total int64 // of the increments to store
	ends  bool  // it is the last flush of the Writer
}

// run stores the sum. It registers the item first, so that readers read it. If Drain has moved all
// of the sum meanwhile, there is nothing to store.
func (f *flushing) run(ctx context.Context) error {
	if err := f.list(ctx, opFlush, f.of); err != nil {
		return withOutcome(err, trestle.NotApplied)
	}
	for range maxTries {
		if err := f.register(ctx); err != nil {
			return withOutcome(err, trestle.NotApplied)
		}
		folded, err := f.store(ctx)
		if !folded || f.total == f.tally.folded {
			return err
		}
	}
	return f.failed(opFlush, errResized)
}

// register adds the ID of the item to the total item. The ID is random, and the epoch must be the
// one that was read: so a request that arrives late does not add an ID whose item was closed. Each
// attempt has another ID, because a lost reply may have hidden that the former one was added, and
// that Drain closed its item since.
func (f *flushing) register(ctx context.Context) error {
	t := f.tally
	for try := 1; !t.registered; try++ {
		id, err := f.exec.Random.Text()
		if err != nil {
			return f.failed(opFlush, err)
		}
		t.id = id
		s, err := f.load(ctx, opFlush, f.of, true)
		if err != nil {
			return err
		}
		err = f.sendRegistration(ctx, s.epoch)
		switch {
		case err == nil:
			t.registered = true
			return nil
		case try == maxTries || !contended(err):
			return err
		}
		if err := f.pause(ctx, opFlush, try); err != nil {
			return err
		}
	}
	return nil
}

// sendRegistration adds the ID to the total item, if it has the epoch.
func (f *flushing) sendRegistration(ctx context.Context, epoch int64) error {
	key, err := f.layout.totalKey(f.of)
	if err != nil {
		return f.failed(opFlush, err)
	}
	b := libitem.NewUpdate(key)
	b.Add(attrWriters, &types.AttributeValueMemberSS{Value: []string{f.tally.id}})
	b.RequireEqual(attrEpoch, epoch)
	act := b.Action()
	act.Idempotent = true // the set has the ID once
	_, err = f.do(ctx, opFlush, []op.Action{act})
	return err
}

// store stores the sum in the item, unless it is closed. A stored number of a flush that is not
// less means that the request was applied, and its reply was lost. If the item is closed, store
// prepares another one for the rest, and reports it.
func (f *flushing) store(ctx context.Context) (folded bool, err error) {
	t := f.tally
	act, err := f.storing(t.seq + 1)
	if err != nil {
		return false, f.failed(opFlush, err)
	}
	t.seq++
	_, err = f.do(ctx, opFlush, []op.Action{act})
	unmet, failed := unmetConditions(err, 1)
	if !failed {
		return false, err
	}
	stored := unmet[0].item
	if stored[attrClosed] == nil {
		return false, f.check(stored)
	}
	moved, wrong := libitem.Optional(stored, attrFolded)
	if wrong != nil {
		return false, f.failed(opFlush, wrong)
	}
	if t.folded, err = sum(t.folded, moved); err != nil {
		return false, f.failed(opFlush, err)
	}
	t.id, t.registered, t.seq = "", false, 0
	return true, nil
}

// storing returns the update that stores the sum.
func (f *flushing) storing(seq int64) (op.Action, error) {
	key, err := f.layout.partKey(f.of, part{writer: f.tally.id})
	b := libitem.NewUpdate(key)
	b.Set(attrValue, libitem.Number(f.total-f.tally.folded))
	b.Set(attrSeq, libitem.Number(seq))
	asOf := f.exec.Now().UnixNano()
	if f.ends {
		asOf = 0
	}
	b.Set(attrAsOf, libitem.Number(asOf))
	f.setOwn(b)
	b.RequireNone(attrClosed)
	b.Require(clause.Or{clause.Value(attrSeq, nil), clause.Attribute(attrSeq, clause.Lt, libitem.Number(seq))})
	act := b.Action()
	act.Idempotent = true // a repetition fails, and finds its own number
	return act, err
}

// check returns nil if the stored item is that of this flush.
func (f *flushing) check(stored op.Item) error {
	seq, err := libitem.Optional(stored, attrSeq)
	if err == nil && seq != f.tally.seq {
		err = libitem.Unreadable(attrSeq, "another program writes the item of the Writer")
	}
	return f.failed(opFlush, err)
}
