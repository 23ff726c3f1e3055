package lock

import (
	"context"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/repo"
)

// Lease is the right to a lock for some time. It is safe for concurrent use.
type Lease struct {
	locks *Locks
	name  string
	owner string
	fence int64

	mu    sync.Mutex
	until time.Time
}

// Name returns the name of the lock.
func (h *Lease) Name() string {
	if h == nil {
		return ""
	}
	return h.name
}

// Fence returns the number of the lease. It is greater than those of all earlier leases of the
// name, and stays the same when the lease is renewed.
//
// The first number of a name is the time in milliseconds since 1970, and each lease adds one. If
// the item of an unused lock is deleted after Keep of the [Config], the next number is therefore
// still greater, provided that the clocks differ by less than Keep and that the name had less than
// one lease per millisecond on average.
func (h *Lease) Fence() int64 {
	if h == nil {
		return 0
	}
	return h.fence
}

// Until returns when the lease ends, by the clock of the schema.
func (h *Lease) Until() time.Time {
	if h == nil {
		return time.Time{}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.until
}

// Held reports whether the lease has not ended, by the clock of the schema. It sends nothing. The
// program may stop at any time after that: see [Lease.Check].
func (h *Lease) Held() bool {
	return h.ready(opHeld) == nil && h.locks.exec.Now().Before(h.Until())
}

// ready reports why the lease cannot be used.
func (h *Lease) ready(operation string) error {
	if h == nil || h.locks == nil {
		return new(Locks).failed(operation, errNoLease)
	}
	return nil
}

// Renew lets the lease end a whole Lease of the [Config] from now. A lease that has ended can be
// renewed as long as no other holder acquired the lock. It is retried after a lost reply. It costs
// one write unit.
//
// Errors: [ErrLost] if another holder acquired the lock, or if the lease was released.
// [trestle.ErrUnknown] if no attempt had a reply: the lease ends at the old or at the new time.
func (h *Lease) Renew(ctx context.Context) error {
	if err := h.ready(opRenew); err != nil {
		return err
	}
	until := h.locks.exec.Now().Add(h.locks.config.Lease)
	u := h.own()
	h.locks.end(u, until)
	// An attempt that arrives late must not shorten the lease.
	u.Require(clause.Attribute(attrUntil, clause.Le, libitem.Number(until.UnixNano())))
	a := u.Action()
	a.Idempotent = true
	_, err := h.locks.do(ctx, opRenew, a)
	stored, failed := unmet(err)
	switch {
	case failed && !h.isOwnerOf(stored):
		return refused(err, ErrLost)
	case failed: // a later renewal was applied first
		return nil
	case err != nil:
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if until.After(h.until) {
		h.until = until
	}
	return nil
}

// Release ends the lease, so that others can acquire the lock. It is retried after a lost reply. It
// costs one write unit.
//
// Errors: [ErrLost] if another holder acquired the lock before. [trestle.ErrUnknown] if no attempt
// had a reply: the lease ends now or at its time. Releasing twice is no error.
func (h *Lease) Release(ctx context.Context) error {
	if err := h.ready(opRelease); err != nil {
		return err
	}
	u := h.own()
	u.Remove(attrOwner)
	u.Remove(attrUntil)
	a := u.Action()
	a.Idempotent = true
	_, err := h.locks.do(ctx, opRelease, a)
	stored, failed := unmet(err)
	if fence, unreadable := libitem.Optional(stored, attrFence); failed && unreadable == nil && fence == h.fence {
		err, failed = nil, false // it was released before
	}
	if failed {
		err = refused(err, ErrLost)
	}
	if err == nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.until = time.Time{}
	}
	return err
}

// Check returns an operation for [tx.Write]: a condition check that the lock is still held under
// this lease. It also holds after the lease has ended, as long as no other holder acquired the
// lock. If it fails, the operation's error is [ErrLost], and nothing of the transaction is applied.
// It costs two write units.
//
// The locks and the other operations of the transaction must be of the same handle: all of the
// table itself, or all of one tenant. Otherwise the error is [trestle.ErrInvalid].
func (h *Lease) Check() entity.Operation {
	if err := h.ready(opHeld); err != nil {
		return libitem.InvalidOperation(err)
	}
	l := h.locks
	a := h.own().Action()
	a.Plan, a.Label = l.plan, "the lock"
	for i := range a.Clauses {
		a.Clauses[i].Fails = ErrLost
	}
	return libitem.Operation(l.exec, l.plan, repo.Addition{Subject: a.Key, Plan: func(bool) (op.Operation, error) {
		return op.Operation{Name: opHeld, Plan: l.plan, Actions: []op.Action{a}}, nil
	}})
}

// own returns an update of the lock that is conditional on this lease.
func (h *Lease) own() *libitem.Update {
	key, _ := h.locks.key(h.name) // it was acquired with the key
	u := libitem.NewUpdate(key)
	u.Require(clause.Value(attrOwner, text(h.owner)))
	u.Require(clause.Value(attrFence, libitem.Number(h.fence)))
	return u
}

// isOwnerOf reports whether an item is the lock under this lease.
func (h *Lease) isOwnerOf(item op.Item) bool {
	owner, ok := item[attrOwner].(*types.AttributeValueMemberS)
	fence, err := libitem.Optional(item, attrFence)
	return ok && owner.Value == h.owner && err == nil && fence == h.fence
}
