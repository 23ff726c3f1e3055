package keys

import (
	"fmt"
	"time"
)

// Op is an operator that compares a placeholder with operands.
type Op uint8

// The operators. They compare values with the precision that their formats keep; see
// [Template.Range].
const (
	Eq Op = iota + 1
	Lt
	Le
	Gt
	Ge
	Between // two operands, both included
	// During takes two operands; the first is included and the second is not. Equal operands match
	// no key. The end of the year 9999 is valid as the second operand.
	During
	BeginsWith // text and bytes only
)

var opNames = [...]string{"no operator", "=", "<", "<=", ">", ">=", "between", "during", "begins with"}

// String returns the symbol or name of the operator.
func (op Op) String() string {
	if int(op) < len(opNames) {
		return opNames[op]
	}
	return opNames[0]
}

func (op Op) operands() int {
	if op == Between || op == During {
		return 2
	}
	return 1
}

// mirrored returns the operator for keys in descending order.
func (op Op) mirrored() Op {
	switch op {
	case Lt:
		return Gt
	case Le:
		return Ge
	case Gt:
		return Lt
	case Ge:
		return Le
	}
	return op
}

// All returns the range of all keys whose first placeholders have these values. The formats must
// hold the values exactly. With a value for every placeholder, the range has the shape Exact.
// Errors are those of Range.
func (t *Template) All(fixed ...Value) (Range, error) {
	t = t.orZero()
	if len(fixed) >= len(t.literals) {
		return Range{}, t.miscounted(len(fixed), "at most ")
	}
	head, err := t.head(fixed)
	if err != nil {
		return Range{}, err
	}
	if len(fixed) == len(t.parts) {
		return t.rangeOf(Exact, head, ""), nil
	}
	if t.mode == native {
		return t.rangeOf(Everything, "", ""), nil
	}
	s := t.span(len(fixed), head)
	switch {
	case !s.fits():
		return t.rangeOf(Empty, "", ""), nil
	case s.part.stepper != nil:
		return s.between(s.low(), s.high()), nil
	case head == "":
		return t.rangeOf(Everything, "", ""), nil
	}
	return t.rangeOf(Prefix, head, ""), nil
}

// Range returns the keys whose first placeholders have the fixed values and whose next placeholder
// matches op and the operands: two for Between and During, else one. It holds exactly those keys,
// and no key of another template that does not overlap. In raw mode this is true only if no value
// and no operand contains a byte below the delimiter.
//
// Errors are a *[ValueError] that wraps [ErrNotExact] for an operand or a fixed value that the
// format cannot hold, [ErrOperator] for an operator that the format does not support, [ErrReversed]
// for bounds in the wrong order, or an error of Append.
func (t *Template) Range(fixed []Value, op Op, operands ...Value) (Range, error) {
	t = t.orZero()
	i := len(fixed)
	if i >= len(t.parts) {
		return Range{}, t.miscounted(i+1, "at most ")
	}
	if fault := t.parts[i].check(op, len(operands)); fault != nil {
		return Range{}, t.blame(i, fault)
	}
	if op == Eq {
		return t.All(append(fixed[:i:i], operands[0])...)
	}
	if op == During && t.parts[i].endsWith(operands[1]) {
		op, operands = Ge, operands[:1]
	}
	head, err := t.head(fixed)
	if err != nil {
		return Range{}, err
	}
	s := t.span(i, head)
	lo, err := t.operand(head, i, operands[0])
	if err != nil {
		return Range{}, err
	}
	hi := lo
	if len(operands) == 2 {
		if hi, err = t.operand(head, i, operands[1]); err != nil {
			return Range{}, err
		}
		if s.part.desc {
			lo, hi = hi, lo
		}
		switch order := compareKeys(t.attr, lo, hi); {
		case order > 0:
			return Range{}, t.blame(i, refuse(ErrReversed, "the lower bound is above the upper one, as they are written in a key", ""))
		case order == 0 && op == During:
			return t.rangeOf(Empty, "", ""), nil
		}
	}
	if s.part.desc {
		op = op.mirrored()
	}
	if t.mode == native && op != During {
		return t.nativeRange(op, lo, hi), nil
	}
	return s.compare(op, lo, hi, operands[len(operands)-1]), nil
}

// check returns an error if the placeholder does not support the operator or the number of
// operands.
func (p *part) check(op Op, operands int) *ValueError {
	switch want := op.operands(); {
	case op < Eq || op > BeginsWith:
		return refuse(ErrOperator, "there is no such operator", "")
	case operands != want:
		return refuse(ErrInvalid, fmt.Sprintf("the operator %q takes %s, not %d", op, counted(want, "operand"), operands), "")
	case op == BeginsWith && !p.prefixes:
		return refuse(ErrOperator, "only text and bytes begin with something", "")
	case op != Eq && !p.ordered:
		return refuse(ErrOperator, "the format does not keep the order", "only equality can be asked of it")
	}
	return nil
}

// afterYears is the first instant after the years that the date formats can write. Their last
// period ends there.
var afterYears = time.Date(10000, time.January, 1, 0, 0, 0, 0, time.UTC)

// endsWith reports whether v is afterYears and the placeholder has a time format that cannot write
// it.
func (p *part) endsWith(v Value) bool {
	return v.Kind() == KindTime && p.stepper != nil && p.Kind == KindTime && v.Time().Equal(afterYears) && !p.encodes(v)
}

func (p *part) encodes(v Value) bool {
	_, fault := p.codec.encode(nil, v)
	return fault == nil
}

func (t *Template) rangeOf(shape Shape, lo, hi string) Range {
	return Range{Shape: shape, Type: t.attr, Lo: lo, Hi: hi}
}

var nativeShapes = [...]Shape{Lt: Less, Le: LessEq, Gt: Greater, Ge: GreaterEq, Between: Within, BeginsWith: Prefix}

// nativeRange returns the range of a native template for every operator except During.
func (t *Template) nativeRange(op Op, lo, hi string) Range {
	p := &t.parts[0]
	switch {
	case op == Between:
		return t.rangeOf(Within, lo, hi)
	case op == Lt && lo == p.least, op == Gt && p.greatest != "" && lo == p.greatest:
		return t.rangeOf(Empty, "", "")
	}
	return t.rangeOf(nativeShapes[op], lo, "")
}
