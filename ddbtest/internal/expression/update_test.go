package expression_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

const (
	noAttribute = "The provided expression refers to an attribute that does not exist in the item"
	wrongType   = "An operand in the update expression has an incorrect data type"
	invalidPath = "The document path provided in the update expression is invalid for update"
	overflows   = "Number overflow. Attempting to store a number with magnitude larger than supported range"
	underflows  = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
)

func list(values ...value.Value) value.List { return values }

// numbersFrom returns a list of numbers.
func numbersFrom(texts ...string) value.List {
	l := value.List{}
	for _, text := range texts {
		l = append(l, number(text))
	}
	return l
}

// The item to which the updates below are applied, and their placeholders.
var (
	updated = value.MapOf(
		attribute("a", number("1")),
		attribute("b", number("2")),
		attribute("s", value.String("x")),
		attribute("nul", value.Null{}),
		attribute("l", numbersFrom("0", "1", "2", "3", "4")),
		attribute("m", value.MapOf(attribute("p", number("1")), attribute("q", value.MapOf(attribute("r", number("5")))), attribute("ss", value.StringSet{"a"}))),
		attribute("ss", value.StringSet{"a", "b"}),
		attribute("ns", numberSet("1", "2")),
		attribute("bs", value.BinarySet{"a"}),
		attribute("setList", list(value.StringSet{"a"}, number("1"), number("2"))),
		attribute("most", number("99999999999999999999999999999999999999")),
		attribute("largest", number("9.9999999999999999999999999999999999999E+125")),
		attribute("smallest", number("1.1E-129")),
	)
	updateValues = map[string]value.Value{
		":1": number("1"), ":2": number("2"), ":minus": number("-1"), ":tenth": number("0.1"), ":v": value.String("v"),
		":l": numbersFrom("7", "8"), ":ss": value.StringSet{"b", "c"}, ":ab": value.StringSet{"a", "b"}, ":a": value.StringSet{"a"}, ":ns": numberSet("2.0", "3"),
		":bs": value.BinarySet{"a", "b"}, ":tiny": number("1E-129"),
	}
)

// outcome is the expected result of an update: the changed attributes, with nil for removed ones,
// or the error.
type outcome struct {
	changes map[string]value.Value
	refusal string
}

func makes(name string, v value.Value) outcome {
	return outcome{changes: map[string]value.Value{name: v}}
}

func fails(refusal string) outcome { return outcome{refusal: refusal} }

