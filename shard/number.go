package shard

import (
	"math"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// number returns an integer as an attribute value.
func number(n int64) core.AV {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

// numberIn returns an integer of an item. It returns 0 if the item lacks the attribute.
func numberIn(item op.Item, attribute string) (int64, error) {
	if item[attribute] == nil {
		return 0, nil
	}
	return integer(attribute, item[attribute])
}

// required returns an integer that a stored item must have.
func required(item op.Item, attribute string) (int64, error) {
	if item[attribute] == nil {
		return 0, unreadable(attribute, "the attribute is missing")
	}
	return integer(attribute, item[attribute])
}

func integer(attribute string, av core.AV) (int64, error) {
	if n, ok := av.(*types.AttributeValueMemberN); ok {
		if i, err := strconv.ParseInt(n.Value, 10, 64); err == nil {
			return i, nil
		}
	}
	return 0, unreadable(attribute, "the attribute is no integer of 64 bits")
}

// unreadable returns the error of an item that was read. It is no sentinel error.
func unreadable(attribute, reason string) error {
	return errs.Unassignable(attribute, reason, "look for another program that writes the items of the counter")
}

// sum adds two integers.
func sum(a, b int64) (int64, error) {
	if b > 0 && a > math.MaxInt64-b || b < 0 && a < math.MinInt64-b {
		return 0, errs.Unassignable("", "the total exceeds the integers of 64 bits", "divide the count among several counters")
	}
	return a + b, nil
}

// timeIn returns a time in nanoseconds since 1970 of an item, or the zero time.
func timeIn(item op.Item, attribute string) (time.Time, error) {
	n, err := numberIn(item, attribute)
	if err != nil || n == 0 {
		return time.Time{}, err
	}
	return time.Unix(0, n).UTC(), nil
}
