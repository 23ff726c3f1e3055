package lock

import (
	"context"
	"errors"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// TryAcquire acquires the lock of a name if it is free: nobody has held it, its last holder
// released it, or the last lease has ended for longer than Skew.
//
// It is retried after a lost reply, and recognizes its own lease. It costs one write unit.
//
// Errors: [ErrHeld] if another holder has the lock. [trestle.ErrUnknown] if no attempt had a reply:
// the lock may then be held by nobody until the lease ends. An attempt that arrives late, even
// after the release, can have the same effect.
func (l *Locks) TryAcquire(ctx context.Context, name string) (*Lease, error) {
	held, _, err := l.try(ctx, name)
	return held, err
}

// Acquire acquires the lock of a name. While another holder has it, Acquire waits and tries again,
// every Poll of the [Config] and when the lease of the holder ends. There is no queue: of several
// that wait, any can be next. Each try costs one write unit.
//
// It waits until ctx ends, and then returns [ErrHeld] with the error of ctx. Other errors are those
// of [Locks.TryAcquire].
func (l *Locks) Acquire(ctx context.Context, name string) (*Lease, error) {
	for {
		held, free, err := l.try(ctx, name)
		if !errors.Is(err, ErrHeld) {
			return held, err
		}
		if ended := l.wait(ctx, free); ended != nil {
			return nil, errors.Join(err, ended)
		}
	}
}

// try is TryAcquire. If another holder has the lock, it returns when the lock is free at the
// latest, unless the holder renews it.
func (l *Locks) try(ctx context.Context, name string) (held *Lease, free time.Time, err error) {
	if err := l.ready(opAcquire, name); err != nil {
		return nil, free, err
	}
	held = &Lease{locks: l, name: name}
	if held.owner, err = l.exec.Random.Text(); err != nil {
		return nil, free, l.failed(opAcquire, err)
	}
	now := l.exec.Now()
	held.until = now.Add(l.config.Lease)
	item, err := l.do(ctx, opAcquire, l.acquisition(held, now))
	if err == nil {
		if held.fence, err = libitem.Required(item, attrFence); err != nil {
			return nil, free, l.failed(opAcquire, err)
		}
		return held, free, nil
	}
	if stored, failed := unmet(err); failed {
		until, unreadable := libitem.Optional(stored, attrUntil)
		if unreadable != nil {
			return nil, free, l.failed(opAcquire, unreadable)
		}
		return nil, time.Unix(0, until).Add(l.config.Skew), refused(err, ErrHeld)
	}
	return nil, free, err
}

// acquisition returns the write that begins a lease. An item that was deleted starts with the time,
// so that its fence is greater than any of the deleted item.
func (l *Locks) acquisition(held *Lease, now time.Time) op.Action {
	key, _ := l.key(held.name) // ready has checked it
	u := libitem.NewUpdate(key)
	u.SetOwn(l.schema, reserved.LockType)
	u.Set(attrOwner, text(held.owner))
	u.SetFrom(attrFence, now.UnixMilli(), libitem.Number(1))
	l.end(u, held.until)
	ended := libitem.Number(now.Add(-l.config.Skew).UnixNano())
	u.Require(clause.Or{clause.Value(attrOwner, nil), clause.Attribute(attrUntil, clause.Lt, ended)})
	a := u.Action()
	a.Return = trestle.AllNew
	a.WriteID = op.Expected{Attribute: attrOwner, Value: text(held.owner)}
	return a
}

// wait waits for Poll, plus or minus a random half, or until the lock is free if that is earlier.
func (l *Locks) wait(ctx context.Context, free time.Time) error {
	pause, err := l.exec.Random.Around(l.config.Poll)
	if err != nil {
		return l.failed(opAcquire, err)
	}
	if left := free.Sub(l.exec.Now()); left > 0 {
		pause = min(pause, left+time.Millisecond)
	}
	return sleep(ctx, pause)
}

// sleep returns after a duration, or with the error of ctx when it ends.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