func TestUpdates(t *testing.T) {
	t.Parallel()
	m := func(inside ...value.Attribute) value.Value { return value.MapOf(inside...) }
	p, q, mss := attribute("p", number("1")), attribute("q", m(attribute("r", number("5")))), attribute("ss", value.StringSet{"a"})
	for text, want := range map[string]outcome{
		// SET
		"SET z = :v":                 makes("z", value.String("v")),
		"SET a = a":                  makes("a", number("1")),
		"SET a = b, b = a":           {changes: map[string]value.Value{"a": number("2"), "b": number("1")}},
		"SET z = a + b":              makes("z", number("3")),
		"SET z = :1 - b":             makes("z", number("-1")),
		"SET z = (a - (:tenth))":     makes("z", number("0.9")),
		"SET z = m.q.r + l[2]":       makes("z", number("7")),
		"SET z = most + :1":          makes("z", number("1E38")),
		"SET z = m.q":                makes("z", m(attribute("r", number("5")))),
		"SET m = m.q.r":              makes("m", number("5")),
		"SET m.p = m.q":              makes("m", m(attribute("p", q.Value), q, mss)),
		"SET m.new1 = :v, m.p = :2":  makes("m", m(attribute("new1", value.String("v")), attribute("p", number("2")), q, mss)),
		"SET m.q.s = :v REMOVE m.p":  makes("m", m(attribute("q", m(attribute("r", number("5")), attribute("s", value.String("v")))), mss)),
		"SET z = q":                  fails(noAttribute),
		"SET z = l[5]":               fails(noAttribute),
		"SET z = m[0]":               fails(noAttribute),
		"SET z = a + q":              fails(noAttribute),
		"SET z = a + s":              fails(wrongType),
		"SET z = s + q":              fails(wrongType),
		"SET z = nul - a":            fails(wrongType),
		"SET z = most + :tenth":      fails(overflows),
		"SET z = largest + largest":  fails(overflows),
		"SET z = smallest - :tiny":   makes("z", number("1E-130")),
		"SET y.x = :v":               fails(invalidPath),
		"SET a.x = :v":               fails(invalidPath),
		"SET m.x.y = :v":             fails(invalidPath),
		"SET m[0] = :v":              fails(invalidPath),
		"SET l.x = :v":               fails(invalidPath),
		"SET ss[0] = :v":             fails(invalidPath),
		"SET l[0].x = :v":            fails(invalidPath),
		"SET l[5].x = :v":            fails(invalidPath),
		"SET x = :v, a = :1, c.d=:1": fails(invalidPath),

		// functions
		"SET z = if_not_exists(a, :v)":                            makes("z", number("1")),
		"SET z = if_not_exists(q, :v)":                            makes("z", value.String("v")),
		"SET z = if_not_exists(q, if_not_exists(m.gone, m.p))":    makes("z", number("1")),
		"SET z = if_not_exists(q, :1) + if_not_exists(a, :2)":     makes("z", number("2")),
		"SET z = if_not_exists(q, r)":                             fails(noAttribute),
		"SET z = if_not_exists(a, q)":                             fails(noAttribute),
		"SET z = if_not_exists(s, :1) + :1":                       fails(wrongType),
		"SET l = list_append(l, :l)":                              makes("l", numbersFrom("0", "1", "2", "3", "4", "7", "8")),
		"SET l = list_append(:l, l)":                              makes("l", numbersFrom("7", "8", "0", "1", "2", "3", "4")),
		"SET z = list_append(if_not_exists(q, :l), :l)":           makes("z", numbersFrom("7", "8", "7", "8")),
		"SET z = list_append(l, l)":                               makes("z", numbersFrom("0", "1", "2", "3", "4", "0", "1", "2", "3", "4")),
		"SET z = list_append(l, q)":                               fails(noAttribute),
		"SET z = list_append(l, a)":                               fails(wrongType),
		"SET z = list_append(a, q)":                               fails(wrongType),
		"SET z = list_append(if_not_exists(q, :v), :l)":           fails(wrongType),
		"SET l = list_append(l, :l), z = l[0] REMOVE a":           {changes: map[string]value.Value{"l": numbersFrom("0", "1", "2", "3", "4", "7", "8"), "z": number("0"), "a": nil}},
		"SET z = list_append(:l, if_not_exists(m.gone, setList))": makes("z", list(number("7"), number("8"), value.StringSet{"a"}, number("1"), number("2"))),
		"SET z = if_not_exists(l[7], l[1]), l[1] = :2":            {changes: map[string]value.Value{"z": number("1"), "l": numbersFrom("0", "2", "2", "3", "4")}},
		"REMOVE a, b SET z = a, y = if_not_exists(a, :v)":         {changes: map[string]value.Value{"a": nil, "b": nil, "z": number("1"), "y": number("1")}},
		"set #m.p = :1 - #m.p remove #m.q, #m.ss delete bs :bs ":  {changes: map[string]value.Value{"m": m(attribute("p", number("0"))), "bs": nil}},

		// lists: indexes refer to the original list
		"SET l[1] = :v":                             makes("l", list(number("0"), value.String("v"), number("2"), number("3"), number("4"))),
		"SET l[5] = :v":                             makes("l", list(number("0"), number("1"), number("2"), number("3"), number("4"), value.String("v"))),
		"SET l[2147483647] = :2":                    makes("l", numbersFrom("0", "1", "2", "3", "4", "2")),
		"SET l[84] = :1, l[7] = :2, l[9] = :minus":  makes("l", numbersFrom("0", "1", "2", "3", "4", "2", "-1", "1")),
		"SET l[9] = :1 REMOVE l[0], l[2]":           makes("l", numbersFrom("1", "3", "4", "1")),
		"REMOVE l[0], l[2], l[9] SET l[1] = :minus": makes("l", numbersFrom("-1", "3", "4")),
		"REMOVE l[4], l[3], l[2], l[1], l[0]":       makes("l", value.List{}),
		"SET l[0] = l[1], l[1] = l[0]":              makes("l", numbersFrom("1", "0", "2", "3", "4")),
		"REMOVE l[7]":                               {},
		"ADD l[1] :2, l[9] :1":                      makes("l", numbersFrom("0", "3", "2", "3", "4", "1")),
		"DELETE setList[0] :ab REMOVE setList[1]":   makes("setList", numbersFrom("2")),

		// REMOVE
		"REMOVE a":        makes("a", nil),
		"REMOVE z":        {},
		"REMOVE m.gone":   {},
		"REMOVE m.q.r":    makes("m", m(p, attribute("q", value.Map{}), mss)),
		"REMOVE z.y":      fails(invalidPath),
		"REMOVE z[0]":     fails(invalidPath),
		"REMOVE a.x":      fails(invalidPath),
		"REMOVE m[0]":     fails(invalidPath),
		"REMOVE m.gone.x": fails(invalidPath),
		"REMOVE l[9].x":   fails(invalidPath),

		// ADD
		"ADD a :2":                   makes("a", number("3")),
		"ADD a :minus":               makes("a", number("0")),
		"ADD z :1":                   makes("z", number("1")),
		"ADD m.p :tenth, m.q.r :2":   makes("m", m(attribute("p", number("1.1")), attribute("q", m(attribute("r", number("7")))), mss)),
		"ADD m.count1 :1":            makes("m", m(p, q, mss, attribute("count1", number("1")))),
		"ADD ss :ss":                 makes("ss", value.StringSet{"a", "b", "c"}),
		"ADD ns :ns":                 makes("ns", numberSet("1", "2", "3")),
		"ADD bs :bs":                 makes("bs", value.BinarySet{"a", "b"}),
		"ADD z :ss":                  makes("z", value.StringSet{"b", "c"}),
		"ADD s :1":                   fails(wrongType),
		"ADD a :ss":                  fails(wrongType),
		"ADD ss :1":                  fails(wrongType),
		"ADD ss :ns":                 fails(wrongType),
		"ADD ns :bs":                 fails(wrongType),
		"ADD bs :ss":                 fails(wrongType),
		"ADD l :1":                   fails(wrongType),
		"ADD most :tenth":            fails(overflows),
		"ADD largest :1":             fails(overflows),
		"ADD z.y :1":                 fails(invalidPath),
		"ADD a.y :1":                 fails(invalidPath),
		"ADD l[0].x :1":              fails(invalidPath),
		"ADD a :1 SET b = a, c1 = b": {changes: map[string]value.Value{"a": number("2"), "b": number("1"), "c1": number("2")}},

		// DELETE
		"DELETE ss :ss":       makes("ss", value.StringSet{"a"}),
		"DELETE ss :ab":       makes("ss", nil),
		"DELETE ns :ns":       makes("ns", numberSet("1")),
		"DELETE bs :bs":       makes("bs", nil),
		"DELETE z :ss":        {},
		"DELETE m.ss :a":      makes("m", m(p, q)),
		"DELETE m.gone :a":    {},
		"DELETE l[9] :a":      {},
		"DELETE ss :ns":       fails(wrongType),
		"DELETE ns :ss":       fails(wrongType),
		"DELETE bs :ss":       fails(wrongType),
		"DELETE a :ss":        fails(wrongType),
		"DELETE z.y :ss":      fails(invalidPath),
		"DELETE m.gone.x :ss": fails(invalidPath),
	} {
		names, values := placeholdersIn(text, map[string]string{"#m": "m"}, updateValues)
		u, err := expression.ParseUpdate(text, mustPlaceholders(t, names, values))
		var got value.Map
		if err == nil {
			got, err = u.Apply(updated)
		}
		require.Equal(t, want.refusal, message(t, err), text)
		if err == nil {
			requireSame(t, want.applied(updated), got, text)
		}
	}
}

