package write_test

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/repo"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/internal/write"
)

// A value that was put is read as it was, Differences lists nothing, and a second put changes
// nothing.
func TestValuesAreKept(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		seed := testrand.Seed(t)
		db := newKeptTable(t, e.Client(t))
		ctx := t.Context()
		reached := map[string]int{}
		for i := range uint64(e.Size(1_000, 10_000, 1_000_000) / itemsPerType) {
			g := keptGen{rand.New(rand.NewPCG(seed, i))}
			p := keptPlan(g.entity())
			if p == nil || changesElements(p.Type) {
				continue
			}
			db.use(p, i%2 == 0)
			for range itemsPerType {
				v := g.entityOf(p.Type)
				if err := db.repo.Op(repo.Put, v.Interface(), nil).Do(ctx, repo.Result{}); err != nil {
					reached["refused by put"]++
					continue
				}
				before := db.stored(ctx, t)
				require.Empty(t, write.Differences(p, before, core.ExpiryOf(p, time.Now)), "type %d, %v: %s", i, p.Type, dumpItem(before))
				back, again := reflect.New(p.Type), reflect.New(p.Type)
				example := reflect.New(p.Type)
				example.Elem().FieldByName("ID").SetString("k")
				require.NoError(t, db.repo.Op(repo.Get, example.Interface(), nil).Do(ctx, repo.Result{Item: back.Interface()}))
				again.Elem().Set(back.Elem())
				require.True(t, sameGo(v.Elem(), back.Elem()), "type %d, %v: %s\n%+v\n%+v", i, p.Type, dumpItem(before), v.Elem(), back.Elem())
				require.NoError(t, db.repo.Op(repo.Put, again.Interface(), nil).Do(ctx, repo.Result{}))
				require.Empty(t, changed(p, before, db.stored(ctx, t)), "type %d, %v: %s", i, p.Type, dumpItem(before))
				reached["kept"]++
			}
		}
		t.Logf("reached: %v", reached)
		require.Greater(t, reached["kept"], e.Size(1_000, 10_000, 1_000_000)/4)
		require.Positive(t, reached["refused by put"])
	})
}

// TestValuesAreKept_control is the negative control: the SDK's codec loses values.
func TestValuesAreKept_control(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	lost := 0
	for i := range uint64(testsize.Pick(1_000, 10_000) / itemsPerType) {
		g := keptGen{rand.New(rand.NewPCG(seed, i))}
		p := keptPlan(g.entity())
		if p == nil || changesElements(p.Type) {
			continue
		}
		for range itemsPerType {
			if v := g.entityOf(p.Type); !keptBySDK(v) {
				lost++
			}
		}
	}
	t.Logf("the SDK lost %d values", lost)
	require.Greater(t, lost, 20)
}

func keptBySDK(v reflect.Value) (kept bool) {
	defer func() {
		if recover() != nil {
			kept = true // as if it were refused
		}
	}()
	item, err := attributevalue.MarshalMapWithOptions(v.Interface(), func(o *attributevalue.EncoderOptions) { o.UseEncodingMarshalers = true })
	if err != nil {
		return true
	}
	back := reflect.New(v.Type().Elem())
	err = attributevalue.UnmarshalMapWithOptions(item, back.Interface(), func(o *attributevalue.DecoderOptions) { o.UseEncodingUnmarshalers = true })
	return err == nil && sameGo(v.Elem(), back.Elem())
}

// changesElements reports whether an option omits elements, which a reader cannot know.
func changesElements(t reflect.Type) bool { return strings.Contains(fmt.Sprint(t), "emptyelem") }

// entityOf returns a pointer to a random value.
func (g keptGen) entityOf(t reflect.Type) reflect.Value {
	v := reflect.New(t)
	g.fill(v.Elem(), 4)
	v.Elem().FieldByName("ID").SetString("k")
	return v
}

