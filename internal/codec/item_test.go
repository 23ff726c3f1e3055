package codec

import (
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/keys"
)

func TestRest(t *testing.T) {
	t.Parallel()
	type Extra map[string]types.AttributeValue
	type T struct {
		ID    string `dynamodbav:"id"`
		Note  string `dynamodbav:"note,omitempty"`
		Ghost string `dynamodbav:"ghost"`
		Extra Extra  `dynamodbav:"extra"`
	}
	s, issues := Compile(reflect.TypeFor[T]())
	require.Empty(t, issues)
	require.Error(t, s.SetRest(s.ByName("id")))
	require.NoError(t, s.SetRest(s.ByName("extra")))
	s.ByName("ghost").KeyOnly = true

	bytes := &types.AttributeValueMemberB{Value: []byte("x")}
	item := Item{"id": text("1"), "PK": text("p"), "new": bytes, "ghost": text("g"), "extra": number("1")}
	var v T
	require.NoError(t, s.Decode(item, PtrTo(&v), func(name string) bool { return name == "PK" }))
	require.Equal(t, Extra{"new": bytes, "ghost": text("g"), "extra": number("1")}, v.Extra)
	require.Empty(t, v.Ghost)
	bytes.Value[0] = 'y'
	require.Equal(t, []byte("x"), v.Extra["new"].(*types.AttributeValueMemberB).Value, "no memory is shared")

	v.Extra["id"], v.Extra["note"], v.Extra["nil"] = text("other"), text("stale"), nil
	v.Ghost = "kept in keys"
	out := Item{"new": text("already there")}
	require.NoError(t, s.Encode(PtrTo(&v), out))
	require.Equal(t, Item{"id": text("1"), "new": text("already there"), "ghost": text("g"), "extra": number("1")}, out)

	var none T
	require.NoError(t, s.Decode(Item{"id": text("1")}, PtrTo(&none), nil))
	require.Nil(t, none.Extra)
	require.NoError(t, s.Encode(PtrTo(&none), Item{}))
}

type Audit struct {
	CreatedBy string `dynamodbav:"created_by"`
	Place     ZTagged
}

type Link struct {
	To string `dynamodbav:"to"`
}

type zOrder struct {
	ID    string `dynamodbav:"id"`
	Audit `dynamodbav:""`
	*Link
	Work *struct {
		City string `dynamodbav:"city"`
	} `dynamodbav:"work"`
	Last string
}

func TestFieldsAndIndexes(t *testing.T) {
	t.Parallel()
	typ := reflect.TypeFor[zOrder]()
	s, issues := Compile(typ)
	require.Empty(t, issues)
	var names []string
	for _, f := range s.Fields() {
		names = append(names, f.GoName)
		require.Equal(t, typ.FieldByIndex(f.Index).Name, f.GoName[strings.LastIndexByte(f.GoName, '.')+1:])
		require.Same(t, f, s.ByName(f.Name))
		require.Equal(t, typ.FieldByIndex(f.Index).Tag, f.Tag)
	}
	require.Equal(t, []string{"ID", "Audit.CreatedBy", "Audit.Place", "Link.To", "Work", "Last"}, names)

	f, rest := s.ByIndex([]int{1, 1, 0})
	require.Equal(t, "Audit.Place", f.GoName)
	require.Equal(t, []int{0}, rest)
	f, rest = s.ByIndex([]int{3, 0})
	require.Equal(t, "Work", f.GoName)
	below, rest := f.Node.Elem.Struct.ByIndex(rest)
	require.Equal(t, "city", below.Name)
	require.Empty(t, rest)
	f, _ = s.ByIndex([]int{1})
	require.Nil(t, f, "an embedded struct is no field")
	require.Nil(t, s.ByName("nobody"))
}

func TestEmbeddedPointers(t *testing.T) {
	t.Parallel()
	s, _ := Compile(reflect.TypeFor[zOrder]())
	to := s.ByName("to")
	var v zOrder
	_, ok := to.find(PtrTo(&v))
	require.False(t, ok)
	require.True(t, to.IsZero(PtrTo(&v)))
	av, err := to.Encode(PtrTo(&v))
	require.NoError(t, err)
	require.Nil(t, av)
	key, err := to.Key(PtrTo(&v))
	require.NoError(t, err)
	require.True(t, key.IsAbsent())

	require.NoError(t, to.Decode(text("x"), PtrTo(&v)))
	require.Equal(t, "x", v.To)
	require.NoError(t, to.SetKey(keys.Text("y"), PtrTo(&v)))
	require.Equal(t, "y", v.To)
	at, ok := to.find(PtrTo(&v))
	require.True(t, ok)
	require.Equal(t, "y", *as[string](at))
}

