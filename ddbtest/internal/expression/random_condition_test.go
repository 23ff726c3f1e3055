package expression_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testsize"
)

// clause is a condition of a test: its text, its precedence, and the simplest way to evaluate it.
type clause struct {
	text  string
	binds int // 3 a comparison or a group, 2 NOT, 1 AND, 0 OR
	holds func(item value.Map, e *evaluation) bool
}

// term is an operand of a test.
type term struct {
	text string
	path randomPath // nil if it is not a path
	in   func(item value.Map, e *evaluation) value.Value
}

func TestRandomConditions(t *testing.T) {
	t.Parallel()
	r := newRandom(t)
	if text, item, different := r.differentCondition(t, testsize.Pick(4_000, 15_000, 200_000), evaluation{}); different {
		t.Fatalf("%s is decided otherwise for %v", text, item)
	}
}

// The test must fail for each of the naive ways.
func TestRandomConditionsFindMutants(t *testing.T) {
	t.Parallel()
	for name, naive := range map[string]evaluation{
		"numbers as text": {numbersAsText: true}, "absent is equal": {absentIsEqual: true}, "no bound included": {noBoundIncluded: true},
		"from the left": {fromTheLeft: true}, "size in bytes": {sizeInBytes: true},
	} {
		_, _, different := newRandom(t).differentCondition(t, 100_000, naive)
		require.True(t, different, name)
	}
}

// differentCondition searches for a condition that the package evaluates differently from the test.
func (r *random) differentCondition(t *testing.T, n int, e evaluation) (text string, item value.Map, different bool) {
	t.Helper()
	held := 0
	for i := range n {
		if i%10 == 0 {
			item = r.mapping(3)
			r.item = item
		}
		c := r.clause(3, e)
		condition := mustCondition(t, c.text, nil, r.used())
		got := condition.Eval(item)
		if got != c.holds(item, &e) {
			return c.text, item, true
		}
		if got {
			held++
		}
	}
	require.Greater(t, held, n/5, "too few conditions hold")
	require.Less(t, held, n*4/5, "too few conditions do not hold")
	return "", nil, false
}

func (r *random) clause(depth int, e evaluation) clause {
	if depth == 0 {
		return r.comparison()
	}
	switch r.IntN(6) {
	case 0:
		return r.not(r.clause(depth-1, e))
	case 1:
		return r.join("AND", 1, r.clause(depth-1, e), r.clause(depth-1, e), e)
	case 2:
		return r.join("OR", 0, r.clause(depth-1, e), r.clause(depth-1, e), e)
	default:
		return r.comparison()
	}
}

func (r *random) not(c clause) clause {
	return clause{r.word("NOT") + " " + r.group(c, 2), 2, func(item value.Map, e *evaluation) bool { return !c.holds(item, e) }}
}

func (r *random) join(operator string, binds int, left, right clause, e evaluation) clause {
	needed := binds
	if e.fromTheLeft {
		needed = 0
	}
	return clause{r.group(left, needed) + " " + r.word(operator) + "\n" + r.group(right, needed), binds, func(item value.Map, e *evaluation) bool {
		if operator == "AND" {
			return left.holds(item, e) && right.holds(item, e)
		}
		return left.holds(item, e) || right.holds(item, e)
	}}
}

// group adds parentheses to a clause if its precedence is too low, and sometimes if it is not, but
// never twice.
func (r *random) group(c clause, needed int) string {
	if c.binds < needed || c.text[0] != '(' && r.IntN(8) == 0 {
		return "(" + c.text + ")"
	}
	return c.text
}

// word returns a keyword in upper, lower or mixed case.
func (r *random) word(keyword string) string {
	return pick(r, keyword, strings.ToLower(keyword), keyword[:1]+strings.ToLower(keyword[1:]))
}

func (r *random) comparison() clause {
	simple := func(text string, holds func(item value.Map, e *evaluation) bool) clause {
		return clause{text, 3, holds}
	}
	switch r.IntN(8) {
	case 0:
		w := r.randomPath()
		return simple("attribute_exists("+w.String()+")", func(item value.Map, _ *evaluation) bool { return lookup(item, w) != nil })
	case 1:
		w := r.randomPath()
		return simple("attribute_not_exists ("+w.String()+")", func(item value.Map, _ *evaluation) bool { return lookup(item, w) == nil })
	case 2:
		return r.typeOf()
	case 3:
		x, y := r.operands(r.prefixTerm, r.prefixTerm)
		return simple("begins_with("+x.text+","+y.text+")", func(item value.Map, e *evaluation) bool { return hasPrefix(x.in(item, e), y.in(item, e)) })
	case 4:
		x, y := r.operands(r.anyTerm, r.anyTerm)
		return simple("contains("+x.text+", "+y.text+")", func(item value.Map, e *evaluation) bool { return has(x.in(item, e), y.in(item, e), e) })
	case 5:
		return r.range3()
	case 6:
		return r.oneOf()
	default:
		return r.compared()
	}
}

