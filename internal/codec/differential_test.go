package codec

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

var errOraclePanics = errors.New("attributevalue panics")

// oracleEncode is attributevalue with the options that this package implements.
func oracleEncode(v any) (item Item, err error) {
	defer func() {
		if recover() != nil {
			err = errOraclePanics
		}
	}()
	av, err := attributevalue.NewEncoder(func(o *attributevalue.EncoderOptions) {
		o.UseEncodingMarshalers = true
		o.OmitEmptyTime = true
	}).Encode(v)
	if err != nil {
		return nil, err
	}
	return av.(*types.AttributeValueMemberM).Value, nil
}

func oracleDecode(item Item, v any) (err error) {
	defer func() {
		if recover() != nil {
			err = errOraclePanics
		}
	}()
	return attributevalue.NewDecoder(func(o *attributevalue.DecoderOptions) {
		o.UseEncodingUnmarshalers = true
		o.FixUnmarshalIndividualSetValues = true
	}).Decode(&types.AttributeValueMemberM{Value: item}, v)
}

// coverage counts the cases that the random types and values reach.
type coverage map[string]int

func (c coverage) node(n *Node, depth int) {
	if depth == 0 {
		return
	}
	c[fmt.Sprintf("kind %d", n.Kind)]++
	if n.Bits != 0 {
		c[fmt.Sprintf("kind %d of %d bits", n.Kind, n.Bits)]++
	}
	if n.Enc != 0 {
		c[fmt.Sprintf("enc %d", n.Enc)]++
	}
	if n.Dec != 0 {
		c[fmt.Sprintf("dec %d", n.Dec)]++
	}
	if n.Elem != nil {
		c.node(n.Elem, depth-1)
	}
	if n.Struct != nil {
		c.fields(n.Struct, depth-1)
	}
}

func (c coverage) fields(s *Struct, depth int) {
	for _, f := range s.fields {
		if len(f.Index) > 1 {
			c["promoted"]++
		}
		if len(f.hops) > 0 {
			c["promoted through pointers"]++
		}
		for i, name := range optionNames {
			if f.Has(1 << i) {
				c["option "+name]++
				if f.Node.Kind == KindPtr {
					c["option behind pointer "+name]++
				}
			}
		}
		c.node(f.Node, depth)
	}
}

func (c coverage) item(av AV) {
	c["wire "+typeName(av)]++
	switch tv := av.(type) {
	case *types.AttributeValueMemberL:
		for _, av := range tv.Value {
			c.item(av)
		}
	case *types.AttributeValueMemberM:
		for _, av := range tv.Value {
			c.item(av)
		}
	}
}

// differ encodes and decodes random values of one random type with both packages and returns the
// differences. It applies mutate, if not nil, to the compiled type.
func differ(g *gen, seed uint64, c coverage, mutate func(*Struct)) error {
	t := g.structType(3)
	twin := t
	if g.unix {
		twin = without(t)
	}
	s, issues := Compile(t)
	if mutate != nil {
		mutate(s)
	}
	c.fields(s, 5)
	if len(issues) > 0 {
		c["faulty types"]++
	}
	for round := range uint64(3) {
		ours, theirs := reflect.New(t), reflect.New(twin)
		g.Rand = rand.New(rand.NewPCG(seed, round))
		g.fill(ours.Elem(), 5)
		g.Rand = rand.New(rand.NewPCG(seed, round))
		g.fill(theirs.Elem(), 5)

		want, wantErr := oracleEncode(theirs.Interface())
		got := Item{}
		err := s.Encode(PtrOf(ours.Elem()), got)
		switch {
		case errors.Is(wantErr, errOraclePanics), errors.Is(err, ErrNumber), errors.Is(err, ErrNotNumber), errors.Is(err, ErrSet):
			c["passed over when encoding"]++
			continue
		case (err == nil) != (wantErr == nil):
			return fmt.Errorf("encode %v: error %v, want %v", t, err, wantErr)
		case err != nil:
			c["errors when encoding"]++
			continue
		case !reflect.DeepEqual(withoutNulls(t, got), withoutNulls(t, want)): // attributevalue stores nil as NULL
			return fmt.Errorf("encode %v:\n%v\nwant\n%v", t, dump(got), dump(want))
		}
		c["encoded"]++
		for _, av := range got {
			c.item(av)
		}
		if g.homely {
			g.shuffle(got)
		}
		if err := differDecode(s, t, got, c); err != nil {
			return err
		}
	}
	return nil
}

