package expression_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testsize"
)

// step is an action of an update in a test: its text without the keyword, and the simplest way to
// compute the result.
type step struct {
	keyword string
	text    string
	target  randomPath
	result  func(item value.Map) (v value.Value, ok bool) // nil with ok removes the target
}

// updateMutant selects a naive way to apply an update, which is wrong. The zero value is correct.
type updateMutant struct {
	readsNew  bool // operands are read from the result of earlier steps
	shifts    bool // an index refers to the list after earlier steps
	gaps      bool // elements beyond the end of a list keep their index, or are lost
	emptySets bool // an empty set remains
}

func TestRandomUpdates(t *testing.T) {
	t.Parallel()
	r := newRandom(t)
	// The hardest mutant below is found after 290 updates on average.
	if text, item, different := r.differentUpdate(t, testsize.Pick(4_000, 20_000, 200_000), updateMutant{}); different {
		t.Fatalf("%s makes something else of %v", text, item)
	}
}

func TestRandomUpdatesFindMutants(t *testing.T) {
	t.Parallel()
	for name, naive := range map[string]updateMutant{
		"reads new": {readsNew: true}, "shifts": {shifts: true}, "gaps": {gaps: true}, "empty sets": {emptySets: true},
	} {
		_, _, different := newRandom(t).differentUpdate(t, 100_000, naive)
		require.True(t, different, name)
	}
}

// differentUpdate searches for an update that the package applies differently from the test, that
// changes its input, or whose updated values are wrong.
func (r *random) differentUpdate(t *testing.T, n int, naive updateMutant) (text string, item value.Map, different bool) {
	t.Helper()
	made := 0
	for range n {
		item = r.mapping(3)
		r.item = item
		before := toMutable(item)
		steps := r.steps()
		text = updateText(steps)
		u := mustUpdate(t, text, nil, r.used())
		got, err := u.Apply(item)
		want, ok := apply(item, steps, naive)
		if ok != (err == nil) || ok && !want.Equal(got) {
			return text, item, true
		}
		require.True(t, item.Equal(before.toValue().(value.Map)), "%s changes what it is given", text)
		if ok {
			require.True(t, prune(got, targets(steps)).Equal(u.Updated(got)), "%s returns the wrong attributes of %v", text, got)
			made++
		}
	}
	require.Greater(t, made, n/5, "too few updates are made")
	require.Less(t, made, n*9/10, "too few updates fail")
	return "", nil, false
}

func targets(steps []step) []randomPath {
	var ways []randomPath
	for _, s := range steps {
		ways = append(ways, s.target)
	}
	return ways
}

// steps returns the steps of one update, grouped by section.
func (r *random) steps() []step {
	var steps []step
	for _, target := range r.apart(1 + r.IntN(4)) {
		switch r.IntN(5) {
		case 0, 1:
			steps = append(steps, r.set(target))
		case 2:
			steps = append(steps, step{"REMOVE", target.String(), target, func(value.Map) (value.Value, bool) { return nil, true }})
		case 3:
			steps = append(steps, r.add(target))
		default:
			steps = append(steps, r.remove(target))
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return strings.Compare(a.keyword, b.keyword) })
	return steps
}

func updateText(steps []step) string {
	var text strings.Builder
	for i, s := range steps {
		switch {
		case i == 0:
			text.WriteString(s.keyword + " ")
		case steps[i-1].keyword == s.keyword:
			text.WriteString(", ")
		default:
			text.WriteString(" " + strings.ToLower(s.keyword) + " ")
		}
		text.WriteString(s.text)
	}
	return text.String()
}

func (r *random) set(target randomPath) step {
	text, result := r.assigned()
	return step{"SET", target.String() + " = " + text, target, result}
}

func (r *random) assigned() (text string, result func(item value.Map) (value.Value, bool)) {
	switch r.IntN(5) {
	case 0:
		operator := pick(r, "+", "-")
		x, y := r.source(number(pick(r, randomNumbers...))), r.source(number(pick(r, randomNumbers...)))
		return x.text + " " + operator + y.text, func(item value.Map) (value.Value, bool) {
			return calculate(operator, x.in(item, nil), y.in(item, nil))
		}
	case 1:
		x, y := r.source(value.List{r.simple()}), r.source(value.List{r.simple()})
		return "list_append(" + x.text + ", " + y.text + ")", func(item value.Map) (value.Value, bool) {
			a, aOK := x.in(item, nil).(value.List)
			b, bOK := y.in(item, nil).(value.List)
			return slices.Concat(a, b), aOK && bOK
		}
	default:
		x := r.source(r.document(1))
		return x.text, func(item value.Map) (value.Value, bool) {
			v := x.in(item, nil)
			return v, v != nil
		}
	}
}