func (g keptGen) fill(v reflect.Value, depth int) {
	t := v.Type()
	if g.IntN(6) == 0 || depth < 0 {
		return
	}
	if t.Kind() == reflect.Slice && g.IntN(4) == 0 {
		v.Set(reflect.MakeSlice(t, 0, 0))
		return
	}
	if texts := keptTexts[t]; texts != nil {
		if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
			_ = u.UnmarshalText([]byte(oneOf(g, texts)))
			return
		}
	}
	switch t {
	case reflect.TypeFor[any]():
		if x := g.anyValue(depth); x != nil {
			v.Set(reflect.ValueOf(x))
		}
		return
	case reflect.TypeFor[types.AttributeValue]():
		v.Set(reflect.ValueOf(g.value(2)))
		return
	case reflect.TypeFor[*types.AttributeValueMemberSS]():
		v.Set(reflect.ValueOf(&types.AttributeValueMemberSS{Value: []string{"a"}}))
		return
	case reflect.TypeFor[url.URL]():
		v.Set(reflect.ValueOf(url.URL{Scheme: "https", Host: "example.com", Path: "/" + oneOf(g, []string{"", "a"})}))
		return
	}
	if t.ConvertibleTo(reflect.TypeFor[time.Time]()) {
		v.Set(reflect.ValueOf(time.Unix(g.Int64N(4e9), 0).UTC()).Convert(t))
		return
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(g.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(g.Uint64()) >> (64 - t.Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(g.Uint64() >> (64 - t.Bits()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(oneOf(g, []float64{0.5, -1e20, 12345678, 1e-10}))
	case reflect.String:
		v.SetString(oneOf(g, []string{"1", "7", "-1.5", "12345678901234567890123"}))
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		g.fill(v.Elem(), depth)
		if _, null := v.Elem().Interface().(*types.AttributeValueMemberNULL); null {
			v.SetZero() // NULL is read as nil
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(t, g.IntN(3), 3))
		for i := range v.Len() {
			g.fill(v.Index(i), depth-1)
		}
	case reflect.Array:
		for i := range v.Len() {
			g.fill(v.Index(i), depth-1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		for range g.IntN(3) {
			key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
			g.fill(key, depth)
			g.fill(elem, depth-1)
			v.SetMapIndex(key, elem)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				g.fill(v.Field(i), depth-1)
			}
		}
	}
}

// anyValue returns a value for an interface.
func (g keptGen) anyValue(depth int) any {
	if depth <= 0 {
		return oneOf(g, []any{nil, "a", 1, 2.5})
	}
	return oneOf(g, []any{
		nil, "", "a", true, 7, int64(1234567890123456789), uint64(18446744073709551615), 0.1, json.Number("0.12345678901234567890123456789012345678"),
		[]byte{1}, [][]byte{{1}, {2}}, []string{"a", "b"}, []any{nil, 1, map[string]any{}}, map[string]any{"k": g.anyValue(depth - 1), "n": nil},
		*big.NewInt(7), big.NewInt(-7), map[string]big.Int{"k": *big.NewInt(7)}, []labeled{{Label: "x"}}, pointerText(7), pointerValue{7}, level("a"),
		&types.AttributeValueMemberNS{Value: []string{"1", "1234567890123456789"}}, time.Unix(7, 5).UTC(), box[any]{Value: []int{1}}, tree{Name: "n"},
	})
}

// sameGo reports whether two values are the same for a reader. nil, an empty value and a pointer to
// nil are the same, and so are times in one second. Values of types with their own form are
// compared in that form. Values in interfaces have other types after they are read.
func sameGo(a, b reflect.Value) bool {
	t := a.Type()
	switch {
	case t.ConvertibleTo(reflect.TypeFor[time.Time]()):
		at := func(v reflect.Value) int64 {
			return v.Convert(reflect.TypeFor[time.Time]()).Interface().(time.Time).Unix()
		}
		return at(a) == at(b)
	case t.Kind() == reflect.Interface, t.Kind() == reflect.Pointer && nothing(a) || nothing(b):
		return nothing(a) == nothing(b)
	case t.Kind() == reflect.Pointer:
		return sameGo(a.Elem(), b.Elem())
	case hasForm(t):
		x, errX := codec.EncodeAny(a.Interface())
		y, errY := codec.EncodeAny(b.Interface())
		return errX == nil && errY == nil && reflect.DeepEqual(x, y)
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && !sameGo(fieldOf(a, f), fieldOf(b, f)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		return sameElements(a, b) && sameElements(b, a)
	case reflect.Map:
		return sameMaps(a, b)
	default:
		return a.Interface() == b.Interface()
	}
}

// fieldOf returns a field. An embedded nil pointer is as good as one to a struct without
// attributes.
func fieldOf(v reflect.Value, f reflect.StructField) reflect.Value {
	field := v.FieldByIndex(f.Index)
	if f.Anonymous && f.Tag == "" && f.Type.Kind() == reflect.Pointer && field.IsNil() {
		return reflect.New(f.Type.Elem())
	}
	return field
}

// sameElements reports whether b has the elements of a. Sets have no order.
func sameElements(a, b reflect.Value) bool {
	for i := range a.Len() {
		found := a.Len() == b.Len() && sameGo(a.Index(i), b.Index(i))
		for k := 0; k < b.Len() && !found; k++ {
			found = sameGo(a.Index(i), b.Index(k))
		}
		if !found {
			return false
		}
	}
	return true
}

// sameMaps compares maps, whose entries of nil are as good as none.
func sameMaps(a, b reflect.Value) bool {
	for _, key := range slices.Concat(a.MapKeys(), b.MapKeys()) {
		x, y := entry(a, key), entry(b, key)
		if !x.IsValid() || !y.IsValid() {
			if x.IsValid() && !nothing(x) || y.IsValid() && !nothing(y) {
				return false
			}
		} else if !sameGo(x, y) {
			return false
		}
	}
	return true
}

// entry returns the value of a key. Equal times are different keys in Go if their locations differ.
func entry(m, key reflect.Value) reflect.Value {
	for _, k := range m.MapKeys() {
		at, ok := key.Interface().(time.Time)
		if ok && at.Equal(k.Interface().(time.Time)) || !ok && sameGo(k, key) {
			return m.MapIndex(k)
		}
	}
	return reflect.Value{}
}

func nothing(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return v.IsNil() || nothing(v.Elem())
	case reflect.Interface:
		_, null := v.Interface().(*types.AttributeValueMemberNULL)
		return null || v.IsNil() || nothing(v.Elem())
	case reflect.Map: // entries of nil are as good as none
		for _, key := range v.MapKeys() {
			if !nothing(v.MapIndex(key)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		return v.Len() == 0
	case reflect.String:
		return v.Len() == 0 && (v.Type() == reflect.TypeFor[json.Number]() || v.Type() == reflect.TypeFor[attributevalue.Number]())
	default:
		return false
	}
}

func hasForm(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[encoding.TextMarshaler]()) || p.Implements(reflect.TypeFor[encoding.BinaryMarshaler]()) ||
		p.Implements(reflect.TypeFor[attributevalue.Marshaler]())
}
