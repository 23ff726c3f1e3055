package expr

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
)

// formatted reports whether a path names a field that is itself a key attribute and whose template
// has a format. The template then compiles its conditions, because a format may reverse the order
// or be unable to hold an operand.
func formatted(b *core.Bound) bool {
	return b.Whole() && b.Field != nil && b.Key != nil && b.Key.Field == b.Field && b.Key.Template.Fields()[0].Format != ""
}

// native compiles an operator on a formatted field.
func (k *compiler) native(c *Cond, b *core.Bound) (piece, error) {
	vals := make([]keys.Value, len(c.Args))
	for i, arg := range c.Args {
		var err error
		if vals[i], err = key(b, c.Path, arg, c.Op); err != nil {
			return piece{}, err
		}
	}
	switch c.Op {
	case Ne, In:
		texts, err := exacts(c, b, vals)
		if err != nil {
			return piece{}, err
		}
		return k.operate(c.Op, k.b.Path(b), texts), nil
	case Substring:
		return k.within(c, b, vals)
	default:
		return k.inRange(c, b, keyOps[c.Op], vals...)
	}
}

// The formats whose text determines the size of the value.
const (
	formatLower = "lower"
	formatUpper = "upper"
	formatHex   = "hex"
)

// folds reports whether a format changes only the case of a text.
func folds(f keys.Field) bool {
	return f.Kind == keys.KindText && (f.Format == formatLower || f.Format == formatUpper)
}

// within compiles a search for a part of a text. In hex, a match could begin in the middle of a
// byte. In other formats, a part of the text has no defined meaning.
func (k *compiler) within(c *Cond, b *core.Bound, part []keys.Value) (piece, error) {
	field := b.Key.Template.Fields()[0]
	if !folds(field) {
		return piece{}, refuse(c.Path.String(), "is written in the format "+field.Format+", in which no part can be searched for",
			"ask BeginsWith or Eq, or keep the value in an attribute that is no key by itself")
	}
	texts, err := exacts(c, b, part)
	if err != nil {
		return piece{}, err
	}
	return k.operate(Substring, k.b.Path(b), texts), nil
}

// textSize returns the size of the text of values of size n. It returns an error for formats whose
// text does not determine the size of the value.
func textSize(c *Cond, b *core.Bound, n int) (types.AttributeValue, error) {
	switch field := b.Key.Template.Fields()[0]; {
	case folds(field):
		return number(n), nil
	case field.Kind == keys.KindBytes && field.Format == formatHex:
		return &types.AttributeValueMemberN{Value: strconv.FormatUint(2*uint64(n), 10)}, nil //nolint:gosec // never negative
	default:
		return nil, refuse(c.Path.String(), "is written in the format "+field.Format+", whose text does not tell a size",
			"keep the size in an attribute of its own")
	}
}

var keyOps = map[Op]keyspace.Op{Eq: keyspace.Eq, Lt: keyspace.Lt, Le: keyspace.Le, Gt: keyspace.Gt, Ge: keyspace.Ge, Between: keyspace.Between, Within: keyspace.During, BeginsWith: keyspace.BeginsWith}

// exacts returns operands as they are stored. An operand that the format cannot hold is an error.
func exacts(c *Cond, b *core.Bound, vals []keys.Value) ([]types.AttributeValue, error) {
	texts := make([]types.AttributeValue, len(vals))
	for i, v := range vals {
		r, err := b.Key.Template.Range(nil, keyspace.Eq, v)
		if err != nil {
			return nil, fail.Because(c.Path.String(), err)
		}
		texts[i] = core.KeyValue(b.Key.Type, r.Lo)
	}
	return texts, sensible(c, texts, compareValues)
}

// inRange compiles the range of keys that the template returns for an operator.
func (k *compiler) inRange(c *Cond, b *core.Bound, op keyspace.Op, vals ...keys.Value) (piece, error) {
	r, err := b.Key.Template.Range(nil, op, vals...)
	if err != nil {
		return piece{}, fail.Because(c.Path.String(), err)
	}
	if r.Op == keyspace.Between {
		return k.operate(Between, k.b.Path(b), []types.AttributeValue{core.KeyValue(b.Key.Type, r.Lo), core.KeyValue(b.Key.Type, r.Hi)}), nil
	}
	if r.Op == keyspace.None {
		return k.never(k.b.Path(b)), nil
	}
	return k.operate(rangeOps[r.Op], k.b.Path(b), []types.AttributeValue{core.KeyValue(b.Key.Type, r.Lo)}), nil
}

// never returns a condition that no item satisfies. A key condition with such a range sends no
// request and returns no items.
func (k *compiler) never(path string) piece {
	return k.joined(And, k.function(Exists, path).text, k.function(NotExists, path).text)
}

// rangeOps maps the operators of ranges to those of conditions.
var rangeOps = map[keyspace.Op]Op{
	keyspace.Eq: Eq, keyspace.BeginsWith: BeginsWith, keyspace.Lt: Lt, keyspace.Le: Le, keyspace.Gt: Gt, keyspace.Ge: Ge,
}
