package libitem

import (
	"math"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// Number returns an integer as an attribute value.
func Number(n int64) core.AV {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

// Negative returns the negative of an integer as an attribute value.
func Negative(n int64) core.AV {
	if n == math.MinInt64 {
		return &types.AttributeValueMemberN{Value: strconv.FormatUint(1<<63, 10)}
	}
	return Number(-n)
}

// Optional returns an integer of an item. It returns 0 if the item lacks the attribute.
func Optional(item op.Item, attribute string) (int64, error) {
	if item[attribute] == nil {
		return 0, nil
	}
	return Integer(attribute, item[attribute])
}

// Required returns an integer that a stored item must have.
func Required(item op.Item, attribute string) (int64, error) {
	if item[attribute] == nil {
		return 0, Unreadable(attribute, "the attribute is missing")
	}
	return Integer(attribute, item[attribute])
}

// Integer returns an integer that is the value of an attribute.
func Integer(attribute string, av core.AV) (int64, error) {
	if n, ok := av.(*types.AttributeValueMemberN); ok {
		if i, err := strconv.ParseInt(n.Value, 10, 64); err == nil {
			return i, nil
		}
	}
	return 0, Unreadable(attribute, "the attribute is no integer of 64 bits")
}

// Unreadable returns the error of an item that was read. It is no sentinel error.
func Unreadable(attribute, reason string) error {
	return errs.Unassignable(attribute, reason, "look for another program that writes the items of the library")
}
