package expr

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
)

// formatted reports whether a path names a field that is itself a key attribute and whose template
// has a format. The template then compiles its conditions, because a format may reverse the order
// or be unable to hold an operand.
func formatted(b *core.BoundPath) bool {
	return b.Whole() && b.Field != nil && b.Key != nil && b.Key.Field == b.Field && b.Key.Template.Format(0) != ""
}

// compileKey compiles an operator on a formatted field.
func compileKey(c *Cond, b *core.BoundPath) (clause.Pred, error) {
	op := operators[c.Op].key
	if op == 0 || op == keyspace.Eq {
		texts, err := encodeExact(c, b)
		if err != nil {
			return nil, err
		}
		return comparison(c.Op, b, texts), nil
	}
	vals := make([]keys.Value, len(c.Args))
	for i, arg := range c.Args {
		var err error
		if vals[i], err = keyOperand(b, c.Path, arg, c.Op); err != nil {
			return nil, err
		}
	}
	r, err := b.Key.Template.Range(nil, op, vals...)
	if err != nil {
		return nil, errs.Wrap(c.Path.String(), err)
	}
	lo, hi := core.KeyValue(b.Key.Type, r.Lo), core.KeyValue(b.Key.Type, r.Hi)
	switch r.Op {
	case keyspace.None: // a key condition with this range sends no request
		return clause.And{test(Exists, b), test(NotExists, b)}, nil
	case keyspace.Between:
		return test(Between, b, lo, hi), nil
	default:
		return test(rangeOps[r.Op], b, lo), nil
	}
}

var rangeOps = [...]Op{
	keyspace.BeginsWith: BeginsWith, keyspace.Lt: Lt, keyspace.Le: Le, keyspace.Gt: Gt, keyspace.Ge: Ge,
}

// The formats whose text determines the size of the value.
const (
	formatLower = "lower"
	formatUpper = "upper"
	formatHex   = "hex"
)

// changesOnlyCase reports whether a format changes only the case of a text.
func changesOnlyCase(f keys.Field) bool {
	return f.Kind == keys.KindText && (f.Format == formatLower || f.Format == formatUpper)
}

// textSize returns the size of the text of values of size n. It returns an error for formats whose
// text does not determine the size of the value.
func textSize(c *Cond, b *core.BoundPath, n int) (types.AttributeValue, error) {
	switch field := b.Key.Template.Fields()[0]; {
	case changesOnlyCase(field):
		return numberValue(n), nil
	case field.Kind == keys.KindBytes && field.Format == formatHex:
		return &types.AttributeValueMemberN{Value: strconv.FormatUint(2*uint64(n), 10)}, nil //nolint:gosec // never negative
	default:
		return nil, invalid(c.Path.String(), "has the key format "+field.Format+", whose text does not determine the size of the value",
			"store the size in an attribute of its own")
	}
}

// encodeExact returns operands as they are stored: nil as NULL. An operand that the format cannot
// hold is an error.
func encodeExact(c *Cond, b *core.BoundPath) ([]types.AttributeValue, error) {
	field := b.Key.Template.Fields()[0]
	return encodeAll(c, func(arg any) (types.AttributeValue, error) {
		arg, err := convertOperand(b, c.Path, arg)
		if err != nil {
			return nil, err
		}
		if optional(b) && isNothing(b, arg) {
			return nullValue(), nil
		}
		v, err := keyOperand(b, c.Path, arg, c.Op)
		if err != nil {
			return nil, err
		}
		// In hex, a match could begin in the middle of a byte. In other formats, a part of the text
		// has no defined meaning.
		if c.Op == ContainsText && !changesOnlyCase(field) {
			return nil, invalid(c.Path.String(), "has the key format "+field.Format+", which does not support a search for a part of the value",
				"use BeginsWith or Eq, or store the value in an attribute that is not a key")
		}
		r, err := b.Key.Template.Range(nil, keyspace.Eq, v)
		if err != nil {
			return nil, errs.Wrap(c.Path.String(), err)
		}
		return core.KeyValue(b.Key.Type, r.Lo), nil
	}, core.CompareValues)
}
