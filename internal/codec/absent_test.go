package codec

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

type zAbsent struct {
	Ptr     *string
	Twice   **string
	List    []string
	Bytes   []byte
	Map     map[string]int
	Set     []string `dynamodbav:",stringset"`
	Sets    [][]byte
	Any     any
	Raw     types.AttributeValue
	Nested  zAbsentParts
	Entries map[string]*int
	Elems   []*int
	Doc     map[string]any
	Rows    []any
}

type zAbsentParts struct {
	Ptr *int
	Set []string `dynamodbav:",stringset"`
}

// Nil and empty sets are left out at every depth, except in lists and in maps of interfaces.
func TestNilIsLeftOut(t *testing.T) {
	t.Parallel()
	m := func(i Item) AV { return &types.AttributeValueMemberM{Value: i} }
	l := func(e ...AV) AV { return &types.AttributeValueMemberL{Value: append([]AV{}, e...)} }
	both(t, zAbsent{}, Item{"Nested": m(Item{})})

	none, set := (*string)(nil), []string{}
	both(t, zAbsent{
		Twice: &none, Set: set, Sets: [][]byte{}, Any: none, Nested: zAbsentParts{Set: set}, Entries: map[string]*int{"a": nil},
		Elems: []*int{nil}, Doc: map[string]any{"a": nil, "b": map[string]*int{"c": nil}, "d": none}, Rows: []any{nil, none},
	}, Item{
		"Nested": m(Item{}), "Entries": m(Item{}), "Elems": l(null()), "Doc": m(Item{"a": null(), "b": m(Item{}), "d": null()}), "Rows": l(null(), null()),
	})
	// What is empty and not nil is stored, also with omitempty.
	both(t, zAbsent{List: []string{}, Bytes: []byte{}, Map: map[string]int{}}, Item{
		"List": l(), "Bytes": &types.AttributeValueMemberB{Value: []byte{}}, "Map": m(Item{}), "Nested": m(Item{}),
	})
	type omitted struct {
		List  []string       `dynamodbav:",omitempty"`
		Bytes []byte         `dynamodbav:",omitempty"`
		Map   map[string]int `dynamodbav:",omitempty"`
		Set   []string       `dynamodbav:",stringset,omitempty"`
		Text  string         `dynamodbav:",omitempty"`
	}
	both(t, omitted{List: []string{}, Bytes: []byte{}, Map: map[string]int{}, Set: []string{}}, Item{
		"List": l(), "Bytes": &types.AttributeValueMemberB{Value: []byte{}}, "Map": m(Item{}),
	})
	// An element that would be read as nil is omitted at once.
	type elements struct {
		Sets     [][][]byte  `dynamodbav:",omitemptyelem"`
		Pointers []*[][]byte `dynamodbav:",omitemptyelem"`
	}
	both(t, elements{Sets: [][][]byte{{}}, Pointers: []*[][]byte{{}}}, Item{"Sets": l(), "Pointers": l()})
	// The tag asks for NULL.
	type null4 struct {
		Ptr     *string          `dynamodbav:",nullempty"`
		Twice   **string         `dynamodbav:",nullempty"`
		List    []string         `dynamodbav:",nullempty"`
		Set     []string         `dynamodbav:",stringset,nullempty"`
		Text    string           `dynamodbav:",nullempty"`
		Any     any              `dynamodbav:",nullempty"`
		Entries map[string]*int  `dynamodbav:",nullemptyelem"`
		Raw     map[string]AV    // asks for it by its value
		Sets    map[string][]int `dynamodbav:",nullemptyelem"`
	}
	both(t, null4{Twice: &none, Set: set, Any: none, Entries: map[string]*int{"a": nil}, Raw: Item{"a": null(), "b": nil}, Sets: map[string][]int{"a": nil}}, Item{
		"Ptr": null(), "Twice": null(), "List": null(), "Set": null(), "Text": null(), "Any": null(), "Entries": m(Item{"a": null()}),
		"Raw": m(Item{"a": null()}), "Sets": m(Item{"a": null()}),
	})
}

// both requires that a struct is encoded as an item, also in JSON.
func both[T any](t *testing.T, v T, want Item) {
	t.Helper()
	got, err := encodeOf(t, v)
	require.NoError(t, err)
	require.Equal(t, want, got)
	s, _ := Compile(reflect.TypeFor[T]())
	body, err := s.AppendJSON([]byte("{"), PtrTo(&v), nil)
	require.NoError(t, err)
	scanned, _, err := itemjson.Scan(append(body, '}'), 0, nil)
	require.NoError(t, err)
	require.Equal(t, want, scanned.Map())
}

