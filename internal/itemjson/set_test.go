package itemjson

import (
	"reflect"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
)

// embeds is an attribute value of a caller's own type.
type embeds struct{ *types.AttributeValueMemberS }

// setValues are values of each type, and some that no reply in JSON has.
func setValues() []types.AttributeValue {
	unknown := &types.UnknownUnionMember{Tag: "V", Value: []byte("[1]")}
	text, number := &types.AttributeValueMemberS{Value: "a\"\\\n\xffé"}, &types.AttributeValueMemberN{Value: "-1.5E+7"}
	values := []types.AttributeValue{
		nil, unknown, text, number, &types.AttributeValueMemberS{}, &types.AttributeValueMemberB{Value: []byte{}}, &types.AttributeValueMemberB{Value: []byte("\x00\xff=")},
		&types.AttributeValueMemberBOOL{}, &types.AttributeValueMemberBOOL{Value: true}, &types.AttributeValueMemberNULL{}, &types.AttributeValueMemberNULL{Value: true},
		&types.AttributeValueMemberSS{Value: []string{}}, &types.AttributeValueMemberSS{Value: []string{"", "b"}}, &types.AttributeValueMemberNS{Value: []string{"1", "2"}},
		&types.AttributeValueMemberBS{Value: [][]byte{{}, {0}, []byte("AA==")}},
	}
	m := map[string]types.AttributeValue{"": number, "a name of many bytes": text, "\"": nil}
	return append(
		values, &types.AttributeValueMemberL{Value: values}, &types.AttributeValueMemberL{Value: []types.AttributeValue{}},
		&types.AttributeValueMemberM{Value: m}, &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"k": number, "a name of many bytes": text}},
		&types.AttributeValueMemberM{Value: map[string]types.AttributeValue{}},
		&types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberM{Value: m}, &types.AttributeValueMemberL{Value: values}, unknown}},
	)
}

// setIn returns the value that was set in an item, after a change of its records.
func setIn(it *Item, av types.AttributeValue, change func(*Value)) types.AttributeValue {
	it.Set(av)
	for i := range it.Values {
		change(&it.Values[i])
	}
	return it.Attribute(0)
}

// A value that is set in an item is the one that the item has, and shares no memory with it.
func TestSet(t *testing.T) {
	t.Parallel()
	r, values := testrand.New(t), setValues()
	var it Item
	for range 500 {
		av := values[r.IntN(len(values))]
		got := setIn(&it, av, func(*Value) {})
		clear(it.Body)
		require.Equal(t, av, got)
	}
	it.Set((*types.AttributeValueMemberS)(nil))
	require.Nil(t, it.Attribute(0))
	it.Set(embeds{})
	require.Equal(t, "itemjson.embeds", it.Attribute(0).(*types.UnknownUnionMember).Tag)
}

// The negative control: each part of a record counts.
func TestSet_control(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Value){
		"a raw B is base64": func(v *Value) { v.Raw = false },
		"texts are escaped": func(v *Value) { v.Escaped = true },
		"a text is shorter": func(v *Value) { v.End = max(v.Start, v.End-1) },
		"an N is an S":      func(v *Value) { v.Type = max(v.Type, N) },
		"a name is empty":   func(v *Value) { v.NameEnd = v.Name },
	} {
		differ := false
		for _, av := range setValues() {
			var it Item
			differ = differ || !reflect.DeepEqual(av, setIn(&it, av, change))
		}
		require.True(t, differ, name)
	}
}

// Set and Scan make the same records. Only the text of a B is not base64.
func TestSetIsLikeScan(t *testing.T) {
	t.Parallel()
	for _, av := range setValues() {
		body, err := AppendMember([]byte("{"), "name", av)
		if err != nil {
			continue // JSON does not have it
		}
		scanned, _, err := Scan(append(body, '}'), 0, nil)
		require.NoError(t, err)
		var it Item
		it.Set(scanned.Attribute(0)) // what is not UTF-8 has changed
		require.Len(t, it.Values, len(scanned.Values))
		require.Equal(t, scanned.Levels(0), it.Levels(0))
		if m, isMap := av.(*types.AttributeValueMemberM); isMap { // in random order
			for name := range m.Value {
				require.GreaterOrEqual(t, it.Within(0).Find(NameOf(name)), 0, "the hash of a name")
			}
		}
		if slices.ContainsFunc(it.Values, func(v Value) bool { return v.Type == M }) {
			continue
		}
		for i := range it.Values {
			a, b := it.Values[i], scanned.Values[i]
			require.Equal(t, b.Type, a.Type)
			require.Equal(t, b.Span, a.Span)
			switch a.Type {
			case S, N:
				require.Equal(t, string(scanned.Text(i)), string(it.Text(i)))
			case B:
				require.Equal(t, scanned.Bytes(i), it.Bytes(i))
				require.Equal(t, scanned.Length(i), it.Length(i))
			}
		}
	}
}
