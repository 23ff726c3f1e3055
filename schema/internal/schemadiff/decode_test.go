package schemadiff_test

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/keys"
	"github.com/trestledb/trestle/schema"
)

// Types that store the attribute h with different tags.
type (
	holding[H any] struct {
		ID string `dynamodbav:"id"`
		H  H      `dynamodbav:"h"`
	}
	inText[H any] struct {
		ID string `dynamodbav:"id"`
		H  H      `dynamodbav:"h,string"`
	}
	inSeconds[H any] struct {
		ID string `dynamodbav:"id"`
		H  H      `dynamodbav:"h,unixtime"`
	}
	inTexts[H any] struct {
		ID string `dynamodbav:"id"`
		H  H      `dynamodbav:"h,stringset"`
	}
	inNumbers[H any] struct {
		ID string `dynamodbav:"id"`
		H  H      `dynamodbav:"h,numberset"`
	}
	inBinaries[H any] struct {
		ID string `dynamodbav:"id"`
		H  H      `dynamodbav:"h,binaryset"`
	}
)

// Types with contents.
type (
	street struct {
		Street string `dynamodbav:"street"`
	}
	streetNumber struct {
		Street int `dynamodbav:"street"`
	}
	address struct {
		Street string `dynamodbav:"street"`
		Zip    int    `dynamodbav:"zip"`
	}
)

// grade is a number with its own text form.
type grade int64

func (g grade) MarshalText() ([]byte, error) {
	return []byte("grade " + string(rune('a'+g%26))), nil
}

func (g *grade) UnmarshalText(text []byte) error {
	letter, ok := strings.CutPrefix(string(text), "grade ")
	if !ok || len(letter) != 1 {
		return errors.New("no grade")
	}
	*g = grade(letter[0] - 'a')
	return nil
}

// serial is 16 bytes with their own text form.
type serial [16]byte

func (s serial) MarshalText() ([]byte, error) {
	return []byte("serial " + string(rune('a'+s[0]%26))), nil
}

func (s *serial) UnmarshalText(text []byte) error {
	letter, ok := strings.CutPrefix(string(text), "serial ")
	if !ok || len(letter) != 1 {
		return errors.New("no serial")
	}
	s[0] = letter[0] - 'a'
	return nil
}

// storedType is a Go type with one storage format and items that a program with this type has
// stored.
type storedType struct {
	name   string
	schema *entity.Schema
	stored []types.AttributeValue // the values of h
	// read decodes h and encodes it again if possible.
	read func(types.AttributeValue) (again types.AttributeValue, err error)
	// customCode is true if methods or formats of this test decode h.
	customCode bool
	set        bool
	inKey      bool
}

// newStoredType stores values in the field H of T, a struct with the fields ID and H.
func newStoredType[T, H any](t *testing.T, name, format string, as entity.Attribute, values ...H) storedType {
	t.Helper()
	config := entity.Config{Formats: map[string]keys.Format{"own": {
		Kinds:  []keys.Kind{keys.KindInt},
		Encode: func(v keys.Value) (string, error) { return strings.Repeat("x", int(v.Int()&7)+1), nil },
		Decode: func(text string) (keys.Value, error) { return keys.Int(int64(len(text) - 1)), nil },
	}}}
	of := entity.Spec{Type: "nest", Key: entity.KeySpec{PK: "L#<id>", SK: "X"}}
	if format != "" {
		config.Indexes = []entity.IndexConfig{{Name: "by-h", Partition: []entity.Attribute{as}, NoSort: true}}
		of.Indexes = []entity.IndexSpec{{Name: "by-h", On: "by-h", PK: "<h" + strings.TrimSuffix(":"+format, ":-") + ">"}}
	}
	s := entity.NewSchema(config)
	nests := entity.DefineSpec[T](s, of)
	require.NoError(t, s.Err(), name)
	one := storedType{name: name, schema: s}
	var whole map[string]types.AttributeValue
	for _, v := range values {
		var e T
		at := reflect.ValueOf(&e).Elem()
		at.Field(0).SetString("1")
		at.Field(1).Set(reflect.ValueOf(&v).Elem())
		item, err := nests.Encode(&e)
		if err == nil && item["h"] != nil {
			one.stored, whole = append(one.stored, item["h"]), item
		}
	}
	require.NotEmpty(t, one.stored, name)
	one.read = func(av types.AttributeValue) (types.AttributeValue, error) {
		item := maps.Clone(whole)
		item["h"] = av
		e, err := nests.Decode(item)
		if err != nil {
			return nil, err
		}
		if item, err = nests.Encode(&e); err != nil {
			return nil, nil //nolint:nilerr // h cannot be encoded again
		}
		return item["h"], nil
	}
	return one
}