// source returns an operand: a path, the value, or if_not_exists of both.
func (r *random) source(v value.Value) term {
	x, y := r.pathTerm(), r.valueTerm(v)
	switch r.IntN(3) {
	case 0:
		return x
	case 1:
		return y
	default:
		return term{text: "if_not_exists(" + x.text + "," + y.text + ")", in: func(item value.Map, e *evaluation) value.Value {
			if v := x.in(item, e); v != nil {
				return v
			}
			return v
		}}
	}
}

func calculate(operator string, a, b value.Value) (value.Value, bool) {
	x, xOK := a.(value.Number)
	y, yOK := b.(value.Number)
	if !xOK || !yOK {
		return nil, false
	}
	d, err := x.Add(y.Decimal)
	if operator == "-" {
		d, err = x.Sub(y.Decimal)
	}
	return value.Number{Decimal: d}, err == nil
}

// someSet returns a small set, mostly of the type of the set at the target.
func (r *random) someSet(target randomPath) value.Value {
	switch lookup(r.item, target).(type) {
	case value.StringSet:
		return pick[value.Value](r, value.StringSet{"a"}, value.StringSet{"a", "b"}, value.StringSet{"é"})
	case value.NumberSet:
		return pick(r, numberSet("1"), numberSet("2", "10"))
	}
	return pick[value.Value](r, value.StringSet{"a"}, value.StringSet{"a", "b"}, value.StringSet{"é"}, numberSet("1"), numberSet("2", "10"), value.BinarySet{"a"})
}

func (r *random) add(target randomPath) step {
	given := r.someSet(target)
	if _, ok := lookup(r.item, target).(value.Number); ok || r.IntN(10) == 0 {
		given = number(pick(r, randomNumbers...))
	}
	return step{"ADD", target.String() + " " + r.use(given), target, func(item value.Map) (value.Value, bool) {
		current := lookup(item, target)
		switch {
		case current == nil:
			return given, true
		case given.Kind() == value.KindNumber:
			return calculate("+", current, given)
		case given.Kind() != current.Kind():
			return nil, false
		}
		all := keyed(current)
		maps.Copy(all, keyed(given))
		return setOf(current.Kind(), all), true
	}}
}

func (r *random) remove(target randomPath) step {
	given := r.someSet(target)
	return step{"DELETE", target.String() + " " + r.use(given), target, func(item value.Map) (value.Value, bool) {
		current := lookup(item, target)
		switch {
		case current == nil:
			return nil, true
		case given.Kind() != current.Kind():
			return nil, false
		}
		left := keyed(current)
		for member := range keyed(given) {
			delete(left, member)
		}
		return setOf(current.Kind(), left), true
	}}
}

// keyed returns the members of a set by their text.
func keyed(set value.Value) map[string]value.Value {
	all := map[string]value.Value{}
	for _, v := range members(set) {
		key, ok := plain(v)
		if !ok {
			key = v.(value.Number).String()
		}
		all[key] = v
	}
	return all
}

// setOf makes a set. An empty set is an empty slice, which the caller must remove.
func setOf(kind value.Kind, all map[string]value.Value) value.Value {
	texts := slices.Sorted(maps.Keys(all))
	switch kind {
	case value.KindStringSet:
		return value.StringSet(texts)
	case value.KindBinarySet:
		return value.BinarySet(texts)
	default:
		numbers := []decimal.Decimal{}
		for _, v := range all {
			numbers = append(numbers, v.(value.Number).Decimal)
		}
		slices.SortFunc(numbers, decimal.Decimal.Cmp)
		return value.NumberSet(numbers)
	}
}

// apply applies the steps one by one to a copy of the item. The copy keeps the places of removed
// elements until the end.
func apply(item value.Map, steps []step, naive updateMutant) (value.Map, bool) {
	made, now := toMutable(item), item
	for _, s := range steps {
		from := item
		if naive.readsNew {
			from = now
		}
		v, ok := s.result(from)
		if !ok {
			return nil, false
		}
		if len(members(v)) == 0 && v != nil && v.Kind() >= value.KindStringSet && !naive.emptySets {
			v = nil
		}
		if !made.put(s.target, v, naive) {
			return nil, false
		}
		if naive.shifts || naive.readsNew {
			now = made.toValue().(value.Map)
		}
		if naive.shifts {
			made = toMutable(now)
		}
	}
	return made.toValue().(value.Map), true
}
