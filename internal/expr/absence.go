package expr

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

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

// IsNull returns the condition that a place holds NULL, for Eq, or does not, for Ne. An absent
// place does not.
func (b *Builder) IsNull(op Op, at *core.BoundPath) string {
	return expand(operators[op].text, b.Path(at), b.Null())
}

// existence compiles Exists and NotExists.
func (k *compiler) existence(op Op, b *core.BoundPath) fragment {
	path := k.b.Path(b)
	f := k.render(op, path)
	if !optional(b) {
		return f
	}
	if op == Exists {
		return joined(And, f.text, k.b.IsNull(Ne, b))
	}
	return joined(Or, f.text, k.b.IsNull(Eq, b))
}

// comparison compiles an operator with values. Nil equals what is absent.
func (k *compiler) comparison(op Op, b *core.BoundPath, vals []types.AttributeValue) fragment {
	if !optional(b) {
		return k.render(op, k.b.Path(b), vals...)
	}
	switch op {
	case Eq, Ne:
		if isNull(vals[0]) {
			return k.existence(map[Op]Op{Eq: NotExists, Ne: Exists}[op], b)
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
			return k.existence(NotExists, b)
		case len(values) < len(vals):
			return joined(Or, k.render(In, k.b.Path(b), values...).text, k.existence(NotExists, b).text)
		}
	}
	return k.render(op, k.b.Path(b), vals...)
}

// paths compiles a comparison of two places. Two absent ones are not equal, and so are two NULLs.
func (k *compiler) paths(op Op, b, o *core.BoundPath) fragment {
	f := fragment{expand(operators[op].text, k.b.Path(b), k.b.Path(o)), 0}
	at := b
	if !optional(at) {
		at = o
	}
	switch {
	case !optional(at):
		return f
	case op == Eq:
		return joined(And, f.text, k.b.IsNull(Ne, at))
	case op == Ne:
		return joined(Or, f.text, k.b.IsNull(Eq, at))
	default: // NULL has no order
		return f
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