// applied returns the item with the changes of the outcome.
func (o outcome) applied(item value.Map) value.Map {
	for name, v := range o.changes {
		item = item.Without(name)
		if v != nil {
			item = item.With(name, v)
		}
	}
	return item
}

func requireSame(t testing.TB, want, got value.Map, text string) {
	t.Helper()
	require.True(t, want.Equal(got), "%s\nwant %v\ngot  %v", text, want, got)
}

func TestUpdateUnderflow(t *testing.T) {
	t.Parallel()
	u := mustUpdate(t, "SET a = b - :v", nil, map[string]value.Value{":v": number("1.1E-130")})
	_, err := u.Apply(value.MapOf(attribute("b", number("1.2E-130"))))
	require.Equal(t, underflows, message(t, err))
}

func TestUpdateOfMissingItem(t *testing.T) {
	t.Parallel()
	key := value.MapOf(attribute("pk", value.String("k")))
	one := map[string]value.Value{":v": number("1")}
	for text, want := range map[string]value.Map{
		"SET a = :v, b = pk":             value.MapOf(attribute("a", number("1")), attribute("b", value.String("k")), key[0]),
		"ADD a :v":                       value.MapOf(attribute("a", number("1")), key[0]),
		"SET a = if_not_exists(a, :v)":   value.MapOf(attribute("a", number("1")), key[0]),
		"REMOVE b SET a = :v":            value.MapOf(attribute("a", number("1")), key[0]),
		"SET a = if_not_exists(pk, :v) ": value.MapOf(attribute("a", value.String("k")), key[0]),
	} {
		u := mustUpdate(t, text, nil, one)
		require.True(t, u.Creates(), text)
		got, err := u.Apply(key)
		require.NoError(t, err, text)
		requireSame(t, want, got, text)
	}
	require.False(t, mustUpdate(t, "REMOVE a, b.c DELETE d :s", nil, map[string]value.Value{":s": value.StringSet{"a"}}).Creates())
}

