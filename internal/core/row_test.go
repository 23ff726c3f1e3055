package core_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/testjson"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testschema"
	"github.com/trestledb/trestle/keys"
)

// rowItems are items with values of every type of keys, of other types, and of none.
func rowItems() []map[string]core.AV {
	values := []core.AV{
		&types.AttributeValueMemberS{Value: "COM#c1"}, &types.AttributeValueMemberS{}, &types.AttributeValueMemberS{Value: "a\"b\\\u00e9"},
		&types.AttributeValueMemberN{Value: "17"}, &types.AttributeValueMemberN{Value: "1.70"},
		&types.AttributeValueMemberB{Value: []byte{0, 255}}, &types.AttributeValueMemberB{Value: []byte{}}, &types.AttributeValueMemberB{Value: []byte("COM#c1")},
		&types.AttributeValueMemberBOOL{Value: true}, &types.AttributeValueMemberNULL{Value: true},
		&types.AttributeValueMemberM{Value: map[string]core.AV{"PK": &types.AttributeValueMemberS{Value: "x"}}},
		&types.AttributeValueMemberL{Value: []core.AV{}}, &types.AttributeValueMemberSS{Value: []string{"PK"}},
	}
	items := []map[string]core.AV{{}}
	for i, av := range values {
		items = append(items, map[string]core.AV{"PK": av, "SK": values[(i+3)%len(values)], "a\nb": values[(i+5)%len(values)]})
	}
	return items
}

// factsOf returns what the methods of a row return.
func factsOf(row core.Row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "empty=%t %s", row.Empty(), testschema.ItemText(row.Item()))
	for _, name := range []string{"PK", "SK", "a\nb", "none"} {
		fmt.Fprintf(&b, "\n%q has=%t %s", name, row.Has(name), testschema.ValueText(row.Attribute(name)))
		for _, typ := range []keys.AttrType{keys.S, keys.N, keys.B} {
			a := core.Attribute{Name: name, Type: typ}
			text, ok := row.KeyText(a)
			fmt.Fprintf(&b, " %v=%q,%t", typ, text, ok)
			for _, prefix := range []string{"", "COM#", "COM#c1", "COM#c12", "\x00", "1"} {
				fmt.Fprintf(&b, " %t", row.HasPrefix(a, prefix))
			}
		}
	}
	return b.String()
}

// A row with the JSON of an item is the same as one with its map, in any spelling.
func TestRowsInJSON(t *testing.T) {
	t.Parallel()
	random := testrand.New(t)
	items := rowItems()
	for _, item := range items {
		var list itemjson.Items
		_, err := list.Add(testjson.Append(random, nil, item), 0)
		require.NoError(t, err)
		require.Equal(t, factsOf(core.NewRow(item)), factsOf(core.JSONRows(list).First()))
	}
	// The negative control: each item differs from the next one.
	for i := range items[1:] {
		require.NotEqual(t, factsOf(core.NewRow(items[i])), factsOf(core.NewRow(items[i+1])))
	}
}

const misplacedSchema = `
type Text struct {
	_  entity.Key 'type:"text" pk:"COM#<company>" sk:"T#<id>"'
	Company string 'dynamodbav:"company"'
	ID      string 'dynamodbav:"id"'
}`

func TestMisplacedRows(t *testing.T) {
	t.Parallel()
	s, err := testschema.Source{}.Schema(strings.ReplaceAll(misplacedSchema, "'", "`"))
	require.NoError(t, err)
	for _, c := range []struct {
		typ, item string
		misplaced bool
	}{
		{"text", `{"PK": "COM#c1", "SK": "T#1", "company": "c1", "id": "1"}`, false},
		{"text", `{"PK": "COM#c2", "SK": "T#1", "company": "c1", "id": "1"}`, true},
		{"text", `{"PK": "COM#c1", "SK": "T#2", "company": "c1", "id": "1"}`, true},
		{"text", `{"PK": "COM#c1", "SK": "T#11", "company": "c1", "id": "1"}`, true},
		{"text", `{"PK": "COM#c1", "SK": "T#1", "company": "c1", "id": "11"}`, true},
		{"text", `{"PK": "COM#c1", "SK": "U#1", "company": "c1", "id": "1"}`, true},
		{"text", `{"PK": "COM#c1", "SK": "T#", "company": "c1", "id": ""}`, true},
		{"text", `{"PK": "COM#c1", "SK": "T#1$H2", "company": "c1", "id": "1#2"}`, false},
		{"text", `{"PK": "COM#c1", "SK": "T#1#2", "company": "c1", "id": "1#2"}`, true},
		{"text", `{"PK": "COM#c1", "SK": "T#1 2", "company": "c1", "id": "1 2"}`, true},
		{"text", `{"PK": "COM#c1", "SK": 1, "company": "c1", "id": "1"}`, true},
		{"text", `{"PK": "COM#c1", "SK": {"M": {}}, "company": "c1", "id": "1"}`, true},
		{"text", `{"PK": "COM#c1", "company": "c1", "id": "1"}`, true},
	} {
		p, err := testschema.Plan(s, c.typ)
		require.NoError(t, err)
		item, err := testschema.Item(c.item)
		require.NoError(t, err)
		for _, row := range bothRows(t, item) {
			at := p.NewEntity()
			require.NoError(t, row.Decode(p, at))
			var comparison core.KeyComparison
			require.Equal(t, c.misplaced, comparison.Misplaced(p, row, at), c.item)
		}
	}
}