// A value that is stored, read and stored again is stored as before, and NULL is stored only where
// the tag or the value asks for it.
func TestReadingAndStoringIsStable(t *testing.T) {
	t.Parallel()
	require.NoError(t, stable(testrand.Seed(t), testsize.Pick(2_000, 10_000, 200_000), nil))
}

// The negative control stores nil as attributevalue does.
func TestReadingAndStoringIsStable_control(t *testing.T) {
	t.Parallel()
	keep := func(s *Struct) {
		for _, f := range s.fields {
			f.Options |= keepNil
		}
	}
	require.Error(t, stable(testrand.Seed(t), testsize.Pick(2_000, 10_000, 200_000), keep))
}

func stable(seed uint64, n int, mutate func(*Struct)) error {
	checked := 0
	for i := range uint64(n) {
		g := newGen(seed + i)
		g.unix = true
		t := g.structType(3)
		s, issues := Compile(t)
		if len(issues) > 0 {
			continue
		}
		if mutate != nil {
			mutate(s)
		}
		g.Rand = rand.New(rand.NewPCG(seed, i))
		v, back := reflect.New(t), reflect.New(t)
		g.fill(v.Elem(), 5)
		stored, again := Item{}, Item{}
		if s.Encode(PtrOf(v.Elem()), stored) != nil {
			continue
		}
		if !asksForNull(t, nil) && hasNullMember(&types.AttributeValueMemberM{Value: stored}) {
			return fmt.Errorf("%v stores NULL: %s", t, dump(stored))
		}
		if s.Decode(stored, PtrOf(back.Elem()), nil) != nil {
			continue
		}
		if loses(t) {
			continue
		}
		checked++
		if err := s.Encode(PtrOf(back.Elem()), again); err != nil {
			return fmt.Errorf("%v cannot be stored again: %w", t, err)
		}
		if !reflect.DeepEqual(stored, again) {
			return fmt.Errorf("%v:\n%s is stored again as\n%s", t, dump(stored), dump(again))
		}
	}
	if checked < n/10 {
		return fmt.Errorf("only %d of %d were checked", checked, n)
	}
	return nil
}

// hasNullMember reports whether a value contains a NULL that is no element of a list.
func hasNullMember(av AV) bool {
	switch tv := av.(type) {
	case *types.AttributeValueMemberM:
		for _, e := range tv.Value {
			if isNull(e) || hasNullMember(e) {
				return true
			}
		}
	case *types.AttributeValueMemberL:
		for _, e := range tv.Value {
			if hasNullMember(e) {
				return true
			}
		}
	}
	return false
}

// anyType reports whether a condition holds for a type or a part of it.
func anyType(t reflect.Type, seen map[reflect.Type]bool, holds func(reflect.Type) bool) bool {
	if seen == nil {
		seen = map[reflect.Type]bool{}
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	if holds(t) {
		return true
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return anyType(t.Elem(), seen, holds)
	case reflect.Map:
		return anyType(t.Key(), seen, holds) || anyType(t.Elem(), seen, holds)
	case reflect.Struct:
		for i := range t.NumField() {
			if anyType(t.Field(i).Type, seen, holds) {
				return true
			}
		}
	}
	return false
}

// loses reports whether a type reads less than it stores, or another value.
func loses(t reflect.Type) bool {
	return anyType(t, nil, func(t reflect.Type) bool {
		n := nodeOf(t)
		return t.Kind() == reflect.Interface || t == reflect.TypeFor[zWriteOnly]() || n.Enc == ViaAttribute || n.Dec&ViaAttribute != 0
	})
}

// asksForNull reports whether a type can store NULL by its tags, its own methods, or interfaces.
func asksForNull(t reflect.Type, seen map[reflect.Type]bool) bool {
	return anyType(t, seen, func(t reflect.Type) bool {
		n := nodeOf(t)
		if n.Kind == KindAny || n.Enc == ViaAttribute {
			return true
		}
		if n.Struct == nil {
			return false
		}
		for _, f := range n.Struct.fields {
			if f.Options&(NullEmpty|NullEmptyElem) != 0 {
				return true
			}
		}
		return false
	})
}