func TestOperands(t *testing.T) {
	t.Parallel()
	type T struct {
		Name string    `dynamodbav:"name,omitempty"`
		Ptr  *int      `dynamodbav:"ptr"`
		At   time.Time `dynamodbav:"at,unixtime"`
		Tags []string  `dynamodbav:"tags,stringset"`
		Skip func()    `dynamodbav:"skip"`
	}
	s, issues := Compile(reflect.TypeFor[T]())
	require.Len(t, issues, 1)
	name, ptr := "", (*int)(nil)
	av, err := s.ByName("name").EncodeOperand(&name)
	require.NoError(t, err)
	require.Nil(t, av)
	av, err = s.ByName("name").Node.EncodeOperand(&name)
	require.NoError(t, err)
	require.Equal(t, text(""), av, "a node leaves nothing out")
	av, err = s.ByName("ptr").EncodeOperand(&ptr)
	require.NoError(t, err)
	require.Nil(t, av)
	av, err = s.ByName("ptr").Node.EncodeOperand(&ptr)
	require.NoError(t, err)
	require.Equal(t, null(), av)
	at := time.Unix(5, 0)
	av, err = s.ByName("at").EncodeOperand(&at)
	require.NoError(t, err)
	require.Equal(t, number("5"), av)
	tags := []string{"a"}
	av, err = s.ByName("tags").EncodeOperand(&tags)
	require.NoError(t, err)
	require.Equal(t, &types.AttributeValueMemberSS{Value: tags}, av)
	fn := func() {}
	_, err = s.ByName("skip").Node.EncodeOperand(&fn)
	require.Error(t, err)

	f := s.ByName("name")
	f.KeyOnly = true
	name = "x"
	av, err = f.EncodeOperand(&name)
	require.NoError(t, err)
	require.Nil(t, av)
	v, err := f.KeyOperand(&name, false)
	require.NoError(t, err)
	require.Equal(t, "x", v.Text())
}

func TestEncodeAny(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   any
		want AV
	}{
		{nil, null()}, {"x", text("x")}, {1, number("1")}, {true, &types.AttributeValueMemberBOOL{Value: true}}, {text("raw"), text("raw")},
		{[]any{1, "a"}, &types.AttributeValueMemberL{Value: []AV{number("1"), text("a")}}}, {zColor("red"), text("color-red")},
		{(*zColor)(nil), null()}, {time.Unix(0, 0).UTC(), text("1970-01-01T00:00:00Z")},
		{ZTagged{T: "t"}, &types.AttributeValueMemberM{Value: Item{"T": text("t")}}},
	} {
		got, err := EncodeAny(c.in)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
}

func TestWire(t *testing.T) {
	t.Parallel()
	type T struct {
		A string     `dynamodbav:",nullempty"`
		B int        `dynamodbav:",string"`
		C *time.Time `dynamodbav:",unixtime"`
		D []int      `dynamodbav:",numberset"`
		E zValMarshaler
		F any
		G [2]int
		H map[string]int
		I zBinary
		J [][]byte
		K chan int
		L *zColor
		M bool
		N []byte
	}
	s, issues := Compile(reflect.TypeFor[T]())
	require.Len(t, issues, 1, "a channel cannot be stored")
	want := []string{"S|NULL", "S", "N", "NS", WireAny.String(), WireAny.String(), "L", "M", "B", "BS", "", "S", "BOOL", "B"}
	for i, f := range s.Fields() {
		require.Equal(t, want[i], f.Wire().String(), f.Name)
	}
	node := nodeOf(reflect.TypeFor[*int]())
	require.Equal(t, "N|NULL", node.Wire().String())
	require.Equal(t, "N", node.WireInMap(false).String())
	require.Equal(t, "N|NULL", node.WireInMap(true).String())
	require.True(t, nodeOf(reflect.TypeFor[any]()).Wire().Has(WireS|WireBS))
	require.False(t, nodeOf(reflect.TypeFor[string]()).Wire().Has(WireN))
}

func TestRecursiveTypesCompileOnce(t *testing.T) {
	t.Parallel()
	n := nodeOf(reflect.TypeFor[zTree]())
	kids := n.Struct.ByName("kids").Node
	require.Same(t, n, kids.Elem)
	require.Same(t, n, n.Struct.ByName("next").Node.Elem)
	require.Same(t, n, nodeOf(reflect.TypeFor[zTree]()))
	s := nodeOf(reflect.TypeFor[zSlice]())
	require.Same(t, s, s.Elem)
}

func TestCompileIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	type Fresh struct {
		A map[string]*Fresh
		B []struct{ C zTree }
	}
	var wg sync.WaitGroup
	nodes := make([]*Node, 8)
	for i := range nodes {
		wg.Go(func() {
			s, _ := Compile(reflect.TypeFor[Fresh]())
			nodes[i] = nodeOf(reflect.TypeFor[Fresh]())
			v := Fresh{A: map[string]*Fresh{"x": {}}}
			_ = s.Encode(PtrTo(&v), Item{})
		})
	}
	wg.Wait()
	for _, n := range nodes {
		require.Same(t, nodes[0], n)
	}
}

// zKept keeps what its method gets.
type zKept struct{ av AV }

