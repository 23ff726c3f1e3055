package codec

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/keys"
)

func scan(t *testing.T, body []byte) itemjson.Item {
	t.Helper()
	item, end, err := itemjson.Scan(body, 0, nil)
	require.NoError(t, err)
	require.Equal(t, len(body), end)
	return item
}

// An item in a request also has attributes that no field has.
func TestAppendJSONBesideOtherAttributes(t *testing.T) {
	t.Parallel()
	type T struct {
		ID   string `dynamodbav:"id"`
		Key  string
		Rest map[string]types.AttributeValue `dynamodbav:"rest"`
	}
	s, issues := Compile(reflect.TypeFor[T]())
	require.Empty(t, issues)
	s.ByName("Key").KeyOnly = true
	require.NoError(t, s.SetRest(s.ByName("rest")))
	v := T{ID: "7", Key: "k", Rest: Item{"PK": text("not this"), "id": text("not this"), "kept": number("1"), "none": nil}}
	key := func(body []byte, name, template string, attr keys.AttrType, v keys.Value) []byte {
		compiled, err := keys.Compile(template, keys.Options{Type: attr, Kind: func(string) (keys.Kind, bool) { return v.Kind(), true }})
		require.NoError(t, err)
		body, err = AppendKey(body, name, compiled, []keys.Value{v})
		require.NoError(t, err)
		unchanged, err := AppendKey(body, name, compiled, nil)
		require.Error(t, err)
		require.Equal(t, body, unchanged)
		return body
	}
	body := key([]byte("{"), "PK", "<x>", keys.S, keys.Text(`"7é`))
	body, err := s.AppendJSON(body, PtrTo(&v), func(name string) bool { return name == "PK" })
	require.NoError(t, err)
	body = key(key(body, "n", "<x>", keys.N, keys.Int(12)), "b", "<x>", keys.B, keys.Bytes([]byte("\x00\xff")))
	body, err = itemjson.AppendMember(body, "type", text("t"))
	require.NoError(t, err)
	require.Equal(t, Item{
		"PK": text(`"7é`), "id": text("7"), "kept": number("1"), "n": number("12"), "b": KeyValue(keys.B, "\x00\xff"), "type": text("t"),
	}, scan(t, append(body, '}')).Map())

	var back T
	known := func(name string) bool { return name != "kept" }
	require.NoError(t, s.DecodeJSON(scan(t, append(body, '}')), PtrTo(&back), known, arenaFor(body)))
	require.Equal(t, T{ID: "7", Rest: Item{"kept": number("1")}}, back)
}

// After an error, AppendJSON returns what it received.
func TestAppendJSONError(t *testing.T) {
	t.Parallel()
	type T struct {
		A    string
		B    string
		Rest map[string]types.AttributeValue
	}
	s, _ := Compile(reflect.TypeFor[T]())
	require.NoError(t, s.SetRest(s.ByName("Rest")))
	for _, v := range []T{
		{A: "a", B: "\xff"}, {Rest: Item{"c": &types.AttributeValueMemberSS{}}}, {Rest: Item{"c": &types.UnknownUnionMember{}}},
	} {
		body, err := s.AppendJSON([]byte("{"), PtrTo(&v), nil)
		var fe *FieldError
		require.ErrorAs(t, err, &fe)
		require.Equal(t, "{", string(body))
	}
}

func TestLargeStructJSON(t *testing.T) {
	t.Parallel()
	fields := make([]reflect.StructField, 300)
	for i := range fields {
		fields[i] = reflect.StructField{Name: "F" + strings.Repeat("x", i), Type: reflect.TypeFor[int]()}
	}
	s, issues := Compile(reflect.StructOf(fields))
	require.Empty(t, issues)
	v := reflect.New(s.Type).Elem()
	for i := range fields {
		v.Field(i).SetInt(int64(i))
	}
	body, err := s.AppendJSON([]byte("{"), PtrOf(v), nil)
	require.NoError(t, err)
	back := reflect.New(s.Type).Elem()
	require.NoError(t, s.DecodeJSON(scan(t, append(body, '}')), PtrOf(back), nil, NewArena(0)))
	require.Equal(t, v.Interface(), back.Interface())
}

// Of two members of one name the last one counts, as in a map, at every level.
func TestRepeatedMembersJSON(t *testing.T) {
	t.Parallel()
	type Inner struct{ X, Y int }
	type T struct {
		In  Inner
		Ptr *Inner
		Map map[string]string
		Num map[string]int
		Any any
	}
	s, _ := Compile(reflect.TypeFor[T]())
	item := scan(t, []byte(`{"Num":{"M":{"a":{"S":"no number"},"a":{"N":"1"},"a":{"N":"2"}}},"Any":{"M":{"a":{"N":"1e999"},"a":{"S":"x"}}},"In":{"M":{"X":{"N":"1"},"X":{"N":"2"}}},"In":{"M":{"Y":{"N":"3"}}},`+
		`"Ptr":{"M":{"X":{"N":"1"}}},"Ptr":{"NULL":true},"Map":{"M":{"a":{"S":"1"},"a":{"S":"2"}}},"other":{"S":"1"},"other":{"S":"2"}}`))
	var got T
	require.NoError(t, s.DecodeJSON(item, PtrTo(&got), nil, NewArena(0)))
	require.Equal(t, T{In: Inner{Y: 3}, Map: map[string]string{"a": "2"}, Num: map[string]int{"a": 2}, Any: map[string]any{"a": "x"}}, got)
}

// The string option is for numbers, so a text in a time is not one.
func TestTimeWithStringOptionJSON(t *testing.T) {
	t.Parallel()
	type T struct {
		At  time.Time  `dynamodbav:"at,string"`
		Ptr *time.Time `dynamodbav:"ptr,string"`
	}
	s, issues := Compile(reflect.TypeFor[T]())
	require.Len(t, issues, 2)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var got T
	item := scan(t, []byte(`{"at":{"S":"2026-01-02T03:04:05Z"},"ptr":{"S":"2026-01-02T03:04:05Z"}}`))
	require.NoError(t, s.DecodeJSON(item, PtrTo(&got), nil, NewArena(0)))
	require.Equal(t, T{at, &at}, got)
	for _, body := range []string{`{"at":{"S":"123"}}`, `{"ptr":{"S":"123"}}`} {
		var fe *FieldError
		require.ErrorAs(t, s.DecodeJSON(scan(t, []byte(body)), PtrTo(&T{}), nil, NewArena(0)), &fe, body)
	}
}

func TestTooDeepJSON(t *testing.T) {
	t.Parallel()
	for levels := range 50 {
		av := text("x")
		for i := range levels {
			if i%2 == 0 {
				av = &types.AttributeValueMemberL{Value: []AV{number("1"), av}}
			} else {
				av = &types.AttributeValueMemberM{Value: Item{"m": av}}
			}
		}
		for _, av := range []AV{av, &types.AttributeValueMemberL{Value: []AV{av, &types.AttributeValueMemberM{}}}} {
			body, err := itemjson.Append(nil, Item{"a": av})
			require.NoError(t, err)
			require.Equal(t, TooDeep(av), TooDeepJSON(scan(t, body), 0), levels)
		}
	}
}

// arenaFor returns an arena that allocates as in a small response or as in a large one.
func arenaFor(body []byte) *Arena { return NewArena(len(body) * []int{1, 1 << 20}[len(body)%2]) }
