package codec

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
)

// gen generates random struct types and values. Intended differences from attributevalue have tests
// of their own. gen includes them only where the oracle can be adapted.
type gen struct {
	*rand.Rand
	// Includes unixtime tags and zero times. The oracle's types then have no MarshalText.
	unix   bool
	homely bool // only types that decode every attribute as attributevalue does
}

func newGen(seed uint64) *gen {
	return &gen{Rand: rand.New(rand.NewPCG(seed, 17))}
}

func (g *gen) one(in int) bool { return g.IntN(in) == 0 }

func pick[T any](g *gen, from []T) T { return from[g.IntN(len(from))] }

// structType returns a random struct with a few tagged fields.
func (g *gen) structType(depth int) reflect.Type {
	fields := make([]reflect.StructField, 1+g.IntN(6))
	for i := range fields {
		if depth > 0 && g.one(8) {
			fields[i] = g.embedded(i, depth-1)
			continue
		}
		t := g.fieldType(depth)
		fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: t, Tag: g.tag(i, t)}
	}
	return reflect.StructOf(fields)
}

// embedded returns a random embedded struct. Its fields often have the names of other fields.
func (g *gen) embedded(i, depth int) reflect.StructField {
	t := g.structType(depth)
	if g.one(2) {
		t = reflect.PointerTo(t)
	}
	f := reflect.StructField{Name: fmt.Sprintf("E%d", i), Type: t, Anonymous: true}
	if g.one(5) {
		f.Tag = TagKey + `:"e"`
	}
	return f
}

func (g *gen) fieldType(depth int) reflect.Type {
	if depth == 0 || !g.one(2) {
		t := pick(g, elemTypes)
		for g.homely && !homely(t) {
			t = pick(g, elemTypes)
		}
		return t
	}
	elem := g.fieldType(depth - 1)
	switch g.IntN(8) {
	case 0, 1:
		return slice(elem)
	case 2:
		if elem.Kind() == reflect.Uint8 {
			return elem
		}
		return reflect.ArrayOf(g.IntN(3), elem)
	case 3, 4:
		if pointerMethods(elem) {
			return elem
		}
		return reflect.MapOf(pick(g, mapKeyTypes), elem)
	case 5, 6:
		if elem.Kind() == reflect.Pointer { // what two pointers point to differs by intent
			return elem
		}
		return pointer(elem, 1)
	default:
		return g.structType(depth - 1)
	}
}

// pointerMethods reports whether a type is or contains one whose encoding method has a pointer
// receiver. attributevalue does not call it for elements of maps and values of interfaces.
func pointerMethods(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return pointerMethods(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if pointerMethods(t.Field(i).Type) {
				return true
			}
		}
	}
	return t == reflect.TypeFor[zPtrMarshaler]() || t == reflect.TypeFor[zPtrText]()
}

// slice returns a slice type. It avoids slices that attributevalue cannot copy.
func slice(elem reflect.Type) reflect.Type {
	if elem.Kind() == reflect.Uint8 {
		return reflect.TypeFor[[]byte]()
	}
	return reflect.SliceOf(elem)
}

// pointer returns a pointer type. It avoids pointers to interfaces, which differ by intent.
func pointer(elem reflect.Type, depth int) reflect.Type {
	for ; depth > 0 && elem.Kind() != reflect.Interface; depth-- {
		elem = reflect.PointerTo(elem)
	}
	return elem
}

// homely returns false for types that decode some attributes differently by intent.
func homely(t reflect.Type) bool {
	switch {
	case t.ConvertibleTo(timeType), reflect.PointerTo(t).Implements(textUnmarshalerType),
		reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.BinaryUnmarshaler]()), t == reflect.TypeFor[[3]byte](),
		t == reflect.TypeFor[error](), t == reflect.TypeFor[zTree](), t == reflect.TypeFor[zEmbeds]():
		return false
	}
	return true
}

// tag returns a random name and options, most of them useful.
func (g *gen) tag(i int, t reflect.Type) reflect.StructTag {
	var parts []string
	switch g.IntN(4) {
	case 0:
		parts = []string{fmt.Sprintf("a%d", i)}
	case 1:
		return ""
	default:
		parts = []string{""}
	}
	if g.one(40) {
		return TagKey + `:"-"`
	}
	if set := fittingSet(t); set != "" && g.one(2) {
		parts = append(parts, set)
	}
	for g.one(2) {
		option := pick(g, optionNames)
		if g.allowed(option, t) {
			parts = append(parts, option)
		}
	}
	return reflect.StructTag(TagKey + `:"` + strings.Join(parts, ",") + `"`)
}

// fittingSet returns the option for the set that can store a list.
func fittingSet(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[[]string](), reflect.TypeFor[[2]zText]():
		return "stringset"
	case reflect.TypeFor[[]*float64](), reflect.TypeFor[zList]():
		return "numberset"
	default:
		return ""
	}
}

