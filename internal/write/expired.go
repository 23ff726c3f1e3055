package write

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
)

// dead returns the condition that an item has expired. expires is false if no item can.
func (c *conditions) dead() (pred clause.Pred, expires bool) {
	if c.expiry.IsZero() || c.plan.TTL == nil {
		return nil, false
	}
	c.aware = true
	return clause.Expired{Attribute: c.plan.TTL.Name, Expiry: c.expiry}, true
}

// requireUnexpired requires that the item has not expired. It also holds without an item.
func (c *conditions) requireUnexpired() { c.requireAlive(clause.Rest, clause.Fail) }

func (c *conditions) requireAlive(rank clause.Rank, then clause.Then) {
	if dead, expires := c.dead(); expires {
		c.add(clause.Clause{Pred: clause.Not{Pred: dead}, Rank: rank, Then: then})
	}
}

// requireAnew is requireUnexpired for a write that begins anew on an expired item.
func (c *conditions) requireAnew() {
	c.requireAlive(clause.Dead, clause.Bury)
}

// requireNew requires that the item does not exist, or has expired: the write creates it.
func (c *conditions) requireNew() {
	c.creates = true
	c.requireNone(clause.Clause{Fails: errs.Exists, Rank: clause.Existence})
}

// requireNone makes a clause of the condition that the item does not exist, or has expired.
func (c *conditions) requireNone(l clause.Clause) {
	c.once = true
	l.Pred = c.noItem()
	if dead, expires := c.dead(); expires {
		l.Pred = clause.Or{l.Pred, dead}
	}
	c.add(l)
}

// mayExpire reports whether the item may have expired after the update, because the update changes
// the time to live. Its condition does not hold then.
func (u *updateCall) mayExpire() bool {
	return !u.Expiry.IsZero() && slices.ContainsFunc(u.changes, func(b *expr.BoundChange) bool {
		av, known := u.ttl(b)
		return b.Field() != nil && b.Field() == u.Plan.TTL && (!known || u.Expiry.Contains(av))
	})
}

// ttl returns the time to live that a change stores, or nil for none. It returns false if it is
// another field, or if only DynamoDB computes it.
func (u *updateCall) ttl(b *expr.BoundChange) (types.AttributeValue, bool) {
	if f := b.Field(); f == nil || f != u.Plan.TTL {
		return nil, false
	}
	return u.constant(b)
}

// constant returns the attribute value of a changed field after the update, or nil for none. It
// returns false if only DynamoDB computes it.
func (u *updateCall) constant(b *expr.BoundChange) (types.AttributeValue, bool) {
	if !b.Constant() {
		return nil, false
	}
	v, err := b.Value()
	if err != nil || v.IsAbsent() {
		return nil, err == nil
	}
	av, err := encodeValue(u.Plan, b.Field(), v)
	return av, err == nil
}
