package core

import (
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/keyspace"
)

// Expiry decides whether items have expired at a time. For the zero value, no item has.
//
// An item has expired from the second in its time to live on. Values that DynamoDB ignores do not
// expire: other types than N, and times more than five years in the past. DynamoDB never deletes
// such an item, so nobody would find it if reads did not return it.
type Expiry struct{ first, last int64 } // the times to live of expired items

// ExpiryYears is how long DynamoDB deletes an item after it expired.
const ExpiryYears = 5 * 365 * 24 * time.Hour

// ExpiryAt returns the Expiry for a time, which is truncated to seconds.
func ExpiryAt(now time.Time) Expiry {
	last := max(1, now.Unix())
	return Expiry{first: max(1, last-int64(ExpiryYears/time.Second)), last: last}
}

// ExpiryOf returns the Expiry for the time of a clock, or the zero value if the type has no time to
// live.
func ExpiryOf(p *Plan, now func() time.Time) Expiry {
	if p.TTL == nil {
		return Expiry{}
	}
	return ExpiryAt(now())
}

// maxSeconds is the largest time to live that can be meant in seconds, of the year 5138. A time in
// milliseconds is larger since 1973.
const maxSeconds = 99_999_999_999

// InMilliseconds reports whether a time to live can only be meant in milliseconds.
func InMilliseconds(av AV) bool {
	n, ok := av.(*types.AttributeValueMemberN)
	return ok && keyspace.CompareNumbers(n.Value, decimal(maxSeconds)) > 0
}

// IsZero reports whether no item has expired.
func (e Expiry) IsZero() bool { return e.last == 0 }

// Expired reports whether an item of a type has expired. The plan is nil for no registered type.
func (e Expiry) Expired(p *Plan, row Row) bool {
	if e.IsZero() || p == nil || p.TTL == nil {
		return false
	}
	return e.contains(timeToLiveOf(row.view(p.TTL.Name)))
}

// Dead reports whether a stored item is one of the type that has expired. Writes treat it as no
// item: all of them use Dead, or the same comparison in a condition. An expired item of another
// type exists.
func (e Expiry) Dead(p *Plan, row Row) bool { return e.Expired(p, row) && p.Admits(row) }

// Alive returns a stored item, or nil if it is dead.
func (e Expiry) Alive(p *Plan, item map[string]AV) map[string]AV {
	if e.Dead(p, NewRow(item)) {
		return nil
	}
	return item
}

// Contains reports whether an item with that time to live has expired.
func (e Expiry) Contains(av AV) bool { return e.contains(timeToLiveOf(viewOf(av))) }

func (e Expiry) contains(v timeToLive) bool {
	switch {
	case !v.number:
		return false
	case v.text == "":
		return e.first <= v.seconds && v.seconds <= e.last
	default:
		return keyspace.CompareNumbers(v.text, decimal(e.first)) >= 0 && keyspace.CompareNumbers(v.text, decimal(e.last)) <= 0
	}
}

// Ignores reports whether DynamoDB never deletes an item because of the value of its time to live:
// another type than N, a time in milliseconds, or one more than five years in the past.
func (e Expiry) Ignores(av AV) bool { return e.ignores(timeToLiveOf(viewOf(av))) }

// IgnoresIn is Ignores for an item of a type.
func (e Expiry) IgnoresIn(p *Plan, row Row) bool {
	return p.TTL != nil && e.ignores(timeToLiveOf(row.view(p.TTL.Name)))
}

func (e Expiry) ignores(v timeToLive) bool {
	switch {
	case !v.number:
		return v.present
	case v.text == "":
		return v.seconds < e.first || v.seconds > maxSeconds
	default:
		return keyspace.CompareNumbers(v.text, decimal(maxSeconds)) > 0 || keyspace.CompareNumbers(v.text, decimal(e.first)) < 0
	}
}

// Bounds returns the first and the last time to live of expired items, as operands of an
// expression.
func (e Expiry) Bounds() (first, last AV) {
	return &types.AttributeValueMemberN{Value: decimal(e.first)}, &types.AttributeValueMemberN{Value: decimal(e.last)}
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// timeToLive is the value of an item's time to live.
type timeToLive struct {
	present, number bool
	seconds         int64
	text            string // of a number that is no int64
}

// timeToLiveOf returns the value of an attribute, of which a row or an attribute value has that
// view. NULL counts as absent.
func timeToLiveOf(t itemjson.Type, text string) timeToLive {
	if t != itemjson.N {
		return timeToLive{present: t != 0 && t != itemjson.NULL}
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return timeToLive{present: true, number: true, text: text}
	}
	return timeToLive{present: true, number: true, seconds: seconds}
}

// Expires reports whether the type has a time to live, or whether any type has if p is nil.
func (s *Schema) Expires(p *Plan) bool {
	if p != nil {
		return p.TTL != nil
	}
	for _, p := range s.Plans {
		if p.TTL != nil {
			return true
		}
	}
	return false
}
