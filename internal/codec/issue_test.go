package codec

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

type zBadLeft struct{ Twice string }
type zBadRight struct{ Twice int }

type ZStamp struct{ time.Time }

type zBadNested struct {
	City string `dynamodbav:"city,omitemty"`
	Self *zBadNested
}

type zBadPtr struct{ X int }

func TestIssues(t *testing.T) {
	t.Parallel()
	type Bad struct {
		A      string `dynamodbav:"a,omitemty"`
		B      string `dynamodbav:"b,unixtime"`
		Work   zBadNested
		D      map[float64]map[struct{}]string
		E      time.Time `dynamodbav:"e,nullempty"`
		F      int       `dynamodbav:"f,omitempty,nullempty"`
		G      []string  `dynamodbav:"g,numberset"`
		H      []int     `dynamodbav:"h,numberset,stringset"`
		I      zPoint    `dynamodbav:"i,omitempty"`
		J      [][]byte  `dynamodbav:"j,stringset"`
		K      bool      `dynamodbav:"k,string"`
		L      struct{}  `dynamodbav:"l, nullempty"`
		M      string    `dynamodbav:"a"`
		Fine   []zBadNested
		Ignore string `dynamodbav:"-,whatever"`
		*zBadPtr
		zInt8 //nolint:unused // the issue is that it is embedded
		time.Time
		zBadLeft
		zBadRight
	}
	s, issues := Compile(reflect.TypeFor[Bad]())
	require.NotNil(t, s)
	var fields []string
	for _, f := range issues {
		fields = append(fields, f.Field)
		require.NotEmpty(t, f.Reason, f.Field)
	}
	require.Equal(t, []string{
		"A", "A", "B", "Work.City", "D", "E", "F", "G", "H", "H", "I", "J", "K", "L", "zBadPtr", "zInt8", "Time", "zBadLeft.Twice",
	}, fields)
	require.Equal(t, `a,omitemty`, issues[0].Tag)
	require.Equal(t, "did you mean omitempty?", issues[0].Hint)
	require.Nil(t, s.ByName("a"), "of two attributes of one name neither is stored, as in attributevalue")
	require.NotNil(t, s.ByName("b"))

	malformed := reflect.StructOf([]reflect.StructField{{Name: "C", Type: reflect.TypeFor[int](), Tag: TagKey + `: "c"`}})
	_, issues = Compile(malformed)
	require.Len(t, issues, 1)
	require.Equal(t, "C", issues[0].Field)

	s, issues = Compile(reflect.TypeFor[int]())
	require.Nil(t, s)
	require.Len(t, issues, 1)
	_, issues = Compile(nil)
	require.Len(t, issues, 1)
}

type ZLeftArm struct{ ZHand }
type ZRightArm struct{ ZHand }
type ZHand struct{ Finger int }
type zShape struct{ A int }

func (zShape) MarshalText() ([]byte, error) { return nil, nil }

func TestEmbeddingIssues(t *testing.T) {
	t.Parallel()
	type Diamond struct {
		ZLeftArm
		ZRightArm
	}
	s, issues := Compile(reflect.TypeFor[Diamond]())
	require.Len(t, issues, 1)
	require.Equal(t, "ZLeftArm.ZHand.Finger", issues[0].Field)
	require.Empty(t, s.Fields())
	theirs, err := oracleEncode(&Diamond{})
	require.NoError(t, err)
	require.Empty(t, theirs)

	type Settled struct {
		ZLeftArm
		ZRightArm
		Finger string
	}
	s, issues = Compile(reflect.TypeFor[Settled]())
	require.Empty(t, issues)
	require.Len(t, s.Fields(), 1)

	type Uncallable struct {
		zShape `dynamodbav:"shape"`
	}
	_, issues = Compile(reflect.TypeFor[Uncallable]())
	require.Len(t, issues, 1)
	require.Equal(t, "zShape", issues[0].Field)
}

func TestSuggestions(t *testing.T) {
	t.Parallel()
	for typo, want := range map[string]string{
		"omitEmpty": "omitempty", "ommitempty": "omitempty", "omitemptyelems": "omitemptyelem",
		"unixTime": "unixtime", "numbersets": "numberset", "stringSet": "stringset", "strng": "string", "nullEmptyElem": "nullemptyelem",
	} {
		_, issues := parseTag(reflect.StructTag(TagKey + `:"x,` + typo + `"`))
		require.Len(t, issues, 1)
		require.Equal(t, "did you mean "+want+"?", issues[0].Hint)
	}
	_, issues := parseTag(TagKey + `:"x, omitempty"`)
	require.Equal(t, "did you mean omitempty?", issues[0].Hint)
	_, issues = parseTag(TagKey + `:"x,zz"`)
	require.Contains(t, issues[0].Hint, "omitempty")
	_, issues = parseTag(TagKey + `:"x,"`)
	require.Empty(t, issues, "nothing is no unknown option")
}

