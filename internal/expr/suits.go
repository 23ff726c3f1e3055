package expr

import (
	"bytes"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// suits returns an error for an operator that DynamoDB refuses, or that is never true, for these
// attribute types.
func suits(op Op, path *core.Path, w codec.Wire) error {
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
	return refuse(path.String(), "is stored as "+w.String()+", "+reason, "")
}

// sorts returns an error for an ordered operator if the stored values do not sort in the order of
// the Go values.
func sorts(op Op, path *core.Path, leaf core.Leaf) error {
	switch {
	case !op.ordered() || wireOf(leaf)&scalars != codec.WireS:
		return nil
	case storesNumber(leaf):
		return refuse(path.String(), "numbers that are stored as text do not sort by it", "drop the tag option string")
	case leaf.Node != nil && leaf.Node.TimeText():
		return refuse(path.String(), "times that their struct type stores as text do not sort by it", "declare the field time.Time")
	default:
		return nil
	}
}

// storesNumber reports whether a place holds numbers, also behind pointers, that no method of their
// type encodes.
func storesNumber(leaf core.Leaf) bool {
	n := under(leaf.Node)
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

// under returns the node after pointers.
func under(n *codec.Node) *codec.Node {
	for n != nil && n.Kind == codec.KindPtr && n.Enc == 0 {
		n = n.Elem
	}
	return n
}

func suitsElements(w codec.Wire) bool { return w&(sets|codec.WireL) != 0 }

// sensible returns an error for operands that DynamoDB refuses, or that no value can satisfy.
func sensible(c *Cond, vals []types.AttributeValue, order func(a, b types.AttributeValue) int) error {
	name := c.Path.String()
	switch {
	case c.Op == In && len(vals) == 0:
		return refuse(name, "In is given nothing to choose from", "leave the call out: nothing can match")
	case c.Op == In && len(vals) > MaxIn:
		return exceeds(name, "In is given "+strconv.Itoa(len(vals))+" operands, and 100 are the most", "ask in several calls")
	}
	for _, v := range vals {
		if err := suitsOperand(c, v); err != nil {
			return err
		}
	}
	if c.Op != Between && c.Op != During {
		return nil
	}
	if wire(vals[0]) != wire(vals[1]) {
		return refuse(name, "its bounds are of two types", "")
	}
	if order(vals[0], vals[1]) > 0 {
		return refuse(name, "its bounds are reversed", "give the lower one first")
	}
	return nil
}

func suitsOperand(c *Cond, v types.AttributeValue) error {
	w := wire(v)
	switch {
	case w == 0:
		return refuse(c.Path.String(), "the operand is nil", "")
	case emptySet(v):
		return refuse(c.Path.String(), "the operand is an empty set, which the service does not have", "ask NotExists instead")
	default:
		return suits(c.Op, c.Path, w)
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
		return codec.CompareNumbers(a.Value, b.(*types.AttributeValueMemberN).Value)
	default:
		return 0
	}
}
