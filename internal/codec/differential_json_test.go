package codec

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/testjson"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// jsonCodec is the conversion that the tests below check. A control exchanges a part of it.
type jsonCodec struct {
	encode func(*Struct, Ptr) ([]byte, error)
	decode func(*Struct, []byte, Ptr) error
}

var ourJSON = jsonCodec{
	encode: func(s *Struct, p Ptr) ([]byte, error) {
		body, err := s.AppendJSON([]byte{'{'}, p, nil)
		return append(body, '}'), err
	},
	decode: func(s *Struct, body []byte, p Ptr) error {
		item, _, err := itemjson.Scan(body, 0, nil)
		if err != nil {
			return err
		}
		return s.DecodeJSON(item, p, nil, arenaFor(body))
	},
}

// pageJSON returns the conversion of items of large pages: three of them share an arena, and their
// members are found by a lookup that has further attributes.
func pageJSON() jsonCodec {
	var a *Arena
	items := 0
	return jsonCodec{encode: ourJSON.encode, decode: func(s *Struct, body []byte, p Ptr) error {
		if items%3 == 0 {
			a = NewArena(1 << 20)
		}
		items++
		item, _, err := itemjson.Scan(body, 0, nil)
		if err != nil {
			return err
		}
		lookup := s.Lookup("PK", "unknown")
		members := make([]uint32, lookup.Len())
		lookup.Members(item, members)
		return s.DecodeMembers(item, members, p, nil, a)
	}}
}

// sameError reports whether two errors are of one kind, at one place.
func sameError(a, b error) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	var x, y *FieldError
	if errors.As(a, &x) != errors.As(b, &y) {
		return false
	}
	if x != nil { // the first error in a map is random
		at, _, within := strings.Cut(x.Field, "[*]")
		other, _, otherWithin := strings.Cut(y.Field, "[*]")
		if within || otherWithin || x.GoType == y.GoType && strings.HasPrefix(x.GoType, "map[") {
			return strings.HasPrefix(at, other) || strings.HasPrefix(other, at)
		}
	}
	for _, kind := range []error{ErrNumber, ErrNotNumber, ErrSet, ErrDepth} {
		if errors.Is(a, kind) != errors.Is(b, kind) {
			return false
		}
	}
	return x == nil || x.Field == y.Field && x.GoType == y.GoType && x.Got == y.Got && x.Reason == y.Reason
}

// differJSON encodes and decodes random values of one random type as JSON and as a map, and returns
// the differences.
func differJSON(g *gen, j jsonCodec, seed uint64, c coverage) error {
	t := g.structType(3)
	s, _ := Compile(t)
	for _, f := range s.fields {
		switch base := f.Node.Base(); {
		case g.one(20):
			f.OmitZero = true
		case g.one(19):
			f.KeyOnly = true
		case g.one(3) && (base.Kind == KindTime || base.Kind == KindInt):
			_ = f.StoreUnix()
		case s.rest == nil && base.Kind == KindMap:
			_ = s.SetRest(f)
		}
	}
	for round := range uint64(3) {
		g.Rand = rand.New(rand.NewPCG(seed, round))
		v := reflect.New(t)
		g.fill(v.Elem(), 5)
		want := Item{}
		wantErr := s.Encode(PtrOf(v.Elem()), want)
		body, err := j.encode(s, PtrOf(v.Elem()))
		switch {
		case !sameError(err, wantErr):
			return fmt.Errorf("encode %v: error %v, want %v", t, err, wantErr)
		case err != nil:
			c["errors when encoding"]++
			continue
		}
		got, end, err := itemjson.Scan(body, 0, nil)
		switch {
		case err != nil || end != len(body):
			return fmt.Errorf("encode %v: %w\n%s", t, err, body)
		case !reflect.DeepEqual(got.Map(), want):
			return fmt.Errorf("encode %v:\n%s\nwant\n%v", t, body, dump(want))
		case ItemSizeJSON(got) != ItemSize(want):
			return fmt.Errorf("size %v: %d, want %d", t, ItemSizeJSON(got), ItemSize(want))
		}
		c["encoded"]++
		if g.one(2) {
			g.shuffle(want)
		}
		want["unknown"] = text("attribute")
		for _, f := range s.fields {
			if f.KeyOnly {
				want[f.Name] = text("of another program")
				c["attributes of key-only fields"]++
			}
		}
		if err := differDecodeJSON(g, j, s, want, c); err != nil {
			return err
		}
	}
	return nil
}

func differDecodeJSON(g *gen, j jsonCodec, s *Struct, item Item, c coverage) error {
	body := testjson.Append(g.Rand, nil, item)
	if g.one(4) {
		body = repeatMembers(g, item, body)
		c["repeated members"]++
	}
	written := string(body)
	want, got := reflect.New(s.Type), reflect.New(s.Type)
	wantErr := s.Decode(item, PtrOf(want.Elem()), nil)
	err := j.decode(s, body, PtrOf(got.Elem()))
	for i := range body { // the struct must share no memory with the body
		body[i] = '#'
	}
	switch {
	case !sameError(err, wantErr):
		return fmt.Errorf("decode %v: error %v, want %v\n%s", s.Type, err, wantErr, written)
	case err != nil:
		c["errors when decoding"]++
	case !reflect.DeepEqual(got.Interface(), want.Interface()):
		return fmt.Errorf("decode %v:\n%+v\nwant\n%+v\n%s", s.Type, got.Elem(), want.Elem(), written)
	default:
		c["decoded"]++
	}
	return nil
}