func (r *random) typeOf() clause {
	w, kind := r.randomPath(), value.Kind(1+r.IntN(10))
	return clause{"attribute_type(" + w.String() + "," + r.use(value.String(kind.String())) + ")", 3, func(item value.Map, _ *evaluation) bool {
		v := lookup(item, w)
		return v != nil && v.Kind() == kind
	}}
}

func (r *random) range3() clause {
	x := r.orderedTerm()
	low, high := r.scalar(), r.scalar()
	if c, ok := order(low, high, &evaluation{}); !ok {
		high = low
	} else if c > 0 {
		low, high = high, low
	}
	return clause{x.text + " " + r.word("BETWEEN") + " " + r.use(low) + " and " + r.use(high), 3, func(item value.Map, e *evaluation) bool {
		v := x.in(item, e)
		fromLow, ok := order(v, low, e)
		toHigh, ok2 := order(high, v, e)
		if e.noBoundIncluded {
			return ok && ok2 && fromLow > 0 && toHigh > 0
		}
		return ok && ok2 && fromLow >= 0 && toHigh >= 0
	}}
}

func (r *random) oneOf() clause {
	x := r.anyTerm()
	var texts []string
	var list []term
	for range 1 + r.IntN(3) {
		_, y := r.operands(func() term { return x }, r.anyTerm)
		texts, list = append(texts, y.text), append(list, y)
	}
	return clause{x.text + " IN (" + strings.Join(texts, ", ") + ")", 3, func(item value.Map, e *evaluation) bool {
		for _, y := range list {
			if same(x.in(item, e), y.in(item, e), e) {
				return true
			}
		}
		return false
	}}
}

func (r *random) compared() clause {
	operator := pick(r, "=", "<>", "<", "<=", ">", ">=")
	operand := r.anyTerm
	if operator != "=" && operator != "<>" {
		operand = r.orderedTerm
	}
	x, y := r.operands(operand, operand)
	if r.IntN(3) == 0 {
		x, y = r.sizeTerm(), r.valueTerm(count(r.IntN(6)))
	}
	return clause{x.text + operator + y.text, 3, func(item value.Map, e *evaluation) bool {
		left, right := x.in(item, e), y.in(item, e)
		c, ok := order(left, right, e)
		switch operator {
		case "=":
			return same(left, right, e)
		case "<>":
			if e.absentIsEqual && (left == nil || right == nil) {
				return false
			}
			return !same(left, right, e)
		case "<":
			return ok && c < 0
		case "<=":
			return ok && c <= 0
		case ">":
			return ok && c > 0
		default:
			return ok && c >= 0
		}
	}}
}

// operands returns two operands that are not the same path.
func (r *random) operands(first, second func() term) (x, y term) {
	x = first()
	for {
		y = second()
		if x.path == nil || x.path.String() != y.path.String() {
			return x, y
		}
	}
}

func (r *random) pathTerm() term {
	w := r.randomPath()
	return term{w.String(), w, func(item value.Map, _ *evaluation) value.Value { return lookup(item, w) }}
}

func (r *random) valueTerm(v value.Value) term {
	return term{text: r.use(v), in: func(value.Map, *evaluation) value.Value { return v }}
}

func (r *random) sizeTerm() term {
	w := r.randomPath()
	return term{text: "size(" + w.String() + ")", in: func(item value.Map, e *evaluation) value.Value { return sizeOf(lookup(item, w), e) }}
}

func (r *random) orderedTerm() term {
	switch r.IntN(6) {
	case 0, 1:
		return r.valueTerm(r.scalar())
	case 2:
		return r.sizeTerm()
	default:
		return r.pathTerm()
	}
}

func (r *random) prefixTerm() term {
	if r.IntN(2) == 0 {
		return r.valueTerm(pick[value.Value](r, value.String("a"), value.String(""), value.Binary("a")))
	}
	return r.pathTerm()
}

func (r *random) anyTerm() term {
	switch r.IntN(6) {
	case 0, 1:
		return r.valueTerm(r.document(1))
	case 2:
		return r.sizeTerm()
	default:
		return r.pathTerm()
	}
}