// TestOptionsInNames checks that an option without a comma before it, which is part of the name, is
// an issue.
func TestOptionsInNames(t *testing.T) {
	t.Parallel()
	fieldOf := func(typ reflect.Type, tag string) (*Struct, []Issue) {
		return Compile(reflect.StructOf([]reflect.StructField{{Name: "F", Type: typ, Tag: reflect.StructTag(TagKey + `:"` + tag + `"`)}}))
	}
	text, number, moment, list := reflect.TypeFor[string](), reflect.TypeFor[*int](), reflect.TypeFor[time.Time](), reflect.TypeFor[[]string]()
	for _, c := range []struct {
		typ             reflect.Type
		tag, name, cure string
	}{
		{text, "a;omitempty", "a", "a,omitempty"},
		{text, "a; omitempty", "a", "a,omitempty"},
		{text, "a omitempty", "a", "a,omitempty"},
		{text, "a|OmitEmpty", "a", "a,omitempty"},
		{text, "a:nullempty", "a", "a,nullempty"},
		{text, "b c|omitempty", "b c", "b c,omitempty"},
		{text, ";omitempty", "F", ",omitempty"},
		{text, "a;omitempty;string", "a", "a,omitempty,string"},
		{text, "a|string", "a", "a,string"},
		{list, "a;stringset,omitempty", "a", "a,stringset,omitempty"},
		{list, "a;omitempty|omitemptyelem", "a", "a,omitempty,omitemptyelem"},
		{number, "a string", "a", "a,string"},
		{moment, "a/unixtime", "a", "a,unixtime"},
	} {
		s, issues := fieldOf(c.typ, c.tag)
		require.Len(t, issues, 1, c.tag)
		require.Equal(t, c.tag, issues[0].Tag)
		require.Equal(t, "write "+TagKey+`:"`+c.cure+`"`, issues[0].Hint)
		require.NotNil(t, s.ByName(c.name), c.tag)
		_, issues = fieldOf(c.typ, c.cure)
		for _, f := range issues {
			require.NotContains(t, f.Hint, "write", "the cure is none")
		}
	}
	for _, c := range []struct {
		typ  reflect.Type
		name string
	}{
		{text, "connection string"}, {text, "a/string"}, {text, "device/unixtime"}, {number, "device unixtime"}, {text, "a stringset"},
		{text, "omitempty"}, {text, "a.omitempty"}, {text, "a_omitempty"}, {text, "omitempty a"}, {number, "string a"}, {text, "a;b"}, {text, "a "},
	} {
		s, issues := fieldOf(c.typ, c.name)
		require.Empty(t, issues, c.name)
		require.NotNil(t, s.ByName(c.name), c.name)
	}
}

// TestIssuesRejectNoValidOption tries every option on every type. If the option is an issue, it
// must have no effect on what attributevalue encodes and decodes, except errors.
func TestIssuesRejectNoValidOption(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	seed := testrand.Seed(t)
	candidates := append([]reflect.Type{}, elemTypes...)
	for _, elem := range elemTypes {
		candidates = append(candidates, slice(elem), pointer(elem, 1), reflect.MapOf(reflect.TypeFor[string](), elem))
	}
	refused, allowed, inert := 0, 0, 0
	for _, typ := range candidates {
		for _, option := range optionNames {
			tagged := reflect.StructOf([]reflect.StructField{{Name: "F", Type: typ, Tag: reflect.StructTag(TagKey + `:",` + option + `"`)}})
			bare := reflect.StructOf([]reflect.StructField{{Name: "F", Type: typ}})
			_, issues := Compile(tagged)
			_, usual := Compile(bare)
			seed += 100 // separate values for each option, so that a few unlucky ones do not decide
			works := optionWorks(seed, strings.HasSuffix(option, "set"), tagged, bare)
			switch {
			case len(issues) > len(usual):
				refused++
				require.False(t, works, "%s on %v is refused, but works", option, typ)
			case works:
				allowed++
			default:
				inert++
			}
		}
	}
	t.Logf("refused %d, allowed %d, allowed though it does nothing %d", refused, allowed, inert)
	require.Greater(t, refused, 200)
	require.Greater(t, allowed, 200)
}

func emptySet(av AV) bool {
	switch tv := av.(type) {
	case *types.AttributeValueMemberSS:
		return len(tv.Value) == 0
	case *types.AttributeValueMemberNS:
		return len(tv.Value) == 0
	case *types.AttributeValueMemberBS:
		return len(tv.Value) == 0
	default:
		return false
	}
}

// optionWorks reports whether a tag changes the result for some value, apart from errors. A set
// must have elements.
func optionWorks(seed uint64, set bool, tagged, bare reflect.Type) bool {
	for round := range uint64(testsize.Pick(10, 25, 100)) {
		a, b := reflect.New(without(tagged)), reflect.New(without(bare))
		for _, v := range []reflect.Value{a, b} {
			g := newGen(seed + round)
			g.unix = true
			g.fill(v.Elem(), 4)
		}
		with, err := oracleEncode(a.Interface())
		if err != nil || set && isNull(with["F"]) || emptySet(with["F"]) {
			continue
		}
		without, err := oracleEncode(b.Interface())
		if err == nil && !reflect.DeepEqual(with, without) {
			return true
		}
		x, y := reflect.New(tagged), reflect.New(bare)
		errX, errY := oracleDecode(with, x.Interface()), oracleDecode(with, y.Interface())
		if errX == nil && (errY != nil || !reflect.DeepEqual(x.Elem().Field(0).Interface(), y.Elem().Field(0).Interface())) {
			return true
		}
	}
	return false
}
