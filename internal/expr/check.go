package expr

import (
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
)

var errNil = invalid("", "a condition or change is nil", "make it with package attr, or leave it out")

// invalid returns a validation error for a condition or a change.
func invalid(field, reason, hint string) error { return errs.New(field, reason, hint) }

// limitExceeded returns an error for an exceeded limit of DynamoDB.
func limitExceeded(field, reason, hint string) error {
	var p errs.Problems
	p.AddLimit(field, reason, hint)
	return p.Err()
}

// Err returns the error of problems. Limits are reported only if there is no other problem.
func Err(problems errs.Problems) error {
	isLimit := func(p errs.Problem) bool { return p.Limit }
	if others := slices.DeleteFunc(slices.Clone(problems), isLimit); len(others) > 0 {
		return others.Err()
	}
	return problems.Err()
}

// checkType returns an error if an operator accepts none of these attribute types: DynamoDB refuses
// it, or it is never true.
func checkType(accepts *acceptedTypes, path *core.Path, w codec.Wire) error {
	if accepts == nil || w&accepts.types != 0 {
		return nil
	}
	return invalid(path.String(), "is stored as "+w.String()+", which "+accepts.others, "")
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

// encodeAll encodes the operands of a condition. It returns an error for operands that DynamoDB
// refuses, or that no value can satisfy.
func encodeAll(c *Cond, encode func(arg any) (types.AttributeValue, error), order func(a, b types.AttributeValue) int) ([]types.AttributeValue, error) {
	vals := make([]types.AttributeValue, len(c.Args))
	for i, arg := range c.Args {
		var err error
		if vals[i], err = encode(arg); err != nil {
			return nil, err
		}
	}
	return vals, checkOperands(c, vals, order)
}

func checkOperands(c *Cond, vals []types.AttributeValue, order func(a, b types.AttributeValue) int) error {
	switch {
	case c.Op == In && len(vals) == 0:
		return invalid(nameOf(c), "In is given no operands", "leave it out: nothing can match")
	case c.Op == In && len(vals) > MaxIn:
		return limitExceeded(nameOf(c), "In is given "+strconv.Itoa(len(vals))+" operands, which exceeds 100", "use several requests")
	}
	for _, v := range vals {
		if v == nil {
			return invalid(c.Path.String(), "the operand is nil", "")
		}
		if operators[c.Op].operand == operandValue {
			if err := checkType(operators[c.Op].accepts, c.Path, codec.WireOf(v)); err != nil {
				return err
			}
		}
	}
	if len(vals) != 2 || !c.Op.ordered() {
		return nil
	}
	if codec.WireOf(vals[0]) != codec.WireOf(vals[1]) {
		return invalid(nameOf(c), "its bounds have different types", "")
	}
	if order(vals[0], vals[1]) > 0 {
		return invalid(nameOf(c), "its bounds are reversed", "pass the lower bound first")
	}
	return nil
}