func asAttribute[H any](t *testing.T, values ...H) storedType {
	t.Helper()
	return newStoredType[holding[H]](t, reflect.TypeFor[H]().String(), "", entity.Attribute{}, values...)
}

func asKey[H any](t *testing.T, format string, values ...H) storedType {
	t.Helper()
	return newStoredType[holding[H]](t, reflect.TypeFor[H]().String()+" as "+format, format, entity.S("h"), values...)
}

// storedTypes returns Go types with their extreme values.
func storedTypes(t *testing.T) []storedType {
	t.Helper()
	nothing := entity.Attribute{}
	at := time.Date(2026, 8, 9, 10, 11, 12, 130_000_000, time.UTC)
	times := []time.Time{at, at.Truncate(time.Second), at.Add(1), time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)}
	int64s := []int64{math.MinInt64, -1, 0, 1, 42, 999, math.MaxInt64}
	wide := []float64{0, 42, 0.1, 1e100, -1e-100, 1.0 / 3}
	texts := []string{"", "hello", "Hello", "42", "-1.5", "2026-08-09T10:11:12Z", "2026-08-09", "true", "grade c", "00000042"}
	list := []types.AttributeValue{
		&types.AttributeValueMemberS{Value: "x"}, &types.AttributeValueMemberN{Value: "12345678901234567890"}, &types.AttributeValueMemberBOOL{Value: true},
		&types.AttributeValueMemberB{Value: []byte("b")}, &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{}},
	}
	number, boolean := "12345678901234567890123456789012345678", true
	small, texted, written := int8(-3), "Xy", "2"
	all := []storedType{
		asAttribute(t, true, false), asAttribute[int8](t, math.MinInt8, 0, 1, math.MaxInt8), asAttribute[int16](t, math.MinInt16, 0, math.MaxInt16),
		asAttribute[int32](t, math.MinInt32, 7, math.MaxInt32), asAttribute(t, int64s...), asAttribute(t, 1, math.MaxInt, math.MinInt), asAttribute[uint8](t, 0, math.MaxUint8),
		asAttribute[uint16](t, 0, math.MaxUint16), asAttribute[uint32](t, 0, math.MaxUint32), asAttribute[uint64](t, 0, 1, math.MaxUint64),
		asAttribute[float32](t, 0, 42, 1.5, 1e38, math.SmallestNonzeroFloat32), asAttribute(t, wide...),
		asAttribute(t, json.Number(number), json.Number("1.5"), json.Number("7"), json.Number("1e125")), asAttribute(t, texts...), asAttribute(t, times...),
		asAttribute(t, []byte("4444"), []byte{}, make([]byte, 16)), asAttribute(t, [4]byte{1}), asAttribute(t, [16]byte{1}), asAttribute(t, [5]byte{}),
		asAttribute(t, []string{"a", "42"}, []string{}, []string{"a", "b", "c", "d"}), asAttribute(t, [3]string{"a", "b", "c"}), asAttribute(t, [5]string{"a", "b", "c", "d", "e"}),
		asAttribute(t, []int64{1, -1, 300}, []int64{1}), asAttribute(t, []int8{1, -1}, []int8{1, 2, 3}), asAttribute(t, [][]byte{{1}, {2, 3, 4, 5}}), asAttribute(t, [2]float64{.5, 1}),
		asAttribute(t, map[string]string{"a": "x"}, map[string]string{"7": "y", "street": "z"}, map[string]string{}, map[string]string{"true": "x"}),
		asAttribute(t, map[string]int64{"street": 1, "a": math.MaxInt64}), asAttribute(t, map[int8]string{1: "x", -1: "y"}), asAttribute(t, map[int64]string{1: "x", math.MaxInt64: "y"}),
		asAttribute(t, map[bool]string{true: "x"}), asAttribute(t, map[grade]string{1: "x"}),
		asAttribute(t, street{"x"}), asAttribute(t, address{"x", math.MaxInt}), asAttribute(t, streetNumber{7}), asAttribute(t, chain{"x", &chain{"y", nil}}),
		asAttribute[any](t, "x", 1.5, true, []any{"a", 1.5}, map[string]any{"street": "x"}, []byte("b")), asAttribute(t, list...),
		asAttribute(t, grade(2), grade(25)), asAttribute(t, serial{2}, serial{7}), asAttribute(t, netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("::1")),
		asAttribute(t, url.URL{Host: "example"}), asAttribute(t, &small, nil), asAttribute(t, &texted, &written), asAttribute(t, &boolean), asAttribute(t, &at),
		asAttribute(t, map[string]grade{"a": 1}), asAttribute(t, []serial{{2}}),
		newStoredType[inText[int8], int8](t, "int8 in text", "", nothing, 1, -1, 127), newStoredType[inText[int64]](t, "int64 in text", "", nothing, int64s...),
		newStoredType[inText[float64]](t, "float64 in text", "", nothing, wide...), newStoredType[inSeconds[time.Time]](t, "time in seconds", "", nothing, times...),
		newStoredType[inTexts[[]string]](t, "set of texts", "", nothing, []string{"a", "42"}), newStoredType[inNumbers[[]int64]](t, "set of int64", "", nothing, []int64{1, 300, -1}),
		newStoredType[inNumbers[[]int8]](t, "set of int8", "", nothing, []int8{1, -1}), newStoredType[inBinaries[[][4]byte]](t, "set of arrays", "", nothing, [][4]byte{{1}}),
		newStoredType[inTexts[[]grade]](t, "set of grades", "", nothing, []grade{1, 2}),
		newStoredType[holding[time.Time]](t, "time as seconds", "unix", entity.N("h"), times...), newStoredType[holding[string]](t, "string as ofH", "-", entity.S("h"), texts...),
		newStoredType[holding[int64]](t, "int64 as ofH", "-", entity.N("h"), int64s...),
		asKey[int8](t, "raw", -5, 5, 127), asKey[uint64](t, "ord", 0, 5, math.MaxInt64), asKey[uint64](t, "08", 0, 5, 99999999), asKey(t, "ord", wide...),
		asKey(t, "lower", texts...), asKey(t, "upper", texts...), asKey(t, "hex", []byte("ab"), []byte{0xab}), asKey[int64](t, "own", 1, 2, 7), asKey(t, "lower", netip.MustParseAddr("::a")),
	}
	for _, format := range []string{"s", "ms", "us", "ns", "hour", "day", "month", "year", "unix", "s,desc", "day,desc", "unix,desc"} {
		all = append(all, asKey(t, format, times...))
	}
	for _, format := range []string{"raw", "ord", "06", "08", "08,desc", "ord,desc"} {
		all = append(all, asKey(t, format, int64s...))
	}
	for i := range all {
		name := all[i].name
		all[i].customCode = slices.ContainsFunc([]string{"grade", "serial", "netip", "url", "own"}, func(part string) bool { return strings.Contains(name, part) })
		all[i].inKey = strings.Contains(name, " as ")
		all[i].set = strings.HasPrefix(name, "set ") || name == "[][]uint8"
	}
	return all
}

