package expression_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// met is the item for which the conditions below are evaluated.
var met = value.MapOf(
	attribute("one", number("1")),
	attribute("ten", number("10")),
	attribute("a", value.String("a")),
	attribute("ab", value.String("ab")),
	attribute("wide", value.String("é😀")),
	attribute("raw", value.Binary("\x01\xff")),
	attribute("yes", value.Bool(true)),
	attribute("null", value.Null{}),
	attribute("list", value.List{number("1"), value.String("a"), value.List{number("2")}, value.MapOf(attribute("x", number("3")))}),
	attribute("map", value.MapOf(attribute("x", number("1")), attribute("deep", value.MapOf(attribute("y", value.String("z")))))),
	attribute("strings", value.StringSet{"a", "b"}),
	attribute("numbers", numberSet("1", "2.5")),
	attribute("bytes", value.BinarySet{"a", "\xff"}),
	attribute("noText", value.String("")),
	attribute("noList", value.List{}),
	attribute("noMap", value.Map{}),
)

var (
	metNames  = map[string]string{"#n": "null", "#m": "map", "#list": "list", "#one": "one", "#ten": "ten", "#raw": "raw", "#bytes": "bytes"}
	metValues = map[string]value.Value{
		":1": number("1.00"), ":2": number("2"), ":9": number("9"), ":a": value.String("a"), ":b": value.String("b"), ":empty": value.String(""),
		":raw": value.Binary("\x01"), ":true": value.Bool(true), ":null": value.Null{}, ":N": value.String("N"), ":S": value.String("S"),
		":L": value.String("L"), ":NULL": value.String("NULL"), ":BOOL": value.String("BOOL"), ":NS": value.String("NS"),
		":strings": value.StringSet{"a", "b"}, ":list2": value.List{number("2.0")}, ":25": number("25e-1"), ":ff": value.Binary("\xff"),
		":big": number("9007199254740993"), ":big2": number("9007199254740992"), ":map": value.MapOf(attribute("x", number("1"))),
	}
)

func TestConditions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		// comparisons
		"#one = :1": true, "#one <> :1": false, "#one < #ten": true, "#ten < #one": false, "#ten > :9": true, "#one <= :1": true, "#one >= :2": false,
		"a < ab": true, "ab < :b": true, "a > :empty": true, "#raw > :raw": true, ":true = yes": true, "#n = :null": true,
		":big > :big2": true, ":big = :big2": false, "strings = :strings": true, "#list[2] = :list2": true, "#m = :map": false,
		// values of two types are unequal, and have no order
		"#one = a": false, "#one <> a": true, "#one < a": false, "#one >= a": false, "yes = :1": false, "#n <> :1": true,
		// an absent attribute equals nothing, not even another absent attribute
		"gone = :1": false, "gone <> :1": true, "gone = gone2": false, "gone <> gone2": true, "gone < :1": false, "gone >= :1": false,
		":1 > gone": false, "NOT gone = :1": true, "gone <> #one": true, "#m.gone <> #list[9]": true, "a.b = a.c": false,
		"gone BETWEEN :1 AND :2": false, "#one BETWEEN gone AND :2": false, "gone IN (gone2)": false,
		// BETWEEN and IN
		"#one BETWEEN :1 AND :1": true, "#ten BETWEEN :1 AND :9": false, "a between :empty and :b": true, "a BETWEEN :1 AND :2": false,
		":2 BETWEEN #one AND #ten": true, ":2 BETWEEN #ten AND #one": false, "#one IN (:a, :true, :1)": true, "#one IN (:a, #ten)": false,
		"strings IN (:1, :strings)": true,
		// precedence: NOT before AND before OR
		"#one=:1 OR #one=:1 AND #one=:2": true, "(#one=:1 OR #one=:1) AND #one=:2": false, "NOT #one=:2 AND #one=:1": true,
		"NOT (#one=:2 AND #one=:1)": true, "NOT nOt #one = :1": true, "NOT #one=:1 OR #one=:1": true, "#one=:2 and #one=:1 or #one=:1": true,
		// paths
		"#m.x = :1": true, "#m.#one = :1": false, "#m.deep.y = :a": false, "#list[0] = :1": true, "#list[3].x > :1": true, "#list[2][0] = :2": true,
		"#m[0] = :1": false, "#list.x = :1": false,
		// functions
		"attribute_exists(a)": true, "attribute_exists(gone)": false, "attribute_exists(#n)": true, "attribute_exists(#list[3].x)": true,
		"attribute_exists(#list[4])": false, "attribute_not_exists(#m.gone)": true, "attribute_not_exists(#m)": false, "attribute_exists(noList)": true,
		"attribute_type(#one, :N)": true, "attribute_type(#one, :S)": false, "attribute_type(#n, :NULL)": true, "attribute_type(yes, :BOOL)": true,
		"attribute_type(#list, :L)": true, "attribute_type(numbers, :NS)": true, "attribute_type(gone, :N)": false, "attribute_type(:1, :N)": true,
		"begins_with(ab, :a)": true, "begins_with(ab, :b)": false, "begins_with(ab, a)": true, "begins_with(ab, :empty)": true,
		"begins_with(#raw, :raw)": true, "begins_with(#raw, :a)": false, "begins_with(#one, :a)": false, "begins_with(gone, :a)": false,
		"begins_with(:a, ab)": false,
		"contains(ab, :b)":    true, "contains(ab, :empty)": true, "contains(ab, :1)": false, "contains(#raw, :ff)": true, "contains(strings, :a)": true,
		"contains(strings, :N)": false, "contains(numbers, :25)": true, "contains(numbers, :2)": false, "contains(numbers, :a)": false,
		"contains(#bytes, :ff)": true, "contains(#bytes, :a)": false, "contains(#list, :1)": true, "contains(#list, :list2)": true,
		"contains(#list, :2)": false, "contains(#m, :1)": false, "contains(gone, :a)": false, "contains(#list, gone)": false,
		"contains(:strings, a)": true, "contains(strings, :strings)": false,
		"size(ab) = :2": true, "size(noText) < :1": true, "size(#raw) = :2": true, "size(strings) = :2": true, "size(#list) > #m.x": true,
		"size(#m) = :2": true, "size(noMap) = size(noList)": true, "size(#one) = :1": false, "size(#one) <> :1": true, "size(gone) = size(gone2)": false,
		"size(wide) > :2": true, "size(wide) < :25": false, "size(numbers) IN (:9, :2)": true, "size(:strings) BETWEEN :1 AND :2": true,
	} {
		names, values := placeholdersIn(text, metNames, metValues)
		require.Equal(t, want, mustCondition(t, text, names, values).Eval(met), text)
	}
}

