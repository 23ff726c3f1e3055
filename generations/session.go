package generations

import (
	"context"
	"errors"

	"github.com/trestledb/trestle"
)

// session is a call of a method. It sends the requests, and hides the types of the pointer item and
// of the parts.
type session interface {
	config() *settings
	// prepare validates a Replace, and reads the pointer item. With upsert, the item may be
	// missing.
	prepare(ctx context.Context, upsert bool) error

	// read reads the pointer item, and reports whether it has changed. A missing item has no
	// generations; the error is then ErrNotFound.
	read(ctx context.Context, strong bool) (changed bool, err error)
	// state returns the generations of the pointer item as it was read or written last.
	state() Pointer
	// keep makes the item as it was read or written last the result of a Replace.
	keep()
	// write changes the pointer item from the state to another.
	write(ctx context.Context, w write, to Pointer) error

	// put puts the parts of a generation and returns their number.
	put(ctx context.Context, id string) (int, error)
	// collect reads the parts of a generation and returns their number.
	collect(ctx context.Context, id string, strong bool) (int, error)
	// stream passes the parts of a generation to the caller, and returns their number and whether
	// the caller took all of them.
	stream(ctx context.Context, id string, strong bool) (n int, all bool, err error)
	// remove deletes the parts of a generation and returns their number.
	remove(ctx context.Context, id string) (int, error)
}

// write is a kind of a write of the pointer item.
type write uint8

const (
	update        write = iota // of the item as it was read or written last
	updateExample              // of the example of the caller, whose version is checked
	upsertExample              // likewise; it creates a missing item
	updateChanges              // with the changes of the caller
	deleteItem
)

// maxReads and maxWrites limit how often a read and a write are repeated while other programs
// change the pointer item. Without a write the call has to store all parts again, so there are
// many.
const (
	maxReads  = 8
	maxWrites = 100
)

// change changes the pointer item to the state that next returns. If another program changed the
// item, or if a reply was lost, change reads the item and calls next again. It ends when next
// returns done or an error, or when a write fails although the item has not changed, which is a
// condition or the version of the caller. With an error, the outcome is that of the writes: a write
// can also be applied and fail, if its item cannot be returned.
func change(ctx context.Context, s session, w write, next func(now Pointer) (to Pointer, done bool, err error)) (outcome trestle.Outcome, err error) {
	outcome = trestle.NotApplied
	for range maxWrites {
		to, done, failed := next(s.state())
		if done || failed != nil {
			return outcome, failed
		}
		err = s.write(ctx, w, to)
		written := trestle.OutcomeOf(err)
		switch {
		case err == nil:
			return trestle.Applied, nil
		case written == trestle.Applied, written == trestle.Unknown && outcome != trestle.Applied:
			outcome = written
		case written != trestle.Unknown && !errors.Is(err, trestle.ErrCondition) && !errors.Is(err, trestle.ErrStale):
			return outcome, err
		}
		changed, failed := s.read(ctx, true)
		if w == upsertExample && errors.Is(failed, trestle.ErrNotFound) {
			failed = nil
		}
		switch {
		case failed != nil:
			return outcome, failed
		case !changed && written == trestle.NotApplied:
			return outcome, err
		}
	}
	return outcome, err
}