// effect is an effect that Compare reports, identified by a part of the message.
type effect string

const (
	allUnreadable  effect = "no stored nest"
	misread        effect = "cannot be decoded, or is decoded with another value"
	someUnreadable effect = "cannot be decoded if"
	methodDecides  effect = "depends on"
	partlyRead     effect = "nest is decoded with"
	rounded        effect = "are rounded"
	notMatched     effect = "conditions do not match"
	removed        effect = "was removed"
	added          effect = "is new"
)

// unreadable reports whether some values are unreadable or may be.
func (c effect) unreadable() bool {
	return slices.Contains([]effect{allUnreadable, misread, someUnreadable, methodDecides}, c)
}

// effectsOf returns the effects in the messages of Compare: all of them, and those of h itself
// without its contents.
func effectsOf(t *testing.T, drift []string) (effects, ofH []effect) {
	t.Helper()
	for _, line := range drift {
		if !strings.HasPrefix(line, "attribute h") {
			continue
		}
		i := slices.IndexFunc(allEffects, func(c effect) bool { return strings.Contains(line, string(c)) })
		require.GreaterOrEqual(t, i, 0, line)
		effects = append(effects, allEffects[i])
		if strings.HasPrefix(line, "attribute h of nest changed") {
			ofH = append(ofH, allEffects[i])
		}
	}
	return effects, ofH
}

var allEffects = []effect{allUnreadable, misread, someUnreadable, methodDecides, partlyRead, rounded, notMatched, removed, added}

// outcome counts the results of reading stored values as another type.
type outcome struct{ same, changed, unreadable int }