// allowed returns false for options that differ by intent.
func (g *gen) allowed(option string, t reflect.Type) bool {
	base := nodeOf(t).Base()
	switch option {
	case "string": // attributevalue does not decode the texts that are not numbers
		return base.Kind != KindAny
	case "unixtime":
		return base.Kind != KindAny && (g.unix || base.Kind != KindTime)
	case "stringset", "binaryset", "numberset":
		return base.Elem == nil || base.Elem.Base().Dec&(ViaText|ViaBinary) == 0
	default:
		return true
	}
}

// fill sets a random value.
func (g *gen) fill(v reflect.Value, depth int) {
	t := v.Type()
	if t.ConvertibleTo(timeType) {
		g.fillTime(v)
		return
	}
	if t.Kind() == reflect.String && t.Implements(numberType) { // its zero value differs by intent
		v.SetString(g.text(t))
		return
	}
	if k := t.Kind(); k != reflect.Struct && k != reflect.Array && (g.one(5) || depth < 0) {
		return
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(g.one(2))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(g.number() >> (64 - t.Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(g.Uint64() >> (64 - t.Bits()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(pick(g, []float64{1.5, -0.25, 1e20, 3, 1e-10, math.Copysign(0, -1), 12345678}))
	case reflect.String:
		v.SetString(g.text(t))
	case reflect.Slice:
		n := g.IntN(4)
		v.Set(reflect.MakeSlice(t, n, n))
		for i := range n {
			g.fill(v.Index(i), depth-1)
		}
	case reflect.Array:
		for i := range v.Len() {
			g.fill(v.Index(i), depth-1)
		}
	case reflect.Map:
		g.fillMap(v, depth)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				g.fill(f, depth-1)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		for g.fill(v.Elem(), depth-1); g.unix && t.Elem().ConvertibleTo(timeType) && v.Elem().IsZero(); {
			g.fillTime(v.Elem()) // a zero time behind a pointer differs by intent
		}
	case reflect.Interface:
		if t.NumMethod() == 0 {
			if x := g.any(depth - 1); x != nil {
				v.Set(reflect.ValueOf(x))
			}
		}
	}
}

func (g *gen) fillMap(v reflect.Value, depth int) {
	t := v.Type()
	v.Set(reflect.MakeMap(t))
	for range g.IntN(3) {
		key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		g.fill(key, depth)
		g.fill(elem, depth-1)
		v.SetMapIndex(key, elem)
	}
}

// fillTime sets a random time in UTC, because attributevalue stores other zones unchanged. The time
// is zero only if both packages omit it.
func (g *gen) fillTime(v reflect.Value) {
	t := time.Unix(g.Int64N(4e9), g.Int64N(1e9)).UTC()
	if g.unix && g.one(3) && v.Type() != unixTimeType {
		t = time.Time{}
	}
	v.Set(reflect.ValueOf(t).Convert(v.Type()))
}

func (g *gen) number() int64 { return int64(g.Uint64() >> g.IntN(40)) }

func (g *gen) text(t reflect.Type) string {
	if t == reflect.TypeFor[json.Number]() || t == reflect.TypeFor[attributevalue.Number]() {
		return pick(g, []string{"0", "12", "-1.50", "1e3", "12345678901234567890123456789"})
	}
	return pick(g, []string{"a", "bc", "é", "a#b", "0", "12", "true", "longer text than the others"})
}

// any returns a random value for an interface.
func (g *gen) any(depth int) any {
	if depth > 0 && g.one(3) {
		t := pick(g, elemTypes)
		for g.homely && !homely(t) || t.ConvertibleTo(timeType) && g.unix || t.Kind() == reflect.Interface || pointerMethods(t) {
			t = pick(g, elemTypes)
		}
		v := reflect.New(t).Elem()
		g.fill(v, depth)
		return v.Interface()
	}
	switch g.IntN(7) {
	case 0:
		return "text"
	case 1:
		return 1.25
	case 2:
		return g.one(2)
	case 3:
		return []any{nil, "x", 2.0, map[string]any{}}
	case 4:
		return map[string]any{"k": "v", "n": nil}
	case 5:
		return []byte{1, 2}
	default:
		return nil
	}
}

// zPlainTime replaces time.Time in the oracle's types, because attributevalue would prefer
// MarshalText to unixtime.
type zPlainTime time.Time

// without replaces time.Time in the unnamed parts of a type by zPlainTime, which has no methods.
func without(t reflect.Type) reflect.Type {
	if t == timeType {
		return reflect.TypeFor[zPlainTime]()
	}
	if t.Name() != "" {
		return t
	}
	switch t.Kind() {
	case reflect.Slice:
		return reflect.SliceOf(without(t.Elem()))
	case reflect.Array:
		return reflect.ArrayOf(t.Len(), without(t.Elem()))
	case reflect.Pointer:
		return reflect.PointerTo(without(t.Elem()))
	case reflect.Map:
		return reflect.MapOf(t.Key(), without(t.Elem()))
	case reflect.Struct:
		fields := make([]reflect.StructField, t.NumField())
		for i := range fields {
			f := t.Field(i)
			fields[i] = reflect.StructField{Name: f.Name, Type: without(f.Type), Tag: f.Tag, Anonymous: f.Anonymous}
		}
		return reflect.StructOf(fields)
	default:
		return t
	}
}
