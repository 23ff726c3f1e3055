package write_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
)

// The types below are those that reflect.StructOf cannot make: with methods, or embedded.
type (
	// promoted has the text form of the address that it embeds.
	promoted struct {
		netip.Addr
		Label string
	}
	// unnamed is stored without the address.
	unnamed struct {
		Label string
		netip.Addr
	}
	// labeled embeds an address, and has a text form of its own.
	labeled struct {
		netip.Addr
		Label string
	}
	// onNil and onNilTime have the methods of a pointer, which may be nil.
	onNil     struct{ *netip.Addr }
	onNilTime struct{ *time.Time }
	// link embeds a pointer, and has a text form of its own.
	link struct{ *url.URL }
	// words is a slice with a text form.
	words []string
	// sum has a text form of its own; that of the embedded type accepts few texts.
	sum struct {
		KeptCode
		Cents int
	}
	KeptCode string
	// pointerText and pointerValue have methods with pointer receivers.
	pointerText  int
	pointerValue struct{ N int }
	// readOnly reads a text as a bool.
	readOnly bool
	// decimal has a text form, and says which value is zero.
	decimal    struct{ text string }
	level      string // its String is not its value
	box[T any] struct {
		Value T
		Note  string `dynamodbav:"note,omitempty"`
	}
	KeptBase struct {
		Base  string `dynamodbav:"base,omitempty"`
		Count int64
	}
	embedding struct {
		KeptBase
		*KeptMore
		Own any
	}
	KeptMore struct{ More []any }
	tree     struct {
		Name string
		Kids []tree
		By   map[string]*tree `dynamodbav:",omitempty"`
	}
)

func (l labeled) MarshalText() ([]byte, error) {
	text, err := l.Addr.MarshalText()
	return append(append(text, '|'), l.Label...), err
}

func (l *labeled) UnmarshalText(b []byte) error {
	addr, label, _ := strings.Cut(string(b), "|")
	l.Label = label
	return l.Addr.UnmarshalText([]byte(addr))
}

func (l link) MarshalText() ([]byte, error) {
	if l.URL == nil {
		return nil, nil
	}
	return []byte(l.String()), nil
}

func (l *link) UnmarshalText(b []byte) (err error) {
	if l.URL = nil; len(b) > 0 {
		l.URL, err = url.Parse(string(b))
	}
	return err
}

func (w words) MarshalText() ([]byte, error) { return []byte(strings.Join(w, " ")), nil }

func (w *words) UnmarshalText(b []byte) error {
	if *w = nil; len(b) > 0 {
		*w = strings.Split(string(b), " ")
	}
	return nil
}

var errCode = errors.New("not a code")

func (c KeptCode) MarshalText() ([]byte, error) {
	if !strings.HasPrefix(string(c), "code ") {
		return nil, errCode
	}
	return []byte(c), nil
}

func (c *KeptCode) UnmarshalText(b []byte) error {
	*c = KeptCode(b)
	_, err := c.MarshalText()
	return err
}

func (s sum) MarshalText() ([]byte, error) {
	text, err := s.KeptCode.MarshalText()
	return fmt.Appendf(text, "|%d", s.Cents), err
}

func (s *sum) UnmarshalText(b []byte) (err error) {
	code, cents, _ := strings.Cut(string(b), "|")
	if s.Cents, err = strconv.Atoi(cents); err != nil {
		return err
	}
	return s.KeptCode.UnmarshalText([]byte(code))
}

func (p *pointerText) MarshalText() ([]byte, error) { return []byte("p" + strconv.Itoa(int(*p))), nil }
func (p *pointerText) UnmarshalText(b []byte) error {
	n, err := strconv.Atoi(strings.TrimPrefix(string(b), "p"))
	*p = pointerText(n)
	return err
}

func (p *pointerValue) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	return numberAV(strconv.Itoa(p.N + 1000)), nil
}

