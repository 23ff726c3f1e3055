package expr

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// An attribute or an entry of a map that holds NULL counts as absent: it is read as nil, and other
// programs write it for nil. DynamoDB does not know this, so conditions name both states.

// optional reports whether a place can be absent. Attributes of the table's key are always there.
// In a list, NULL is an element like any other.
func optional(b *core.BoundPath) bool {
	if n := len(b.Elements); n > 0 {
		return b.Elements[n-1].Name != ""
	}
	return b.Key == nil || !b.Key.Table
}

func nullValue() types.AttributeValue { return &types.AttributeValueMemberNULL{Value: true} }

func isNull(av types.AttributeValue) bool { return codec.WireOf(av) == codec.WireNULL }

// existence compiles Exists and NotExists.
func existence(op Op, b *core.BoundPath) clause.Pred {
	switch p := test(op, b); {
	case !optional(b):
		return p
	case op == Exists:
		return clause.And{p, clause.NotNull{At: b}}
	default:
		return clause.Or{p, clause.IsNull{At: b}}
	}
}

// comparison compiles an operator with values. Nil equals what is absent.
func comparison(op Op, b *core.BoundPath, vals []types.AttributeValue) clause.Pred {
	if !optional(b) {
		return test(op, b, vals...)
	}
	switch op {
	case Eq, Ne:
		if isNull(vals[0]) {
			return existence(map[Op]Op{Eq: NotExists, Ne: Exists}[op], b)
		}
	case In:
		values := make([]types.AttributeValue, 0, len(vals))
		for _, av := range vals {
			if !isNull(av) {
				values = append(values, av)
			}
		}
		switch {
		case len(values) == 0:
			return existence(NotExists, b)
		case len(values) < len(vals):
			return clause.Or{test(In, b, values...), existence(NotExists, b)}
		}
	}
	return test(op, b, vals...)
}

// ofPaths compiles a comparison of two places. Two absent ones are not equal, and so are two NULLs.
func ofPaths(op Op, b, o *core.BoundPath) clause.Pred {
	p := clause.Test{Is: operators[op].is, At: b, Other: o}
	at := b
	if !optional(at) {
		at = o
	}
	switch {
	case !optional(at):
		return p
	case op == Eq:
		return clause.And{p, clause.NotNull{At: at}}
	case op == Ne:
		return clause.Or{p, clause.IsNull{At: at}}
	default: // NULL has no order
		return p
	}
}

// isNothing reports whether the value that arg points to is nil, or a set without elements, which
// Put leaves out at the place, or stores as NULL.
func isNothing(b *core.BoundPath, arg any) bool {
	if f := b.Leaf.Field; f != nil {
		return f.IsNothing(arg)
	}
	v := reflect.ValueOf(arg).Elem()
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return true
		}
		v = v.Elem()
	}
	return (v.Kind() == reflect.Map || v.Kind() == reflect.Slice) && v.IsNil()
}
