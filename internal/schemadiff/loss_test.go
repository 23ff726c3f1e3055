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
)

// Types that store the attribute h with different tags.
type (
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

// sample is a Go type with one storage format and items that a program with this type has stored.
type sample struct {
	name   string
	schema *entity.Schema
	stored []types.AttributeValue // the values of h
	// read decodes h and encodes it again if possible.
	read func(types.AttributeValue) (again types.AttributeValue, err error)
	// decide is true if methods or formats of the test read h.
	decide bool
	set    bool
	inKey  bool
}

const nestSK = "X"

// sampled stores values in the field H of T, a struct with the fields ID and H.
func sampled[T, H any](t *testing.T, name, format string, as entity.Attribute, values ...H) sample {
	t.Helper()
	config := entity.Config{Formats: map[string]keys.Format{"own": {
		Kinds:  []keys.Kind{keys.KindInt},
		Encode: func(v keys.Value) (string, error) { return strings.Repeat("x", int(v.Int()&7)+1), nil },
		Decode: func(text string) (keys.Value, error) { return keys.Int(int64(len(text) - 1)), nil },
	}}}
	of := spec("nest", "L#<id>", nestSK)
	if format != "" {
		config.Indexes = []entity.IndexConfig{{Name: "by-h", Partition: []entity.Attribute{as}, NoSort: true}}
		of.Indexes = []entity.IndexSpec{{Name: "by-h", On: "by-h", PK: "<h" + strings.TrimSuffix(":"+format, ":-") + ">"}}
	}
	s := entity.NewSchema(config)
	nests := entity.DefineSpec[T](s, of)
	require.NoError(t, s.Err(), name)
	one := sample{name: name, schema: s}
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

func plainly[H any](t *testing.T, values ...H) sample {
	t.Helper()
	return sampled[holding[H]](t, reflect.TypeFor[H]().String(), "", entity.Attribute{}, values...)
}

func asKey[H any](t *testing.T, format string, values ...H) sample {
	t.Helper()
	return sampled[holding[H]](t, reflect.TypeFor[H]().String()+" as "+format, format, entity.S("h"), values...)
}

// samples returns Go types with their extreme values.
func samples(t *testing.T) []sample {
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
	all := []sample{
		plainly(t, true, false), plainly[int8](t, math.MinInt8, 0, 1, math.MaxInt8), plainly[int16](t, math.MinInt16, 0, math.MaxInt16),
		plainly[int32](t, math.MinInt32, 7, math.MaxInt32), plainly(t, int64s...), plainly(t, 1, math.MaxInt, math.MinInt), plainly[uint8](t, 0, math.MaxUint8),
		plainly[uint16](t, 0, math.MaxUint16), plainly[uint32](t, 0, math.MaxUint32), plainly[uint64](t, 0, 1, math.MaxUint64),
		plainly[float32](t, 0, 42, 1.5, 1e38, math.SmallestNonzeroFloat32), plainly(t, wide...),
		plainly(t, json.Number(number), json.Number("1.5"), json.Number("7"), json.Number("1e125")), plainly(t, texts...), plainly(t, times...),
		plainly(t, []byte("4444"), []byte{}, make([]byte, 16)), plainly(t, [4]byte{1}), plainly(t, [16]byte{1}), plainly(t, [5]byte{}),
		plainly(t, []string{"a", "42"}, []string{}, []string{"a", "b", "c", "d"}), plainly(t, [3]string{"a", "b", "c"}), plainly(t, [5]string{"a", "b", "c", "d", "e"}),
		plainly(t, []int64{1, -1, 300}, []int64{1}), plainly(t, []int8{1, -1}, []int8{1, 2, 3}), plainly(t, [][]byte{{1}, {2, 3, 4, 5}}), plainly(t, [2]float64{.5, 1}),
		plainly(t, map[string]string{"a": "x"}, map[string]string{"7": "y", "street": "z"}, map[string]string{}, map[string]string{"true": "x"}),
		plainly(t, map[string]int64{"street": 1, "a": math.MaxInt64}), plainly(t, map[int8]string{1: "x", -1: "y"}), plainly(t, map[int64]string{1: "x", math.MaxInt64: "y"}),
		plainly(t, map[bool]string{true: "x"}), plainly(t, map[grade]string{1: "x"}),
		plainly(t, one{"x"}), plainly(t, two{"x", math.MaxInt}), plainly(t, retypedOne{7}), plainly(t, chain{"x", &chain{"y", nil}}),
		plainly[any](t, "x", 1.5, true, []any{"a", 1.5}, map[string]any{"street": "x"}, []byte("b")), plainly(t, list...),
		plainly(t, grade(2), grade(25)), plainly(t, serial{2}, serial{7}), plainly(t, netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("::1")),
		plainly(t, url.URL{Host: "example"}), plainly(t, &small, nil), plainly(t, &texted, &written), plainly(t, &boolean), plainly(t, &at),
		plainly(t, map[string]grade{"a": 1}), plainly(t, []serial{{2}}),
		sampled[inText[int8], int8](t, "int8 in text", "", nothing, 1, -1, 127), sampled[inText[int64]](t, "int64 in text", "", nothing, int64s...),
		sampled[inText[float64]](t, "float64 in text", "", nothing, wide...), sampled[inSeconds[time.Time]](t, "time in seconds", "", nothing, times...),
		sampled[inTexts[[]string]](t, "set of texts", "", nothing, []string{"a", "42"}), sampled[inNumbers[[]int64]](t, "set of int64", "", nothing, []int64{1, 300, -1}),
		sampled[inNumbers[[]int8]](t, "set of int8", "", nothing, []int8{1, -1}), sampled[inBinaries[[][4]byte]](t, "set of arrays", "", nothing, [][4]byte{{1}}),
		sampled[inTexts[[]grade]](t, "set of grades", "", nothing, []grade{1, 2}),
		sampled[holding[time.Time]](t, "time as seconds", "unix", entity.N("h"), times...), sampled[holding[string]](t, "string as itself", "-", entity.S("h"), texts...),
		sampled[holding[int64]](t, "int64 as itself", "-", entity.N("h"), int64s...),
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
		all[i].decide = slices.ContainsFunc([]string{"grade", "serial", "netip", "url", "own"}, func(part string) bool { return strings.Contains(name, part) })
		all[i].inKey = strings.Contains(name, " as ")
		all[i].set = strings.HasPrefix(name, "set ") || name == "[][]uint8"
	}
	return all
}

// claim is an effect that Drift reports, identified by a part of the message.
type claim string

const (
	claimAll      claim = "no stored nest"
	claimMistaken claim = "cannot be read, or is read with another value"
	claimSome     claim = "cannot be read where"
	claimUnsure   claim = "depends on"
	claimUntold   claim = "may be unreadable"
	claimPartial  claim = "nest is read with"
	claimRounded  claim = "are rounded"
	claimMissed   claim = "conditions do not find it"
	claimGone     claim = "is gone"
	claimNew      claim = "is new"
)

// refuses reports whether some values are unreadable or may be.
func (c claim) refuses() bool {
	return slices.Contains([]claim{claimAll, claimMistaken, claimSome, claimUnsure, claimUntold}, c)
}

// claims returns all claims of a drift, and the claims about h itself without those about its
// contents.
func claims(t *testing.T, drift []string) (every, itself []claim) {
	t.Helper()
	for _, line := range drift {
		if !strings.HasPrefix(line, "attribute h") {
			continue
		}
		i := slices.IndexFunc(allClaims, func(c claim) bool { return strings.Contains(line, string(c)) })
		require.GreaterOrEqual(t, i, 0, line)
		every = append(every, allClaims[i])
		if strings.HasPrefix(line, "attribute h of nest was") {
			itself = append(itself, allClaims[i])
		}
	}
	return every, itself
}

var allClaims = []claim{claimAll, claimMistaken, claimSome, claimUnsure, claimUntold, claimPartial, claimRounded, claimMissed, claimGone, claimNew}

// outcome counts the results of reading stored values as another type.
type outcome struct{ same, changed, unreadable int }

func outcomeOf(from, to sample) (o outcome) {
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

// unsaid returns an effect that the samples have and the drift does not report, or "".
func unsaid(every []claim, o outcome, from, to sample) string {
	switch {
	case o.unreadable > 0 && !slices.ContainsFunc(every, claim.refuses):
		return "some cannot be read"
	// A set that is read as any is stored as a list.
	case o.changed > 0 && len(every) == 0 && !from.set && !to.set:
		return "some are read as others"
	}
	return ""
}

// unfounded returns an effect that the drift reports for h and the samples do not have, or "".
func unfounded(itself []claim, o outcome, from, to sample) string {
	of := func(c claim) bool { return slices.Contains(itself, c) }
	inCase := strings.HasSuffix(to.name, "er") // lower, upper: many values have no letters
	switch {
	case of(claimAll) && o.same+o.changed > 0:
		return "some can be read"
	case (of(claimAll) || of(claimSome) && !inCase) && o.unreadable == 0:
		return "none is unreadable"
	case of(claimMistaken) && !from.inKey && !to.inKey:
		return "no key is changed"
	case (of(claimRounded) || of(claimPartial) || of(claimMissed)) && o.same > 0 && o.unreadable+o.changed == 0:
		return "all are read as they are"
	case of(claimUnsure) && !from.decide && !to.decide:
		return "no method is asked"
	}
	return ""
}

// TestDriftOfGoTypes compares Drift with the results of reading stored values as another Go type.
// Drift must report exactly the values that cannot be read or are read differently. The control
// uses descriptions without Go types.
func TestDriftOfGoTypes(t *testing.T) {
	t.Parallel()
	all := samples(t)
	met := map[claim]int{}
	quiet, missing := 0, 0
	for _, from := range all {
		text := from.schema.Text()
		bare := withoutGoTypes(text)
		for _, to := range all {
			drift, o := to.schema.Drift(text), outcomeOf(from, to)
			every, itself := claims(t, drift)
			require.Empty(t, unsaid(every, o, from, to), "%s, then %s: %+v %q", from.name, to.name, o, drift)
			require.Empty(t, unfounded(itself, o, from, to), "%s, then %s: %+v %q", from.name, to.name, o, drift)
			require.NotContains(t, every, claimUntold)
			for _, c := range every {
				met[c]++
			}
			if len(every) == 0 {
				quiet++
			}
			every, itself = claims(t, to.schema.Drift(bare))
			if unsaid(every, o, from, to) != "" || unfounded(itself, o, from, to) != "" {
				missing++
			}
		}
	}
	t.Logf("%d types, %d pairs of which nothing is said, claims %v; without Go types nothing is said of %d more", len(all), quiet, met, missing)
	for _, c := range allClaims {
		if c != claimUntold {
			require.Positive(t, met[c], c)
		}
	}
	require.Greater(t, missing, 100)
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
