package expr

import (
	"bytes"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// checkType returns an error for an operator that DynamoDB refuses, or that is never true, for
// these attribute types.
func checkType(op Op, path *core.Path, w codec.Wire) error {
	var takes codec.Wire
	var reason string
	switch {
	case op.ordered():
		takes, reason = scalars, "which has no order"
	case op == BeginsWith || op == Substring:
		takes, reason = texts, "which is neither text nor bytes"
	case op == Contains:
		takes, reason = sets|codec.WireL, "which has no elements"
	default:
		return nil
	}
	if w&takes != 0 {
		return nil
	}
	return invalid(path.String(), "is stored as "+w.String()+", "+reason, "")
}

// checkOrder returns an error for an ordered operator if the stored values do not sort in the order
// of the Go values.
func checkOrder(op Op, path *core.Path, leaf core.Leaf) error {
	switch {
	case !op.ordered() || storedTypes(leaf)&scalars != codec.WireS:
		return nil
	case storesNumber(leaf):
		return invalid(path.String(), "numbers that are stored as text do not sort by value", "remove the tag option string")
	case leaf.Node != nil && leaf.Node.TimeText():
		return invalid(path.String(), "times that their struct type stores as text do not sort chronologically", "declare the field time.Time")
	default:
		return nil
	}
}

// storesNumber reports whether a place holds numbers, also behind pointers, that no method of their
// type encodes.
func storesNumber(leaf core.Leaf) bool {
	n := indirect(leaf.Node)
	if n == nil || n.Enc != 0 {
		return false
	}
	switch n.Kind {
	case codec.KindInt, codec.KindUint, codec.KindFloat, codec.KindNumber:
		return true
	default:
		return false
	}
}

// indirect returns the node after pointers.
func indirect(n *codec.Node) *codec.Node {
	for n != nil && n.Kind == codec.KindPtr && n.Enc == 0 {
		n = n.Elem
	}
	return n
}

func hasElements(w codec.Wire) bool { return w&(sets|codec.WireL) != 0 }

// checkOperands returns an error for operands that DynamoDB refuses, or that no value can satisfy.
func checkOperands(c *Cond, vals []types.AttributeValue, order func(a, b types.AttributeValue) int) error {
	name := c.Path.String()
	switch {
	case c.Op == In && len(vals) == 0:
		return invalid(name, "In is given no operands", "leave it out: nothing can match")
	case c.Op == In && len(vals) > MaxIn:
		return limitExceeded(name, "In is given "+strconv.Itoa(len(vals))+" operands, which exceeds 100", "use several requests")
	}
	for _, v := range vals {
		if err := checkOperand(c, v); err != nil {
			return err
		}
	}
	if c.Op != Between && c.Op != During {
		return nil
	}
	if wire(vals[0]) != wire(vals[1]) {
		return invalid(name, "its bounds have different types", "")
	}
	if order(vals[0], vals[1]) > 0 {
		return invalid(name, "its bounds are reversed", "pass the lower bound first")
	}
	return nil
}

func checkOperand(c *Cond, v types.AttributeValue) error {
	w := wire(v)
	switch {
	case w == 0:
		return invalid(c.Path.String(), "the operand is nil", "")
	case emptySet(v):
		return invalid(c.Path.String(), "the operand is an empty set, which DynamoDB does not store", "use NotExists instead")
	default:
		return checkType(c.Op, c.Path, w)
	}
}

// compareValues compares two values of the same scalar type as DynamoDB does: text and binary by
// bytes, numbers by value.
func compareValues(a, b types.AttributeValue) int {
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		return bytes.Compare([]byte(a.Value), []byte(b.(*types.AttributeValueMemberS).Value))
	case *types.AttributeValueMemberB:
		return bytes.Compare(a.Value, b.(*types.AttributeValueMemberB).Value)
	case *types.AttributeValueMemberN:
		return compareNumbers(a.Value, b.(*types.AttributeValueMemberN).Value)
	default:
		return 0
	}
}