func TestUpdatedAttributes(t *testing.T) {
	t.Parallel()
	one := map[string]value.Value{":v": number("9"), ":s": value.StringSet{"a", "b"}}
	at, of := attribute, value.MapOf
	m := func(inside ...value.Attribute) value.Attribute { return at("m", of(inside...)) }
	l := func(elements ...value.Value) value.Attribute { return at("l", value.List(elements)) }
	for text, want := range map[string]struct{ before, after value.Map }{
		"SET a = :v":                {of(at("a", number("1"))), of(at("a", number("9")))},
		"SET a = a":                 {of(at("a", number("1"))), of(at("a", number("1")))},
		"SET z = :v":                {nil, of(at("z", number("9")))},
		"REMOVE a":                  {of(at("a", number("1"))), nil},
		"REMOVE z":                  {nil, nil},
		"SET m.p = :v, m.new1 = :v": {of(m(at("p", number("1")))), of(m(at("p", number("9")), at("new1", number("9"))))},
		"SET m.q.r = :v REMOVE m.p": {
			of(m(at("p", number("1")), at("q", of(at("r", number("5")))))),
			of(m(at("q", of(at("r", number("9")))))),
		},
		"SET l[3] = :v, l[1] = :v": {of(l(number("1"), number("3"))), of(l(number("9"), number("9")))},
		"SET l[7] = :v":            {nil, nil}, // the appended element has another index
		"REMOVE l[1]":              {of(l(number("1"))), of(l(number("2")))},
		"DELETE ss :s":             {of(at("ss", value.StringSet{"a", "b"})), nil},
		"ADD b :v SET a = b REMOVE m": {
			of(at("a", number("1")), at("b", number("2")), at("m", updated.Get("m"))),
			of(at("a", number("2")), at("b", number("11"))),
		},
		"REMOVE l[0], l[9] SET z = :v": {of(l(number("0"))), of(at("z", number("9")), l(number("1")))},
	} {
		_, values := placeholdersIn(text, nil, one)
		u := mustUpdate(t, text, nil, values)
		after, err := u.Apply(updated)
		require.NoError(t, err)
		requireSame(t, want.before, u.Updated(updated), text)
		requireSame(t, want.after, u.Updated(after), text)
		require.Equal(t, want.before == nil, u.Updated(updated) == nil, text)
		require.Equal(t, want.after == nil, u.Updated(after) == nil, text)
	}
}

func TestPathsOfAnUpdateInOrder(t *testing.T) {
	t.Parallel()
	u := mustUpdate(t, "SET a = b, c.d = :v + if_not_exists(h.i, j) REMOVE e[1], c.f ADD g :v", nil, map[string]value.Value{":v": number("1")})
	require.ElementsMatch(t, []expression.Path{{{Name: "b"}}, {{Name: "h"}, {Name: "i"}}, {{Name: "j"}}}, u.SourcePaths())
	require.Equal(t, []expression.Path{
		{{Name: "a"}},
		{{Name: "c"}, {Name: "d"}},
		{{Name: "e"}, {Index: 1}},
		{{Name: "c"}, {Name: "f"}},
		{{Name: "g"}},
	}, u.Paths())
}