// withoutNulls returns an item of the struct type without NULL, except in lists. omitemptyelem
// omits empty sets from lists, where attributevalue stores NULL.
func withoutNulls(t reflect.Type, item Item) Item {
	return withoutNullMembers(&types.AttributeValueMemberM{Value: item}, strings.Contains(t.String(), "omitemptyelem")).(*types.AttributeValueMemberM).Value
}

func withoutNullMembers(av AV, inLists bool) AV {
	switch tv := av.(type) {
	case *types.AttributeValueMemberM:
		kept := Item{}
		for name, e := range tv.Value {
			if !isNull(e) {
				kept[name] = withoutNullMembers(e, inLists)
			}
		}
		return &types.AttributeValueMemberM{Value: kept}
	case *types.AttributeValueMemberL:
		elems := make([]AV, 0, len(tv.Value))
		for _, e := range tv.Value {
			if !isNull(e) || !inLists {
				elems = append(elems, withoutNullMembers(e, inLists))
			}
		}
		return &types.AttributeValueMemberL{Value: elems}
	default:
		return av
	}
}

// shuffle exchanges attributes, so that fields decode attributes of other types.
func (g *gen) shuffle(item Item) {
	names := make([]string, 0, len(item))
	for i := range 7 {
		for _, name := range []string{fmt.Sprintf("F%d", i), fmt.Sprintf("a%d", i)} {
			if item[name] != nil {
				names = append(names, name)
			}
		}
	}
	g.Shuffle(len(names), func(i, j int) { item[names[i]], item[names[j]] = item[names[j]], item[names[i]] })
}

func differDecode(s *Struct, t reflect.Type, item Item, c coverage) error {
	got, want := reflect.New(t), reflect.New(t)
	wantErr := oracleDecode(item, want.Interface())
	err := s.Decode(item, PtrOf(got.Elem()), nil)
	likeSDK(got)
	switch {
	case errors.Is(wantErr, errOraclePanics):
		c["passed over when decoding"]++
	case (err == nil) != (wantErr == nil):
		return fmt.Errorf("decode %v: error %v, want %v\n%v", t, err, wantErr, dump(item))
	case err != nil:
		c["errors when decoding"]++
	case !reflect.DeepEqual(got.Interface(), want.Interface()):
		return fmt.Errorf("decode %v:\n%+v\nwant\n%+v\n%v", t, got.Elem(), want.Elem(), dump(item))
	default:
		c["decoded"]++
	}
	return nil
}

