package codec

import (
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// zRaw has fields for the caller's attribute values, and a rest field.
type zRaw struct {
	Raw  types.AttributeValue
	Any  any
	Map  map[string]types.AttributeValue
	Rest map[string]types.AttributeValue
}

func encodeRaw(t *testing.T, v zRaw) (Item, error) {
	t.Helper()
	s, issues := Compile(reflect.TypeFor[zRaw]())
	require.Empty(t, issues)
	require.NoError(t, s.SetRest(s.ByName("Rest")))
	item := Item{}
	return item, s.Encode(PtrTo(&v), item)
}

// TestRawValuesAreChecked checks that encoding refuses what DynamoDB would refuse in any of the
// caller's own attribute values.
func TestRawValuesAreChecked(t *testing.T) {
	t.Parallel()
	var null *types.AttributeValueMemberS
	loop := &types.AttributeValueMemberM{Value: Item{}}
	loop.Value["loop"] = loop
	bad := map[string]AV{
		"empty SS":         &types.AttributeValueMemberSS{},
		"empty NS":         &types.AttributeValueMemberNS{Value: []string{}},
		"empty BS":         &types.AttributeValueMemberBS{},
		"twice":            &types.AttributeValueMemberSS{Value: []string{"a", "a"}},
		"one number twice": &types.AttributeValueMemberNS{Value: []string{"1", "1.0"}},
		"bytes twice":      &types.AttributeValueMemberBS{Value: [][]byte{{1}, {1}}},
		"39 digits":        number(strings.Repeat("1", 39)),
		"39 digits in NS":  &types.AttributeValueMemberNS{Value: []string{strings.Repeat("1", 39)}},
		"no number":        number("one"),
		"false NULL":       &types.AttributeValueMemberNULL{},
		"nil pointer":      null,
		"endless":          loop,
		"unknown":          &types.UnknownUnionMember{Tag: "X"},
	}
	for name, av := range bad {
		below := map[string]AV{
			name: av, name + " in L": &types.AttributeValueMemberL{Value: []AV{av}}, name + " in M": &types.AttributeValueMemberM{Value: Item{"m": av}},
		}
		for name, av := range below {
			for place, v := range map[string]zRaw{"raw": {Raw: av}, "any": {Any: av}, "map": {Map: Item{"k": av}}, "rest": {Rest: Item{"k": av}}} {
				if name == "nil pointer" && place == "any" {
					continue // a nil pointer in an interface is NULL
				}
				_, err := encodeRaw(t, v)
				var fe *FieldError
				require.ErrorAs(t, err, &fe, "%s in %s", name, place)
			}
		}
	}
	for name, item := range map[string]Item{
		"no name": {"": text("x")}, "long name": {strings.Repeat("n", 65_536): text("x")},
	} {
		for place, v := range map[string]zRaw{"raw": {Raw: &types.AttributeValueMemberM{Value: item}}, "rest": {Rest: item}} {
			_, err := encodeRaw(t, v)
			require.Error(t, err, "%s in %s", name, place)
		}
	}

	good := Item{
		"s": text(""), "n": number("1e125"), "ss": &types.AttributeValueMemberSS{Value: []string{"a", "b"}},
		"l": &types.AttributeValueMemberL{Value: allWires()}, strings.Repeat("n", 65_535): text("x"),
	}
	item, err := encodeRaw(t, zRaw{Raw: &types.AttributeValueMemberM{Value: good}, Rest: good})
	require.NoError(t, err)
	require.Equal(t, good["l"], item["l"])
}