func outcomeOf(from, to storedType) (o outcome) {
	for _, av := range from.stored {
		if _, null := av.(*types.AttributeValueMemberNULL); null {
			continue
		}
		switch again, err := to.read(av); {
		case err != nil:
			o.unreadable++
		case again == nil: // it can be read, but the type stores nothing
		case reflect.DeepEqual(normal(av), normal(again)):
			o.same++
		default:
			o.changed++
		}
	}
	return o
}

// normal returns a comparable form of an attribute value: equal numbers can have different texts.
func normal(av types.AttributeValue) any {
	switch v := av.(type) {
	case *types.AttributeValueMemberN:
		r, _ := new(big.Rat).SetString(v.Value)
		return [2]string{"N", r.RatString()}
	case *types.AttributeValueMemberL:
		list := []any{}
		for _, e := range v.Value {
			list = append(list, normal(e))
		}
		return list
	case *types.AttributeValueMemberM:
		m := map[string]any{}
		for name, e := range v.Value {
			m[name] = normal(e)
		}
		return m
	case *types.AttributeValueMemberNS:
		set := map[any]bool{}
		for _, e := range v.Value {
			set[normal(&types.AttributeValueMemberN{Value: e})] = true
		}
		return set
	}
	return av
}

// missingEffect returns an effect on the stored values that Compare does not report, or "".
func missingEffect(effects []effect, o outcome, from, to storedType) string {
	switch {
	case o.unreadable > 0 && !slices.ContainsFunc(effects, effect.unreadable):
		return "some cannot be decoded"
	case o.changed > 0 && len(effects) == 0:
		return "some are decoded with another value"
	}
	return ""
}

// wrongEffect returns why an effect that Compare reports for h is wrong, or "".
func wrongEffect(ofH []effect, o outcome, from, to storedType) string {
	of := func(c effect) bool { return slices.Contains(ofH, c) }
	letterCase := strings.HasSuffix(to.name, "er") // lower, upper: many values have no letters
	switch {
	case of(allUnreadable) && o.same+o.changed > 0:
		return "some can be decoded"
	case (of(allUnreadable) || of(someUnreadable) && !letterCase) && o.unreadable == 0:
		return "all can be decoded"
	case of(misread) && !from.inKey && !to.inKey:
		return "h is not a key"
	case (of(rounded) || of(partlyRead) || of(notMatched)) && o.same > 0 && o.unreadable+o.changed == 0:
		return "all are decoded unchanged"
	case of(methodDecides) && !from.customCode && !to.customCode:
		return "no method decides"
	}
	return ""
}

// TestDecodingMatchesEffects compares the effects that Compare reports with the results of decoding
// stored values into another Go type. The control uses descriptions without Go types.
func TestDecodingMatchesEffects(t *testing.T) {
	t.Parallel()
	all := storedTypes(t)
	seen := map[effect]int{}
	withoutEffect, wrongWithoutTypes := 0, 0
	for _, from := range all {
		text := schema.Text(from.schema)
		untyped := withoutGoTypes(text)
		for _, to := range all {
			drift, o := schema.Compare(to.schema, text), outcomeOf(from, to)
			effects, ofH := effectsOf(t, drift)
			require.Empty(t, missingEffect(effects, o, from, to), "%s, then %s: %+v %q", from.name, to.name, o, drift)
			require.Empty(t, wrongEffect(ofH, o, from, to), "%s, then %s: %+v %q", from.name, to.name, o, drift)
			for _, c := range effects {
				seen[c]++
			}
			if len(effects) == 0 {
				withoutEffect++
			}
			effects, ofH = effectsOf(t, schema.Compare(to.schema, untyped))
			if missingEffect(effects, o, from, to) != "" || wrongEffect(ofH, o, from, to) != "" {
				wrongWithoutTypes++
			}
		}
	}
	t.Logf("%d types; %d pairs without an effect; effects %v; without Go types, %d pairs have wrong effects", len(all), withoutEffect, seen, wrongWithoutTypes)
	for _, c := range allEffects {
		require.Positive(t, seen[c], c)
	}
	require.Greater(t, wrongWithoutTypes, 100)
}

var goTypes = regexp.MustCompile(`(N\|?[A-Z|]*)?\((?:[^()"]|"[^"]*")*\)`)

// withoutGoTypes removes the Go types from a description. Numbers become int64.
func withoutGoTypes(text string) string {
	return goTypes.ReplaceAllStringFunc(text, func(s string) string {
		if types, _, _ := strings.Cut(s, "("); types != "" {
			return types + "(int64)"
		}
		return ""
	})
}
