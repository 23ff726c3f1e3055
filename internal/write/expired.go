package write

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/expr"
)

// between returns the comparison that an item has expired. expires is false if no item can.
func (c *conditions) between() (text string, expires bool) {
	if c.expiry.IsZero() || c.plan.TTL == nil {
		return "", false
	}
	c.check.Expiry = c.expiry
	first, last := c.expiry.Bounds()
	return c.builder.Name(c.plan.TTL.Name) + " BETWEEN " + c.builder.Value(first) + " AND " + c.builder.Value(last), true
}

// requireUnexpired requires that the item has not expired. It also holds without an item.
func (c *conditions) requireUnexpired() {
	if text, expires := c.between(); expires {
		c.parts = append(c.parts, "NOT "+text)
	}
}

// requireAnew is requireUnexpired for a write that begins anew on an expired item.
func (c *conditions) requireAnew() {
	c.requireUnexpired()
	c.check.Anew = !c.check.Expiry.IsZero()
}

// requireNoneUnexpired requires that the item does not exist, or has expired.
func (c *conditions) requireNoneUnexpired() {
	text, expires := c.between()
	if !expires {
		c.requireNoItem()
		return
	}
	c.once = true
	c.parts = append(c.parts, "(attribute_not_exists("+c.builder.Name(c.plan.Schema.Partition.Name)+") OR "+text+")")
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
