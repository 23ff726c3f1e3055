package expression_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testrand"
)

// random makes items, paths and values from few names and values, so that they often match.
type random struct {
	*rand.Rand
	item   value.Map              // for which expressions are made
	values map[string]value.Value // used by the expression being made
}

// newRandom logs its seed.
func newRandom(t *testing.T) *random {
	t.Helper()
	return &random{Rand: testrand.New(t)}
}

func pick[E any](r *random, from ...E) E { return from[r.IntN(len(from))] }

var (
	randomNumbers = []string{"0", "1", "1.0", "2", "10", "-1", "1.5", "100e-1", "9007199254740993", "9007199254740992", "0.1"}
	randomTexts   = []string{"", "a", "ab", "b", "10", "é", "😀a"}
	randomNames   = []string{"a", "b", "c"}
)

// scalar returns a random value that has an order.
func (r *random) scalar() value.Value {
	switch r.IntN(5) {
	case 0, 1:
		return number(pick(r, randomNumbers...))
	case 2, 3:
		return value.String(pick(r, randomTexts...))
	default:
		return value.Binary(pick(r, randomTexts...))
	}
}

// simple returns a random value without nested attributes.
func (r *random) simple() value.Value {
	switch r.IntN(10) {
	case 0:
		return value.Bool(r.IntN(2) == 0)
	case 1:
		return value.Null{}
	case 2:
		return pick[value.Value](r, value.StringSet{"a"}, value.StringSet{"a", "b"}, value.StringSet{"b", "é"})
	case 3:
		return pick(r, numberSet("1"), numberSet("1.00", "2"), numberSet("-1", "10"))
	case 4:
		return pick[value.Value](r, value.BinarySet{"a"}, value.BinarySet{"a", "b"})
	default:
		return r.scalar()
	}
}

// document returns any random value.
func (r *random) document(depth int) value.Value {
	if depth == 0 || r.IntN(2) == 0 {
		return r.simple()
	}
	if r.IntN(2) == 0 {
		return r.mapping(depth - 1)
	}
	l := value.List{}
	for range r.IntN(4) {
		l = append(l, r.document(depth-1))
	}
	return l
}

func (r *random) mapping(depth int) value.Map {
	var attributes []value.Attribute
	for _, name := range randomNames {
		if r.IntN(4) > 0 {
			attributes = append(attributes, attribute(name, r.document(depth)))
		}
	}
	return value.MapOf(attributes...)
}

// randomPath is a path of a test: names and indexes.
type randomPath []any

// String formats the path as in an expression.
func (w randomPath) String() string {
	var text strings.Builder
	for i, step := range w {
		switch step := step.(type) {
		case int:
			text.WriteString("[" + strconv.Itoa(step) + "]")
		case string:
			if i > 0 {
				text.WriteString(".")
			}
			text.WriteString(step)
		}
	}
	return text.String()
}

// clashes reports whether two paths cannot both be targets of one update.
func (w randomPath) clashes(o randomPath) bool {
	for i := range min(len(w), len(o)) {
		if w[i] == o[i] {
			continue
		}
		_, isIndex := w[i].(int)
		_, otherIsIndex := o[i].(int)
		return isIndex != otherIsIndex
	}
	return true
}

// randomPath returns a random path. Most of them lead to something in the item, or to where
// something could be.
func (r *random) randomPath() randomPath {
	w := randomPath{pick(r, randomNames...)}
	for len(w) < 4 && r.IntN(3) > 0 {
		_, isList := lookup(r.item, w).(value.List)
		_, isMap := lookup(r.item, w).(value.Map)
		switch lost := r.IntN(20) == 0; {
		case isList || lost && r.IntN(2) == 0:
			w = append(w, r.IntN(5))
		case isMap || lost:
			w = append(w, pick(r, randomNames...))
		default:
			return w
		}
	}
	return w
}

// apart returns paths that do not clash.
func (r *random) apart(n int) []randomPath {
	var ways []randomPath
	for range 10 * n {
		w := r.randomPath()
		clash := false
		for _, other := range ways {
			clash = clash || w.clashes(other)
		}
		if !clash {
			ways = append(ways, w)
		}
		if len(ways) == n {
			break
		}
	}
	return ways
}

// use returns a placeholder for a value.
func (r *random) use(v value.Value) string {
	key := fmt.Sprintf(":v%d", len(r.values))
	if r.values == nil {
		r.values = map[string]value.Value{}
	}
	r.values[key] = v
	return key
}

// used returns the values used since the last call.
func (r *random) used() map[string]value.Value {
	used := r.values
	r.values = nil
	return used
}
