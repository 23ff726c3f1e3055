package keys

import (
	"fmt"
	"time"

	"github.com/trestledb/trestle/internal/keyspace"
)

// Space returns the set of keys of the template. It is for Trestle's own packages: its result is of
// an internal type.
func (t *Template) Space() *keyspace.Space { return &t.orZero().space }

// Range returns the keys whose first placeholders have the fixed values and whose next placeholder
// matches the comparison. Without a comparison (the operator All) fixed can have a value for every
// placeholder. The range contains exactly these keys of the template. It contains no key of another
// template, unless the two templates have keys in common. In raw mode both hold only if no value
// and no operand contains a byte below the delimiter. Range is for Trestle's own packages: its
// operators are of an internal type.
//
// Errors are a *[ValueError] that wraps [ErrNotExact] for an operand or a fixed value that the
// format cannot represent, [ErrOperator] for an operator that the format does not support,
// [ErrReversed] for bounds in the wrong order, or an error of Append.
func (t *Template) Range(fixed []Value, op keyspace.Op, operands ...Value) (keyspace.Range, error) {
	t = t.orZero()
	i := len(fixed)
	if op == keyspace.All && len(operands) == 0 {
		return t.all(fixed)
	}
	if i >= len(t.placeholders) {
		return keyspace.Range{}, t.wrongCount(i+1, "at most ")
	}
	p := &t.placeholders[i]
	if invalid := p.check(op, len(operands)); invalid != nil {
		return keyspace.Range{}, t.locate(i, invalid)
	}
	if op == keyspace.Eq {
		return t.all(append(fixed[:i:i], operands[0]))
	}
	if op == keyspace.During && p.endsAfterYears(operands[1]) {
		op, operands = keyspace.Ge, operands[:1]
	}
	prefix, err := t.prefix(fixed)
	if err != nil {
		return keyspace.Range{}, err
	}
	c := keyspace.Comparison{Op: op}
	if c.Lo, err = t.operand(prefix, i, operands[0]); err != nil {
		return keyspace.Range{}, err
	}
	if len(operands) == 2 {
		if c.Hi, err = t.operand(prefix, i, operands[1]); err != nil {
			return keyspace.Range{}, err
		}
		if p.desc {
			c.Lo, c.Hi = c.Hi, c.Lo
		}
		switch order := t.space.CompareKeys(c.Lo, c.Hi); {
		case order > 0:
			return keyspace.Range{}, t.locate(i, newValueError(ErrReversed, "the lower bound sorts after the upper bound in keys", ""))
		case order == 0 && op == keyspace.During:
			return keyspace.Range{}, nil
		}
	}
	if p.desc {
		c.Op = op.Reversed()
	}
	if c.Op == keyspace.Lt || c.Op == keyspace.During {
		c.Before = t.before(prefix, i, operands[len(operands)-1])
	}
	return t.space.Compare(i, prefix, c), nil
}

// all returns the range of all keys whose first placeholders have these values.
func (t *Template) all(fixed []Value) (keyspace.Range, error) {
	if len(fixed) >= len(t.space.Literals) {
		return keyspace.Range{}, t.wrongCount(len(fixed), "at most ")
	}
	prefix, err := t.prefix(fixed)
	if err != nil {
		return keyspace.Range{}, err
	}
	return t.space.Range(len(fixed), prefix), nil
}

// check returns an error if the placeholder does not support the operator or the number of
// operands.
func (p *placeholder) check(op keyspace.Op, operands int) *ValueError {
	switch want := op.Operands(); {
	case op == keyspace.None || op > keyspace.During:
		return newValueError(ErrOperator, "there is no such operator", "")
	case operands != want:
		return newValueError(ErrInvalid, fmt.Sprintf("the operator %q takes %s, not %d", op, counted(want, "operand"), operands), "")
	case op == keyspace.BeginsWith && !p.keepsPrefixes:
		return newValueError(ErrOperator, "only text and bytes have prefixes", "")
	case op != keyspace.Eq && !p.ordered:
		return newValueError(ErrOperator, "the format does not keep the order", "compare for equality only")
	}
	return nil
}

// afterYears is the first instant after the years that the date formats can write. Their last
// period ends there.
var afterYears = time.Date(maxYear+1, time.January, 1, 0, 0, 0, 0, time.UTC)

// endsAfterYears reports whether v is afterYears and the placeholder has a time format that cannot
// write it.
func (p *placeholder) endsAfterYears(v Value) bool {
	if _, ok := p.codec.(bounded); !ok || p.Kind != KindTime || v.Kind() != KindTime || !v.Time().Equal(afterYears) {
		return false
	}
	_, invalid := p.codec.encode(nil, v)
	return invalid != nil
}

// before returns the key text up to the value before v in the order of keys. It is empty if the
// values of the format have no predecessor or something follows the placeholder.
func (t *Template) before(prefix string, i int, v Value) string {
	p := &t.placeholders[i]
	c, ok := p.codec.(discrete)
	if !ok || !t.space.IsLast(i) {
		return ""
	}
	dir := -1
	if p.desc {
		dir = 1
	}
	return prefix + t.space.Mode.Segment(encoded(c, c.step(v, dir)))
}
