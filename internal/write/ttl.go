package write

import (
	"maps"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// checkTTL reports a time to live in milliseconds: DynamoDB would never delete the item.
func checkTTL(p *core.Plan, av core.AV, wrong *errs.Problems) {
	if p.TTL != nil && core.InMilliseconds(av) {
		wrong.Add(p.TTL.Name, "the time to live is after the year 5138", "use seconds since 1970, not milliseconds")
	}
}

// checkTTLChange reports a change that stores or adds a number in milliseconds.
func checkTTLChange(p *core.Plan, b *expr.BoundChange, wrong *errs.Problems) {
	if b.Verb == expr.Remove || !b.Whole() {
		return
	}
	v, err := b.Value()
	if err != nil || v.IsAbsent() {
		return // reported with the change
	}
	av, err := encodeValue(p, p.TTL, v)
	switch {
	case err != nil:
	case b.Verb != expr.Add:
		checkTTL(p, av, wrong)
	case core.InMilliseconds(av):
		wrong.Add(p.TTL.Name, "more than 3,000 years are added to the time to live", "add seconds, not milliseconds")
	}
}

// The reasons why DynamoDB never deletes an item with a time to live, and what to do.
const (
	reasonMilliseconds = "is in milliseconds, so the item never expires: divide it by 1000"
	reasonNoNumber     = "is not of type N, so the item never expires: store the number of seconds since 1970, or remove the attribute"
	reasonTooOld       = "is more than five years in the past, so DynamoDB never deletes the item: delete the item, remove the attribute, or store a later time"
)

// ignoredTTL returns why DynamoDB never deletes an item although it has a time to live, or "".
func ignoredTTL(av core.AV, expiry core.Expiry) string {
	switch _, isNumber := av.(*types.AttributeValueMemberN); {
	case !expiry.Ignores(av):
		return ""
	case !isNumber:
		return reasonNoNumber
	case core.InMilliseconds(av):
		return reasonMilliseconds
	default:
		return reasonTooOld
	}
}

// withTTL returns an item with a time to live that a put accepts, so that its other attributes can
// be compared.
func withTTL(p *core.Plan, item op.Item, expiry core.Expiry) op.Item {
	item = maps.Clone(item)
	_, item[p.TTL.Name] = expiry.Bounds()
	return item
}
