package differential

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

type (
	value = types.AttributeValue
	item  = map[string]value
)

func text(s string) value          { return &types.AttributeValueMemberS{Value: s} }
func number(s string) value        { return &types.AttributeValueMemberN{Value: s} }
func binary(s string) value        { return &types.AttributeValueMemberB{Value: []byte(s)} }
func boolean(b bool) value         { return &types.AttributeValueMemberBOOL{Value: b} }
func null() value                  { return &types.AttributeValueMemberNULL{Value: true} }
func textSet(e ...string) value    { return &types.AttributeValueMemberSS{Value: e} }
func numberSet(e ...string) value  { return &types.AttributeValueMemberNS{Value: e} }
func binarySet(e ...[]byte) value  { return &types.AttributeValueMemberBS{Value: e} }
func list(elements ...value) value { return &types.AttributeValueMemberL{Value: elements} }
func mapping(members item) value   { return &types.AttributeValueMemberM{Value: members} }
func showPlain(it item) string     { return spelling{plain: true}.item(it) }

// pickMembers returns the attributes with the given names.
func pickMembers(it item, names []string) item {
	part := item{}
	for _, name := range names {
		if v, ok := it[name]; ok {
			part[name] = v
		}
	}
	return part
}

// spelling formats values so that equal values have equal texts: attributes and set members are
// sorted. If plain is true, equal numbers have the same text. Otherwise they keep their spelling.
type spelling struct{ plain bool }

func (s spelling) item(it item) string {
	if it == nil {
		return "none"
	}
	parts := make([]string, 0, len(it))
	for _, name := range slices.Sorted(maps.Keys(it)) {
		parts = append(parts, name+":"+s.value(it[name]))
	}
	return "{" + strings.Join(parts, " ") + "}"
}

func (s spelling) value(v value) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return quote(v.Value)
	case *types.AttributeValueMemberN:
		return s.number(v.Value)
	case *types.AttributeValueMemberB:
		return fmt.Sprintf("x%x", v.Value)
	case *types.AttributeValueMemberBOOL:
		return strconv.FormatBool(v.Value)
	case *types.AttributeValueMemberNULL:
		return "null"
	case *types.AttributeValueMemberSS:
		return set(v.Value, quote)
	case *types.AttributeValueMemberNS:
		return set(v.Value, s.number)
	case *types.AttributeValueMemberBS:
		return set(v.Value, func(b []byte) string { return fmt.Sprintf("x%x", b) })
	case *types.AttributeValueMemberL:
		parts := make([]string, 0, len(v.Value))
		for _, element := range v.Value {
			parts = append(parts, s.value(element))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case *types.AttributeValueMemberM:
		return s.item(v.Value)
	default:
		return fmt.Sprintf("%T", v)
	}
}

func (s spelling) number(text string) string {
	if s.plain {
		return plainNumber(text)
	}
	return text
}

// longest is the largest length of a quoted string. Longer strings consist of one letter, so their
// length identifies them.
const longest = 80

func quote(s string) string {
	if len(s) > longest {
		return fmt.Sprintf("%q…%d", s[:4], len(s))
	}
	return strconv.Quote(s)
}

func set[T any](elements []T, show func(T) string) string {
	parts := make([]string, 0, len(elements))
	for _, e := range elements {
		parts = append(parts, show(e))
	}
	slices.Sort(parts)
	return "<" + strings.Join(parts, " ") + ">"
}

// Texts are equal exactly if the values are.
func TestSpelling(t *testing.T) {
	t.Parallel()
	loose, strict := spelling{plain: true}, spelling{}
	for _, c := range []struct {
		a, b         value
		equal, plain bool
	}{
		{number("1"), number("1.0"), false, true},
		{list(number("1")), list(number("01")), false, true},
		{numberSet("1", "2"), numberSet("2.0", "1"), false, true},
		{textSet("a", "b"), textSet("b", "a"), true, true},
		{binarySet([]byte("a"), []byte("b")), binarySet([]byte("b"), []byte("a")), true, true},
		{list(text("a"), text("b")), list(text("b"), text("a")), false, false},
		{text("1"), number("1"), false, false},
		{text("a"), binary("a"), false, false},
		{text("true"), boolean(true), false, false},
		{text("null"), null(), false, false},
		{mapping(item{}), mapping(item{"a": null()}), false, false},
		{pad(600), pad(601), false, false},
	} {
		require.Equal(t, c.equal, strict.value(c.a) == strict.value(c.b), fmt.Sprint(strict.value(c.a), strict.value(c.b)))
		require.Equal(t, c.plain, loose.value(c.a) == loose.value(c.b), fmt.Sprint(loose.value(c.a), loose.value(c.b)))
	}
	require.NotEqual(t, strict.item(nil), strict.item(item{}), "an item that is missing is no empty one")
}
