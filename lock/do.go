package lock

import (
	"context"
	"errors"

	"github.com/trestledb/trestle"
)

// Do waits until it can acquire the lock of a name, calls f, and releases the lock. While f runs,
// Do renews the lease after each third of it, or earlier if a reply was late.
//
// Programs that call Do for the same name run f one after the other: each of them runs it. For a
// job that only one of them should run, use [Locks.TryDo].
//
// The context of f ends when f returns, when ctx ends, or with the cause [ErrLost] when the lease
// is lost: another holder acquired the lock, or no renewal succeeded before the lease ended. In
// either case it ends when the lease ends at the latest, by the clock of the schema, even if a
// renewal has no reply yet. f must end then; Do waits for it. If the lease has ended before f can
// begin, because the reply to the acquisition was late, Do releases the lock and returns [ErrLost]
// without calling f.
//
// Do returns the error of f, joined with [ErrLost] if the lease was lost. If f returned nil, Do
// returns [ErrLost] alone, and its [trestle.OutcomeOf] is [trestle.Applied]: f has done its work,
// but another holder may have run beside it. If f was not called, the outcome is
// [trestle.NotApplied]. If f succeeds, but the release fails for another reason, Do returns nil:
// the lock is free when the lease ends. Do waits for the release for at most a Lease of the
// [Config], also after ctx has ended. Other errors before f are those of [Locks.Acquire].
//
// Each try, each renewal and the release cost one write unit.
func (l *Locks) Do(ctx context.Context, name string, f func(ctx context.Context, held *Lease) error) error {
	return l.hold(ctx, name, l.Acquire, f)
}

// TryDo calls f as [Locks.Do] does if the lock of a name is free. If another holder has it, TryDo
// returns [ErrHeld] at once, and f does not run. Errors before f are those of [Locks.TryAcquire].
//
// A program that calls TryDo after f has ended elsewhere finds the lock free, and runs f again. If
// f must run once for a name, f begins with a strong read of an item that says that it has run, and
// creates the item in the transaction of [Lease.Check] with its own writes.
//
// The try, each renewal and the release cost one write unit.
func (l *Locks) TryDo(ctx context.Context, name string, f func(ctx context.Context, held *Lease) error) error {
	return l.hold(ctx, name, l.TryAcquire, f)
}

// hold acquires the lock of a name, calls f while it renews the lease, and releases the lock.
func (l *Locks) hold(
	ctx context.Context, name string, acquire func(context.Context, string) (*Lease, error), f func(context.Context, *Lease) error,
) (err error) {
	if err := l.ready(opAcquire, name); err != nil {
		return err
	}
	if f == nil {
		return l.failed(opAcquire, errNoFunc)
	}
	held, err := acquire(ctx, name)
	if err != nil {
		return err
	}
	inner, k := newKeeper(ctx, held)
	succeeded := false
	defer func() { // also after a panic of f
		k.stop()
		lost := context.Cause(inner)
		k.lose(nil)
		// The lock is released although ctx may have ended, but not after the lease has ended.
		release, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.config.Lease)
		defer cancel()
		if released := held.Release(release); !errors.Is(lost, ErrLost) {
			lost = released
		}
		if errors.Is(lost, ErrLost) {
			err = errors.Join(err, lostAfter(lost, succeeded))
		}
	}()
	if !held.Held() {
		k.lose(l.lost(nil))
		return nil
	}
	k.start(ctx)
	err = f(inner, held)
	succeeded = err == nil
	return err
}

// lostAfter returns the error of a lost lease. If the function has succeeded, its work is applied.
func lostAfter(lost error, succeeded bool) error {
	var e *trestle.OpError
	if !succeeded || !errors.As(lost, &e) {
		return lost
	}
	own := *e
	own.Outcome = trestle.Applied
	return &own
}