// likeSDK changes the values in interfaces to those that attributevalue decodes: numbers to
// float64, and sets to slices.
func likeSDK(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() || v.Type() == rawType {
			break
		}
		switch x := v.Interface().(type) {
		case attributevalue.Number:
			f, _ := x.Float64()
			v.Set(reflect.ValueOf(f))
		case *types.AttributeValueMemberSS:
			v.Set(reflect.ValueOf(x.Value))
		case *types.AttributeValueMemberNS:
			floats := make([]float64, len(x.Value))
			for i, s := range x.Value {
				floats[i], _ = strconv.ParseFloat(s, 64)
			}
			v.Set(reflect.ValueOf(floats))
		case []attributevalue.Number:
			floats := make([]float64, len(x))
			for i, n := range x {
				floats[i], _ = n.Float64()
			}
			v.Set(reflect.ValueOf(floats))
		default:
			inner := reflect.New(v.Elem().Type()).Elem()
			inner.Set(v.Elem())
			likeSDK(inner)
			v.Set(inner)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			likeSDK(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() || v.Type().Field(i).Anonymous {
				likeSDK(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			likeSDK(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			elem := reflect.New(v.Type().Elem()).Elem()
			elem.Set(v.MapIndex(key))
			likeSDK(elem)
			v.SetMapIndex(key, elem)
		}
	}
}

func dump(item Item) string {
	var v any
	err := nodeOf(reflect.TypeFor[any]()).decode(&types.AttributeValueMemberM{Value: item}, PtrTo(&v), plain)
	return fmt.Sprintf("%#v %v", v, err)
}

// sweep runs the differential test over n random types.
func sweep(seed uint64, n int, mutate func(*Struct)) (coverage, error) {
	c := coverage{}
	for i := range uint64(n) {
		g := newGen(seed + i)
		g.unix, g.homely = i%4 == 1, i%4 == 2
		if err := differ(g, seed+i, c, mutate); err != nil {
			return c, fmt.Errorf("type %d: %w", i, err)
		}
	}
	return c, nil
}

func TestDifferential(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	seed := testrand.Seed(t)
	c, err := sweep(seed, testsize.Pick(3_000, 8_000, 100_000), nil)
	require.NoError(t, err)
	t.Logf("reached: %v", c)

	for kind := KindBool; kind < KindRaw; kind++ {
		require.Greater(t, c[fmt.Sprintf("kind %d", kind)], 20, "kind %d", kind)
	}
	for _, bits := range []int{8, 16, 32, 64} {
		require.Greater(t, c[fmt.Sprintf("kind %d of %d bits", KindInt, bits)], 20)
		require.Greater(t, c[fmt.Sprintf("kind %d of %d bits", KindUint, bits)], 20)
	}
	for _, via := range []Via{ViaAttribute, ViaText, ViaBinary} {
		require.Greater(t, c[fmt.Sprintf("enc %d", via)], 20, "enc %d", via)
		require.Greater(t, c[fmt.Sprintf("dec %d", via)], 20, "dec %d", via)
	}
	for _, name := range optionNames {
		require.Greater(t, c["option "+name], 20, name)
		require.Greater(t, c["option behind pointer "+name], 5, name)
	}
	for _, wire := range wireNames {
		require.Greater(t, c["wire "+wire], 20, wire)
	}
	require.Greater(t, c["promoted"], 100)
	require.Greater(t, c["promoted through pointers"], 50)
	require.Greater(t, c["encoded"], 3_000)
	require.Greater(t, c["decoded"], 2_000)
	require.Greater(t, c["errors when encoding"], 100)
	require.Greater(t, c["errors when decoding"], 100)
}

// TestDifferential_control is the negative control: the differential test fails without any one of
// the options and encodings.
func TestDifferential_control(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	seed := testrand.Seed(t)
	forget := func(option Options) func(*Struct) {
		return func(s *Struct) {
			for _, f := range s.fields {
				f.Options &^= option
			}
		}
	}
	retype := func(match func(*Node) bool, change func(*Node)) func(*Struct) {
		return func(s *Struct) {
			for _, f := range s.fields {
				if match(f.Node) {
					n := *f.Node
					change(&n)
					f.Node = &n
				}
			}
		}
	}
	for name, mutate := range map[string]func(*Struct){
		"omitempty":     forget(OmitEmpty),
		"omitemptyelem": forget(OmitEmptyElem),
		"nullempty":     forget(NullEmpty),
		"nullemptyelem": forget(NullEmptyElem),
		"string":        forget(AsString),
		"binaryset":     forget(BinarySet),
		"numberset":     forget(NumberSet),
		"stringset":     forget(StringSet),
		"unixtime":      forget(UnixTime),
		"marshaler":     retype(func(n *Node) bool { return n.Enc == ViaAttribute }, func(n *Node) { n.Enc = 0 }),
		"unmarshaler":   retype(func(n *Node) bool { return n.Dec&ViaAttribute != 0 }, func(n *Node) { n.Dec = 0 }),
		"text":          retype(func(n *Node) bool { return n.Enc == ViaText && n.Kind != KindTime }, func(n *Node) { n.Enc = 0 }),
		"binary":        retype(func(n *Node) bool { return n.Enc == ViaBinary }, func(n *Node) { n.Enc = 0 }),
		"promotion": func(s *Struct) {
			s.fields = slices.DeleteFunc(s.fields, func(f *Field) bool { return len(f.Index) > 1 })
		},
		"float32": retype(func(n *Node) bool { return n.Kind == KindFloat && n.Bits == 32 }, func(n *Node) { n.Kind = KindNone }),
	} {
		_, err := sweep(seed, 20_000, mutate)
		require.Error(t, err, name)
	}
}