func (z zKept) MarshalDynamoDBAttributeValue() (AV, error) { return z.av, nil }

func (z *zKept) UnmarshalDynamoDBAttributeValue(av AV) error {
	z.av = av
	return nil
}

// TestDecodeSharesNoMemory overwrites every byte slice of an item after decoding it.
func TestDecodeSharesNoMemory(t *testing.T) {
	t.Parallel()
	type T struct {
		B   []byte
		Bs  [][]byte
		Any any
		Raw types.AttributeValue
		Own zBinary
		L   []zBlob
		Av  zKept
	}
	bin := func(s string) AV { return &types.AttributeValueMemberB{Value: []byte(s)} }
	item := Item{
		"B": bin("b"), "Bs": &types.AttributeValueMemberBS{Value: [][]byte{[]byte("bs")}}, "Raw": bin("raw"), "Own": bin("bown"),
		"Any": &types.AttributeValueMemberM{Value: Item{"x": bin("any")}}, "L": &types.AttributeValueMemberL{Value: []AV{bin("l")}},
		"Av": &types.AttributeValueMemberL{Value: []AV{bin("av")}},
	}
	got, err := decodeOf[T](t, item)
	require.NoError(t, err)
	scribble(&types.AttributeValueMemberM{Value: item})
	require.Equal(t, T{
		B: []byte("b"), Bs: [][]byte{[]byte("bs")}, Any: map[string]any{"x": []byte("any")}, Raw: bin("raw"), Own: zBinary{B: "own"}, L: []zBlob{zBlob("l")},
		Av: zKept{&types.AttributeValueMemberL{Value: []AV{bin("av")}}},
	}, got)
}

func scribble(av AV) {
	switch tv := av.(type) {
	case *types.AttributeValueMemberB:
		clear(tv.Value)
	case *types.AttributeValueMemberBS:
		for _, b := range tv.Value {
			clear(b)
		}
	case *types.AttributeValueMemberL:
		for _, av := range tv.Value {
			scribble(av)
		}
	case *types.AttributeValueMemberM:
		for _, av := range tv.Value {
			scribble(av)
		}
	}
}

func TestClone(t *testing.T) {
	t.Parallel()
	for _, av := range allWires() {
		c := Clone(av)
		require.Equal(t, av, c)
		require.NotSame(t, av, c)
		scribble(c)
		require.Equal(t, typeName(av), typeName(c))
	}
	require.Equal(t, allWires(), func() []AV {
		avs := allWires()
		for _, av := range avs {
			scribble(Clone(av))
		}
		return avs
	}())
	unknown := &types.UnknownUnionMember{Tag: "X"}
	require.Same(t, unknown, Clone(unknown))
}

func TestIsZero(t *testing.T) {
	t.Parallel()
	s, _ := Compile(reflect.TypeFor[zKeys]())
	empty := ""
	full := zKeys{Ptr: &empty, Bytes: []byte{}, Time: time.Unix(0, 0)}
	for _, f := range s.Fields() {
		require.True(t, f.IsZero(PtrTo(&zKeys{Time: time.Time{}.In(time.FixedZone("x", 60))})), f.Name)
		given := f.Name == "Ptr" || f.Name == "Bytes" || f.Name == "Time"
		require.Equal(t, !given, f.IsZero(PtrTo(&full)), f.Name)
	}
}

func TestMapKeys(t *testing.T) {
	t.Parallel()
	type T struct {
		Ptr  map[*zUUID]int
		Bool map[bool]int
		Flt  map[float32]int
	}
	id := zUUID{1, 2, 3, 4}
	v := T{Ptr: map[*zUUID]int{&id: 1}, Bool: map[bool]int{true: 1}, Flt: map[float32]int{1.5: 1}}
	item, err := encodeOf(t, v)
	require.NoError(t, err)
	back, err := decodeOf[T](t, item)
	require.NoError(t, err)
	require.Equal(t, v.Bool, back.Bool)
	require.Equal(t, v.Flt, back.Flt)
	for key := range back.Ptr {
		require.Equal(t, id, *key)
	}
	_, err = encodeOf(t, T{Ptr: map[*zUUID]int{nil: 1}})
	require.ErrorIs(t, err, errEmptyName)

	type Unkeyed struct {
		Any   map[any]int
		Ptr   map[*int]int
		Under []map[string]*map[struct{}]int
	}
	_, issues := Compile(reflect.TypeFor[Unkeyed]())
	require.Len(t, issues, 3)
	s, _ := Compile(reflect.TypeFor[Unkeyed]())
	var fe *FieldError
	require.ErrorAs(t, s.Encode(PtrTo(&Unkeyed{Any: map[any]int{"x": 1}}), Item{}), &fe)
	require.ErrorAs(t, s.Decode(Item{"Any": &types.AttributeValueMemberM{Value: Item{"x": number("1")}}}, PtrTo(&Unkeyed{}), nil), &fe)
}