// repeatMembers adds members to the start of an item in JSON that it has again later.
func repeatMembers(g *gen, item Item, body []byte) []byte {
	earlier := Item{}
	for name := range item {
		for _, av := range item {
			if earlier[name] == nil || g.one(2) {
				earlier[name] = av
			}
		}
	}
	const space = " \t\r\n"
	first := bytes.TrimSuffix(bytes.TrimRight(testjson.Append(g.Rand, nil, earlier), space), []byte("}"))
	return append(append(first, ','), bytes.TrimPrefix(bytes.TrimLeft(body, space), []byte("{"))...)
}

// sweepJSON runs the differential test over n random types.
func sweepJSON(j jsonCodec, seed uint64, n int) (coverage, error) {
	c := coverage{}
	for i := range uint64(n) {
		g := newGen(seed + i)
		g.unix = i%4 == 1
		if err := differJSON(g, j, seed+i, c); err != nil {
			return c, fmt.Errorf("type %d: %w", i, err)
		}
	}
	return c, nil
}

// TestDifferentialJSON checks that JSON is encoded as maps are, and decoded as attribute values.
// TestDifferential compares both with attributevalue.
func TestDifferentialJSON(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	for _, j := range []jsonCodec{ourJSON, pageJSON()} {
		c, err := sweepJSON(j, seed, testsize.Sequential(300, 1_500, 10_000, 100_000))
		require.NoError(t, err)
		t.Logf("reached: %v", c)
		for _, reached := range []string{"encoded", "decoded", "errors when encoding", "errors when decoding", "repeated members", "attributes of key-only fields"} {
			require.Positive(t, c[reached], reached)
		}
	}
}

// TestDifferentialJSON_control is the negative control: the test fails for codecs with one defect.
func TestDifferentialJSON_control(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	seed := testrand.Seed(t)
	written := func(old, replacement string) jsonCodec {
		return jsonCodec{decode: ourJSON.decode, encode: func(s *Struct, p Ptr) ([]byte, error) {
			body, err := ourJSON.encode(s, p)
			return bytes.Replace(body, []byte(old), []byte(replacement), 1), err
		}}
	}
	scanned := func(change func(*itemjson.Item)) jsonCodec {
		return jsonCodec{encode: ourJSON.encode, decode: func(s *Struct, body []byte, p Ptr) error {
			item, _, err := itemjson.Scan(body, 0, nil)
			if err != nil {
				return err
			}
			change(&item)
			return s.DecodeJSON(item, p, nil, arenaFor(body))
		}}
	}
	for name, broken := range map[string]jsonCodec{
		"NULL is not written": written(`{"NULL":true}`, `{"BOOL":true}`),
		"S for N":             written(`{"N":`, `{"S":`),
		"a time is shorter":   written(`Z"`, `"`),
		"members are lost":    scanned(func(it *itemjson.Item) { it.Values = it.Values[it.Values[0].Span:] }),
		"escapes are kept": scanned(func(it *itemjson.Item) {
			for i := range it.Values {
				it.Values[i].Escaped = false
			}
		}),
		"escapes of names are kept": scanned(func(it *itemjson.Item) {
			for i := range it.Values {
				it.Values[i].NameEscaped = false
			}
		}),
		"the first of two members counts": scanned(func(it *itemjson.Item) {
			var kept []itemjson.Value
			for i := range it.Members() {
				if (itemjson.Item{Body: it.Body, Values: kept}).Find(itemjson.NameOf(string(it.Name(i)))) < 0 {
					kept = append(kept, it.Values[i:i+int(it.Values[i].Span)]...)
				}
			}
			it.Values = kept
		}),
		"texts share the body": {encode: ourJSON.encode, decode: func(s *Struct, body []byte, p Ptr) error {
			it, _, err := itemjson.Scan(body, 0, nil)
			if err != nil {
				return err
			}
			item := it.Map()
			for name, av := range item {
				if av, ok := av.(*types.AttributeValueMemberS); ok && len(av.Value) > 0 {
					v := it.Values[it.Find(itemjson.NameOf(name))]
					item[name] = text(unsafe.String(&body[v.Start], v.End-v.Start))
				}
			}
			return s.Decode(item, p, nil)
		}},
	} {
		_, err := sweepJSON(broken, seed, 20_000)
		require.Error(t, err, name)
	}
}

// A response cannot change a decoded struct, and structs of one arena do not change each other.
func TestArena(t *testing.T) {
	t.Parallel()
	a := NewArena(1 << 20)
	r := testrand.New(t)
	var got, want []string
	for range 5_000 {
		b := bytes.Repeat([]byte{byte('a' + r.IntN(26))}, r.IntN(40)*r.IntN(60))
		want, got = append(want, string(b)), append(got, a.text(b))
		clear(b)
		list := a.list(r.IntN(40))
		for i := range list {
			require.Empty(t, list[i])
			list[i] = "x"
		}
		require.Equal(t, len(list), cap(list))
	}
	require.Equal(t, want, got)
	for _, size := range []int{0, 1 << 20} {
		require.NotNil(t, NewArena(size).list(0), "an empty list is not nil")
	}
}