func (p *pointerValue) UnmarshalDynamoDBAttributeValue(av types.AttributeValue) (err error) {
	n, ok := av.(*types.AttributeValueMemberN)
	if !ok {
		return errors.New("not a number")
	}
	p.N, err = strconv.Atoi(n.Value)
	p.N -= 1000
	return err
}

func (r *readOnly) UnmarshalDynamoDBAttributeValue(av types.AttributeValue) error {
	switch av := av.(type) {
	case *types.AttributeValueMemberBOOL:
		*r = readOnly(av.Value)
	case *types.AttributeValueMemberS:
		*r = av.Value == "Y"
	}
	return nil
}

func (d decimal) MarshalText() ([]byte, error) { return []byte(d.text), nil }
func (d *decimal) UnmarshalText(b []byte) error {
	d.text = strings.TrimSuffix(string(b), ".0")
	return nil
}
func (d decimal) IsZero() bool { return d.text == "" || d.text == "0" }

func (l level) String() string { return "level " + string(l) }

// keptTypes are the types of fields, and of elements.
var keptTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int64](), reflect.TypeFor[uint](), reflect.TypeFor[uint64](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[[]byte](), reflect.TypeFor[[3]byte](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[any](), reflect.TypeFor[any](), reflect.TypeFor[map[string]any](),
	reflect.TypeFor[[]any](), reflect.TypeFor[[][]byte](), reflect.TypeFor[[]string](), reflect.TypeFor[json.Number](), reflect.TypeFor[attributevalue.Number](),
	reflect.TypeFor[attributevalue.UnixTime](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[big.Int](), reflect.TypeFor[big.Float](),
	reflect.TypeFor[big.Rat](), reflect.TypeFor[netip.Addr](), reflect.TypeFor[net.IP](), reflect.TypeFor[url.URL](), reflect.TypeFor[sql.NullString](),
	reflect.TypeFor[sql.NullTime](), reflect.TypeFor[sql.Null[int64]](), reflect.TypeFor[types.AttributeValue](), reflect.TypeFor[*types.AttributeValueMemberSS](),
	reflect.TypeFor[map[string]types.AttributeValue](), reflect.TypeFor[labeled](), reflect.TypeFor[pointerText](), reflect.TypeFor[pointerValue](),
	reflect.TypeFor[readOnly](), reflect.TypeFor[decimal](), reflect.TypeFor[level](), reflect.TypeFor[box[any]](), reflect.TypeFor[box[big.Int]](),
	reflect.TypeFor[embedding](), reflect.TypeFor[tree](), reflect.TypeFor[map[netip.Addr]int](), reflect.TypeFor[map[pointerText]string](),
	reflect.TypeFor[map[time.Duration]any](), reflect.TypeFor[map[level]pointerValue](), reflect.TypeFor[map[float32]bool](), reflect.TypeFor[struct{}](),
	reflect.TypeFor[link](), reflect.TypeFor[sum](), reflect.TypeFor[map[link]int](), reflect.TypeFor[words](), reflect.TypeFor[net.IP](),
}

// refusedTypes cannot be fields, because a value or a part of it would be lost.
var refusedTypes = []reflect.Type{
	reflect.TypeFor[func()](), reflect.TypeFor[chan int](), reflect.TypeFor[complex128](), reflect.TypeFor[uintptr](), reflect.TypeFor[error](),
	reflect.TypeFor[fmt.Stringer](), reflect.TypeFor[promoted](), reflect.TypeFor[unnamed](), reflect.TypeFor[sync.Mutex](), reflect.TypeFor[atomic.Int64](),
	reflect.TypeFor[box[func()]](), reflect.TypeFor[box[promoted]](), reflect.TypeFor[map[string]chan int](), reflect.TypeFor[*[]error](),
	reflect.TypeFor[onNil](), reflect.TypeFor[onNilTime](), reflect.TypeFor[map[onNil]int](), reflect.TypeFor[box[*onNil]](),
}

// keptOptions are options of fields. Definitions refuse those that do not fit.
var keptOptions = []string{"omitempty", "nullempty", "string", "unixtime", "stringset", "numberset", "binaryset", "omitemptyelem", "nullemptyelem"}

func textAV(s string) types.AttributeValue   { return &types.AttributeValueMemberS{Value: s} }
func numberAV(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }

// keptGen makes random types and the items that programs may have stored for them.
type keptGen struct{ *rand.Rand }

func oneOf[T any](g keptGen, of []T) T { return of[g.IntN(len(of))] }

// entity returns a struct with an id and a few random fields.
func (g keptGen) entity() reflect.Type {
	fields := []reflect.StructField{{Name: "ID", Type: reflect.TypeFor[string](), Tag: `dynamodbav:"id"`}}
	return reflect.StructOf(append(fields, g.fields(2)...))
}

func (g keptGen) fields(depth int) []reflect.StructField {
	fields := make([]reflect.StructField, 1+g.IntN(4))
	for i := range fields {
		tag := fmt.Sprintf(`dynamodbav:"a%d`, i)
		typ := g.fieldType(depth)
		for _, option := range keptOptions {
			if g.IntN(4) == 0 && fits(typ, option) {
				tag += "," + option
				break
			}
		}
		fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: typ, Tag: reflect.StructTag(tag + `"`)}
	}
	return fields
}

func (g keptGen) fieldType(depth int) reflect.Type {
	if g.IntN(60) == 0 {
		return oneOf(g, refusedTypes)
	}
	if depth == 0 || g.IntN(2) == 0 {
		return oneOf(g, keptTypes)
	}
	elem := g.fieldType(depth - 1)
	switch g.IntN(6) {
	case 0:
		return reflect.SliceOf(elem)
	case 1:
		return reflect.ArrayOf(g.IntN(3), elem)
	case 2:
		return reflect.MapOf(oneOf(g, []reflect.Type{
			reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[bool](), reflect.TypeFor[time.Time](), reflect.TypeFor[level](),
		}), elem)
	case 3:
		return reflect.PointerTo(elem)
	case 4:
		return reflect.PointerTo(reflect.PointerTo(elem))
	default:
		return reflect.StructOf(g.fields(depth - 1))
	}
}

// fits reports whether a definition accepts the option on a field of the type.
func fits(t reflect.Type, option string) bool {
	_, issues := codec.Compile(reflect.StructOf([]reflect.StructField{{Name: "F", Type: t, Tag: reflect.StructTag(`dynamodbav:",` + option + `"`)}}))
	return len(issues) == 0
}

// keptTexts are texts that types with a text form read, some of them in another form than they
// write.
var keptTexts = map[reflect.Type][]string{
	reflect.TypeFor[big.Int]():     {"0", "7", "007", "-123456789012345678901234567890"},
	reflect.TypeFor[big.Float]():   {"0", "1.5", "1.50", "0.12345678901234567890123456789012345678"},
	reflect.TypeFor[big.Rat]():     {"1/3", "2/6", "0.5"},
	reflect.TypeFor[netip.Addr]():  {"", "192.0.2.1", "2001:DB8::1", "2001:db8::1"},
	reflect.TypeFor[net.IP]():      {"", "192.0.2.1", "2001:DB8::1"},
	reflect.TypeFor[labeled]():     {"192.0.2.1|x", "2001:DB8::1|"},
	reflect.TypeFor[pointerText](): {"p0", "p7", "7"},
	reflect.TypeFor[decimal]():     {"", "0", "1.5", "2.0"},
	reflect.TypeFor[words]():       {"", "a", "a b"},
	reflect.TypeFor[link]():        {"", "https://example.com/?q=1", "HTTPS://example.com"},
	reflect.TypeFor[sum]():         {"code a|0", "code |7", "code b|07"},
	reflect.TypeFor[time.Time](): {
		"2026-08-01T00:00:00Z", "2026-08-01T00:00:00.5Z", "2026-08-01T00:00:00.50Z", "2026-08-01T02:00:00+02:00", "0001-01-01T00:00:00Z",
	},
	reflect.TypeFor[string]():        {"", "a", "b c", "é", "7"},
	reflect.TypeFor[level]():         {"", "a", "level a"},
	reflect.TypeFor[int]():           {"0", "7", "07", "-1"},
	reflect.TypeFor[time.Duration](): {"0", "7"},
	reflect.TypeFor[float32]():       {"0", "0.5", "0.50", "1e+06", "1000000"},
	reflect.TypeFor[bool]():          {"true", "false", "T"},
}

// numberFor returns a number that the type mostly holds.
func (g keptGen) numberFor(n *codec.Node) string {
	switch {
	case n.Kind == codec.KindInt && n.Bits == 64:
		return oneOf(g, []string{"0", "7", "-1", "1785542400", "1234567890123456789"})
	case n.Kind == codec.KindInt, n.Kind == codec.KindUint, n.Kind == codec.KindTime, n.Enc != 0:
		return oneOf(g, []string{"0", "7", "100", "1007"})
	default:
		return g.number()
	}
}

// value returns an attribute value of any type.
func (g keptGen) value(depth int) types.AttributeValue {
	kinds := 10
	if depth == 0 {
		kinds = 8
	}
	switch g.IntN(kinds) {
	case 0, 1:
		return textAV(g.text())
	case 2:
		return numberAV(g.number())
	case 3:
		return &types.AttributeValueMemberBOOL{Value: g.IntN(2) == 0}
	case 4:
		return &types.AttributeValueMemberB{Value: []byte(g.text())}
	case 5:
		return &types.AttributeValueMemberNULL{Value: true}
	case 6:
		return g.set()
	case 7:
		return &types.AttributeValueMemberL{Value: []types.AttributeValue{}}
	case 8:
		l := &types.AttributeValueMemberL{Value: []types.AttributeValue{}}
		for range g.IntN(4) {
			l.Value = append(l.Value, g.value(depth-1))
		}
		return l
	default:
		m := map[string]types.AttributeValue{}
		for range g.IntN(4) {
			m[oneOf(g, []string{"a0", "a1", "F0", "Value", "note", "base", "Name", "Kids", "x", "1", "true", "2026-08-01T00:00:00Z"})] = g.value(depth - 1)
		}
		return &types.AttributeValueMemberM{Value: m}
	}
}

func (g keptGen) text() string {
	return oneOf(g, []string{
		"", "a", "b c", "é", "0", "7", "007", "-1.50", "12345678901234567890", "true", "p7", "Y", "0.0", "1.0", "1/3", "192.0.2.1", "192.0.2.1|x", "2001:DB8::1",
		"2026-08-01T00:00:00Z", "2026-08-01T00:00:00.50Z", "2026-08-01T02:00:00+02:00", "0001-01-01T00:00:00Z", "https://example.com/?q=1",
	})
}

func (g keptGen) number() string {
	return oneOf(g, []string{
		"0", "1", "7", "-1", "1007", "127", "255", "0.1", "-2.5", "1785542400", "9007199254740993", "1234567890123456789", "18446744073709551615",
		"0.12345678901234567890123456789012345678", "3.4028234663852886E+38", "1E+100", "1E-130", "9.9E+125",
	})
}

func (g keptGen) set() types.AttributeValue {
	switch g.IntN(3) {
	case 0:
		return &types.AttributeValueMemberSS{Value: oneOf(g, [][]string{{"a"}, {"b", "a"}, {"192.0.2.1"}, {"p7", "p8"}})}
	case 1:
		return &types.AttributeValueMemberNS{Value: oneOf(g, [][]string{{"1"}, {"2", "1007"}, {"0.5", "1234567890123456789"}})}
	default:
		return &types.AttributeValueMemberBS{Value: oneOf(g, [][][]byte{{{1}}, {{1, 2, 3}, {4, 5, 6}}})}
	}
}