func TestConditionsOnNoItem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"attribute_exists(a)": false, "attribute_not_exists(a)": true, "a <> b": true, "a = b": false, "NOT contains(a, b)": true,
	} {
		require.Equal(t, want, mustCondition(t, text, nil, nil).Eval(nil), text)
	}
}

func TestSizeCountsUnitsOfUTF16(t *testing.T) {
	t.Parallel()
	c := mustCondition(t, "size(wide) = :n", nil, map[string]value.Value{":n": number("3")})
	require.True(t, c.Eval(met))
}

func TestPathsOfAConditionInOrder(t *testing.T) {
	t.Parallel()
	c := mustCondition(t, "b.c = :v OR NOT size(#m[1].x) IN (a, b.d)", map[string]string{"#m": "map"}, map[string]value.Value{":v": number("1")})
	require.Equal(t, []string{"b", "map", "a"}, c.TopLevelNames())
	require.Equal(t, []expression.Path{{{Name: "b"}, {Name: "c"}}, {{Name: "map"}, {Index: 1}, {Name: "x"}}, {{Name: "a"}}, {{Name: "b"}, {Name: "d"}}}, c.Paths())
	require.Equal(t, "[map, [1], x]", c.Paths()[1].String())
}

// Expressions nested as deeply as possible neither overflow the stack nor take long.
func TestDepthIsBounded(t *testing.T) {
	t.Parallel()
	values := map[string]value.Value{":v": number("1")}
	for _, text := range []string{
		strings.Repeat("(", 4096),
		strings.Repeat("(", 2046) + "a=:v" + strings.Repeat(")", 2046),
		strings.Repeat("not ", 1022) + "a=:v",
		strings.Repeat("not(", 818) + "a=:v" + strings.Repeat(")", 818),
		strings.Repeat("f(", 1365) + "a" + strings.Repeat(")", 1365),
		"a in (" + strings.Repeat("(", 2040) + "a" + strings.Repeat(")", 2040) + ")",
		strings.Repeat("a.", 2047) + "a",
		"a" + strings.Repeat("[0]", 1365),
	} {
		_, err := expression.ParseCondition("ConditionExpression", text, mustPlaceholders(t, nil, values))
		requireRejected(t, err)
		_, err = expression.ParseUpdate("SET a="+text, mustPlaceholders(t, nil, values))
		requireRejected(t, err)
		_, err = expression.ParseProjection(text, mustPlaceholders(t, nil, nil))
		requireRejected(t, err)
	}
}
