package expr

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/keys"
)

// formatted reports whether a path names a field that is a key attribute by itself and is written in the format of its template: a format
// may turn the order around, and may not hold every operand, so the template says what is asked.
func formatted(b *core.Bound) bool {
	return b.Whole() && b.Field != nil && b.Key != nil && b.Key.Field == b.Field && b.Key.Template.Fields()[0].Format != ""
}

// native compiles an operator on such a field.
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
	default:
		return k.inRange(c, b, keyOps[c.Op], vals...)
	}
}

var keyOps = map[Op]keys.Op{Eq: keys.Eq, Lt: keys.Lt, Le: keys.Le, Gt: keys.Gt, Ge: keys.Ge, Between: keys.Between, Within: keys.During, BeginsWith: keys.BeginsWith}

// exacts gives operands as they are stored, and refuses one that the format cannot hold.
func exacts(c *Cond, b *core.Bound, vals []keys.Value) ([]types.AttributeValue, error) {
	texts := make([]types.AttributeValue, len(vals))
	for i, v := range vals {
		r, err := b.Key.Template.Range(nil, keys.Eq, v)
		if err != nil {
			return nil, fail.Because(c.Path.String(), err)
		}
		texts[i] = core.KeyValue(b.Key.Type, r.Lo)
	}
	return texts, sensible(c, texts, compareValues)
}

// inRange compiles the range of keys that the template makes of an operator.
func (k *compiler) inRange(c *Cond, b *core.Bound, op keys.Op, vals ...keys.Value) (piece, error) {
	r, err := b.Key.Template.Range(nil, op, vals...)
	if err != nil {
		return piece{}, fail.Because(c.Path.String(), err)
	}
	if r.Shape == keys.Within {
		return k.operate(Between, k.b.Path(b), []types.AttributeValue{core.KeyValue(b.Key.Type, r.Lo), core.KeyValue(b.Key.Type, r.Hi)}), nil
	}
	if r.Shape == keys.Empty {
		return k.never(k.b.Path(b)), nil
	}
	return k.operate(shapes[r.Shape], k.b.Path(b), []types.AttributeValue{core.KeyValue(b.Key.Type, r.Lo)}), nil
}

// never is a condition that holds of no item. A key that is asked for such a range finds nothing
// too, without a request.
func (k *compiler) never(path string) piece {
	return k.joined(And, k.function(Exists, path).text, k.function(NotExists, path).text)
}

var shapes = map[keys.Shape]Op{
	keys.Exact: Eq, keys.Prefix: BeginsWith, keys.Less: Lt, keys.LessEq: Le, keys.Greater: Gt, keys.GreaterEq: Ge,
}
