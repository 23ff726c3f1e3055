package differential

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// nestedAttributes: DynamoDB Local returns the whole attribute if an update names a part of it. It
// must contain what the candidate returns.
func nestedAttributes(m outcomes, d difference) bool {
	in, ok := m.op.input.(*dynamodb.UpdateItemInput)
	if !ok || d.what != factAttributes || in.ReturnValues != types.ReturnValueUpdatedNew && in.ReturnValues != types.ReturnValueUpdatedOld {
		return false
	}
	return strings.ContainsAny(aws.ToString(in.UpdateExpression), ".[") && part(mapping(m.candidate.attributes), mapping(m.reference.attributes))
}

// part reports whether small is large without some members and elements.
func part(small, large value) bool {
	switch small := small.(type) {
	case *types.AttributeValueMemberM:
		large, ok := large.(*types.AttributeValueMemberM)
		if !ok {
			return false
		}
		for name, v := range small.Value {
			if !part(v, large.Value[name]) {
				return false
			}
		}
		return true
	case *types.AttributeValueMemberL:
		large, ok := large.(*types.AttributeValueMemberL)
		if !ok {
			return false
		}
		rest := large.Value
		for _, v := range small.Value {
			for len(rest) > 0 && !part(v, rest[0]) {
				rest = rest[1:]
			}
			if len(rest) == 0 {
				return false
			}
			rest = rest[1:]
		}
		return true
	default:
		return spelling{plain: true}.value(small) == spelling{plain: true}.value(large)
	}
}