// bothRows returns an item as rows with its map and with its JSON.
func bothRows(t *testing.T, item map[string]core.AV) []core.Row {
	t.Helper()
	body, err := itemjson.Append(nil, item)
	require.NoError(t, err)
	var list itemjson.Items
	_, err = list.Add(body, 0)
	require.NoError(t, err)
	return []core.Row{core.NewRow(item), core.JSONRows(list).First()}
}

// A row of RowsOf can be decoded by several goroutines, and its texts share no memory with the
// body.
func TestRowsOfAreShared(t *testing.T) {
	t.Parallel()
	s, err := testschema.Source{}.Schema(strings.ReplaceAll(misplacedSchema, "'", "`"))
	require.NoError(t, err)
	p, err := testschema.Plan(s, "text")
	require.NoError(t, err)
	var body []byte
	item, err := testschema.Item(`{"PK": "COM#c1", "SK": "T#1", "company": "c1", "id": "1"}`)
	require.NoError(t, err)
	body, err = itemjson.Append(append(body, '['), item)
	require.NoError(t, err)
	body = append(append(append(body, ','), body[1:]...), ']')
	var list itemjson.Items
	_, err = list.Scan(body, 0)
	require.NoError(t, err)
	rows := core.RowsOf(core.JSONRows(list).At(1))
	require.Equal(t, 1, rows.Len())
	decoded := make([]string, 8)
	var done sync.WaitGroup
	for i := range decoded {
		done.Go(func() {
			at := p.NewEntity()
			if rows.First().Decode(p, at) == nil {
				v, _ := p.Shape.Fields()[slices.IndexFunc(p.Shape.Fields(), func(f *codec.Field) bool { return f.Name == "company" })].Key(at)
				decoded[i] = v.Text()
			}
		})
	}
	done.Wait()
	clear(body)
	require.Equal(t, slices.Repeat([]string{"c1"}, 8), decoded)
}

const mixedSchema = `
type Order struct {
	_      entity.Key 'type:"order" pk:"COM#<company>" sk:"O#<id>"'
	Company string 'dynamodbav:"company"'
	ID      string 'dynamodbav:"id"'
	Total   int    'dynamodbav:"total"'
}
type Note struct {
	_      entity.Key 'type:"note" pk:"COM#<company>" sk:"N#<id>"'
	Text    string 'dynamodbav:"text"'
	ID      string 'dynamodbav:"id"'
	Company string 'dynamodbav:"company"'
}`

// The rows of a page are decoded by the plans of their types, in any order, as maps are.
func TestRowsOfSeveralTypes(t *testing.T) {
	t.Parallel()
	s, err := testschema.Source{}.Schema(strings.ReplaceAll(mixedSchema, "'", "`"))
	require.NoError(t, err)
	items := []string{
		`{"PK": "COM#c", "SK": "O#1", "_type": "order", "company": "c", "id": "1", "total": 7, "text": "not this"}`,
		`{"PK": "COM#c", "SK": "N#2", "_type": "note", "text": "t", "company": "c", "id": "2", "total": 8}`,
	}
	body := []byte("[")
	var order []map[string]core.AV
	for _, i := range []int{0, 1, 1, 0, 1} {
		item, err := testschema.Item(items[i])
		require.NoError(t, err)
		if len(order) > 0 {
			body = append(body, ',')
		}
		body, err = itemjson.Append(body, item)
		require.NoError(t, err)
		order = append(order, item)
	}
	var list itemjson.Items
	_, err = list.Scan(append(body, ']'), 0)
	require.NoError(t, err)
	rows := core.JSONRows(list)
	for i, item := range order {
		p := s.PlanOf(rows.At(i))
		require.NotNil(t, p)
		require.Same(t, s.PlanOf(core.NewRow(item)), p)
		got, want := reflect.New(p.Type), reflect.New(p.Type)
		require.NoError(t, rows.At(i).Decode(p, codec.PtrOf(got.Elem())))
		require.NoError(t, core.NewRow(item).Decode(p, codec.PtrOf(want.Elem())))
		require.Equal(t, want.Interface(), got.Interface())
	}
}
