package codec

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/itemjson"
)

// secret is in every value of the tests below. No error text may contain it.
const secret = "4711"

func TestDecodeErrors(t *testing.T) {
	t.Parallel()
	type Work struct {
		City   string
		Phones []int
	}
	type T struct {
		Small  int8
		Uint   uint8
		Float  float32
		At     time.Time
		Own    zTimes
		Unix   time.Time `dynamodbav:",unixtime"`
		Str    int       `dynamodbav:",string"`
		Text   string
		Flag   bool
		Work   *Work
		Map    map[string]Work
		Keys   map[int8]string
		Color  zColor
		Custom zPtrMarshaler
		Any    any
		Bytes  [2]byte
	}
	s, issues := Compile(reflect.TypeFor[T]())
	require.Empty(t, issues)
	m := func(name string, av AV) AV { return &types.AttributeValueMemberM{Value: Item{name: av}} }
	for _, c := range []struct {
		name, field, got string
		av               AV
		cause            error
	}{
		{"Small", "Small", "N", number(secret), strconv.ErrRange},
		{"Small", "Small", "N", number("1." + secret), strconv.ErrSyntax},
		{"Uint", "Uint", "N", number("-" + secret), strconv.ErrSyntax},
		{"Float", "Float", "N", number("1e39"), strconv.ErrRange},
		{"At", "At", "S", text(secret), nil},
		{"At", "At", "N", number(secret + "x"), strconv.ErrSyntax},
		{"Own", "Own", "S", text(secret), nil},
		{"Unix", "Unix", "N", number(secret + ".5"), strconv.ErrSyntax},
		{"Str", "Str", "S", text(secret + "x"), strconv.ErrSyntax},
		{"Flag", "Flag", "S", text(secret), nil},
		{"Work", "Work.City", "BOOL", m("City", &types.AttributeValueMemberBOOL{Value: true}), nil},
		{"Work", "Work.Phones[1]", "S", m("Phones", &types.AttributeValueMemberL{Value: []AV{number("1"), text(secret)}}), nil},
		{"Map", "Map[*].City", "L", m(secret, m("City", &types.AttributeValueMemberL{})), nil},
		{"Keys", "Keys", "M", m(secret, text("x")), strconv.ErrRange},
		{"Color", "Color", "S", text(secret), nil},
		{"Custom", "Custom", "S", text(secret), nil},
		{"Any", "Any", "L", &types.AttributeValueMemberL{Value: []AV{number(secret + "e999")}}, strconv.ErrRange},
		{"Bytes", "Bytes", "B", &types.AttributeValueMemberB{Value: []byte(secret)}, nil},
	} {
		body, err := itemjson.Append(nil, Item{c.name: c.av})
		require.NoError(t, err)
		var v T
		for _, err := range []error{
			s.Decode(Item{c.name: c.av}, PtrTo(&v), nil), s.DecodeJSON(scan(t, body), PtrTo(&T{}), nil, NewArena(0)), s.ByName(c.name).Decode(c.av, PtrTo(&v)),
		} {
			var fe *FieldError
			require.ErrorAs(t, err, &fe, c.field)
			require.Equal(t, c.field, fe.Field)
			require.Equal(t, c.got, fe.Got, c.field)
			require.NotEmpty(t, fe.GoType)
			require.NotEmpty(t, fe.Reason)
			if c.cause != nil {
				require.ErrorIs(t, err, c.cause, c.field)
			}
			requireNoSecret(t, err)
		}
	}
}

// requireNoSecret checks the error's text in the forms that logs use.
func requireNoSecret(t *testing.T, err error) {
	t.Helper()
	for _, verb := range []string{"%v", "%s", "%q"} {
		require.NotContains(t, fmt.Sprintf(verb, err), secret)
	}
}

func TestEncodeErrors(t *testing.T) {
	t.Parallel()
	type Inner struct {
		Bad zFailing `dynamodbav:",omitempty"`
	}
	type T struct {
		Inner *Inner
		List  []any
		Map   map[string]any
		Set   []any `dynamodbav:",numberset"`
		Keys  map[zBadKey]int
		At    time.Time `dynamodbav:",omitempty"`
		Both  string    `dynamodbav:",omitempty,nullempty"`
	}
	s, issues := Compile(reflect.TypeFor[T]())
	require.Len(t, issues, 3)
	for _, c := range []struct {
		field string
		v     T
		cause error
	}{
		{"Inner.Bad", T{Both: "x", Inner: &Inner{}}, errFailing},
		{"List[1]", T{Both: "x", List: []any{1, zFailing{}}}, errFailing},
		{"Map[*]", T{Both: "x", Map: map[string]any{secret: &zFailing{}}}, errFailing},
		{"Map", T{Both: "x", Map: map[string]any{"": 1}}, errEmptyName},
		{"Set[0]", T{Both: "x", Set: []any{secret}}, nil},
		{"Keys", T{Both: "x", Keys: map[zBadKey]int{secret: 1}}, errFailing},
		{"At", T{Both: "x", At: time.Date(14711, 1, 1, 0, 0, 0, 0, time.UTC)}, nil},
		{"Both", T{}, nil},
	} {
		err := s.Encode(PtrTo(&c.v), Item{})
		var fe *FieldError
		require.ErrorAs(t, err, &fe, c.field)
		require.Equal(t, c.field, fe.Field)
		require.Empty(t, fe.Got)
		requireNoSecret(t, err)
		if c.cause != nil {
			require.ErrorIs(t, err, c.cause)
		}
		root := strings.FieldsFunc(c.field, func(r rune) bool { return r == '.' || r == '[' })[0]
		_, err = s.ByName(root).Encode(PtrTo(&c.v))
		require.ErrorAs(t, err, &fe)
		require.Equal(t, c.field, fe.Field)
	}
	_, err := EncodeAny(zFailing{})
	require.ErrorIs(t, err, errFailing)
	requireNoSecret(t, err)
}

type zBadKey string

func (zBadKey) MarshalText() ([]byte, error) { return nil, errFailing }

// TestAttributevalueErrorsContainValues is the negative control of the tests above:
// attributevalue's error texts contain values.
func TestAttributevalueErrorsContainValues(t *testing.T) {
	t.Parallel()
	err := oracleDecode(Item{"Small": number(secret)}, &struct{ Small int8 }{})
	require.Contains(t, err.Error(), secret)
	require.NotErrorIs(t, err, strconv.ErrRange)
}
