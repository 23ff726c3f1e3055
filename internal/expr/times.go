package expr

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// A time stored as text has a fraction of variable width, so the texts do not sort by time: 29Z
// sorts after 29.5Z. If all stored times are in UTC, conditions can still compare them. The stem of
// a time is its text without the Z. Texts >= the stem are the times from it on, plus some earlier
// times of the same second: those whose fraction is a proper prefix of this one. For 29.55Z, these
// are 29Z and 29.5Z, because Z sorts after every digit. There are at most nine, so a condition
// lists them.

var timeType = reflect.TypeFor[time.Time]()

// timeText is a time as text, as an operand.
type timeText struct {
	full    string   // as it is stored
	stem    string   // without the Z
	earlier []string // earlier times whose text is >= the stem
}

func timeTextOf(av types.AttributeValue) timeText {
	full := av.(*types.AttributeValueMemberS).Value
	m := timeText{full: full, stem: strings.TrimSuffix(full, "Z")}
	for end := secondsLen; end < len(m.stem); end++ {
		// Stored fractions have no trailing zeros.
		if end == secondsLen || end > secondsLen+1 && m.stem[end-1] != '0' {
			m.earlier = append(m.earlier, m.stem[:end]+"Z")
		}
	}
	return m
}

const secondsLen = len("2006-01-02T15:04:05")

func compileTime(c *Cond, b *core.BoundPath) (clause.Pred, error) {
	if endsBeyondText(c, b) {
		return compileTime(&Cond{Op: Ge, Path: c.Path, Args: c.Args[:1]}, b)
	}
	inText := true
	vals, err := encodeAll(c, func(arg any) (types.AttributeValue, error) {
		arg, at, ok := inUTC(arg)
		av, err := encodeOperand(b, c.Path, arg)
		if err == nil && ok && codec.WireOf(av) == codec.WireN {
			av = unixSeconds(at)
		}
		inText = inText && isTimeText(av)
		return av, err
	}, compareTimes)
	switch {
	case err != nil:
		return nil, err
	case inText:
		return compileTimeText(c.Op, b, vals), nil
	default:
		return test(c.Op, b, vals...), nil
	}
}

// year10000 is the first time that has no text form. The last possible periods end there.
var year10000 = time.Date(10000, time.January, 1, 0, 0, 0, 0, time.UTC)

// endsBeyondText reports whether a condition is a period that ends at afterYears and whose end
// cannot be encoded.
func endsBeyondText(c *Cond, b *core.BoundPath) bool {
	if c.Op != During {
		return false
	}
	end, at, ok := inUTC(c.Args[1])
	if !ok || !at.Equal(year10000) {
		return false
	}
	_, err := encodeOperand(b, c.Path, end)
	return err != nil
}

// unixSeconds returns a time as a number of seconds with its fraction. The stored attribute has no
// fraction. The operand keeps it, so that the condition compares as the Go times do.
func unixSeconds(t time.Time) types.AttributeValue {
	sign, s, ns := "", t.Unix(), int64(t.Nanosecond())
	if s < 0 {
		sign, s = "-", -s
		if ns > 0 {
			s, ns = s-1, 1e9-ns
		}
	}
	text := sign + strconv.FormatInt(s, 10)
	if ns > 0 {
		text += "." + strings.TrimRight(strconv.FormatInt(1e9+ns, 10)[1:], "0")
	}
	return &types.AttributeValueMemberN{Value: text}
}

func compileTimeText(op Op, b *core.BoundPath, vals []types.AttributeValue) clause.Pred {
	from := timeTextOf(vals[0])
	switch op {
	case Lt, Ge:
		return side(op, b, from, from.earlier)
	case Le:
		return side(Lt, b, from, append(from.earlier, from.full))
	case Gt:
		return side(Ge, b, from, append(from.earlier, from.full))
	}
	to := timeTextOf(vals[1])
	inside := to.earlier
	if op == Between {
		inside = append(inside, to.full)
	}
	return clause.And{side(Ge, b, from, from.earlier), side(Lt, b, to, inside)}
}

// side compiles one side of a time. For Ge it is: text >= stem, except the listed texts. For Lt it
// is: text < stem, or one of the listed texts.
func side(op Op, b *core.BoundPath, m timeText, list []string) clause.Pred {
	bound := test(op, b, textValue(m.stem))
	if len(list) == 0 {
		return bound
	}
	vals := make([]types.AttributeValue, len(list))
	for i, s := range list {
		vals[i] = textValue(s)
	}
	switch {
	case op == Lt && len(list) == 1:
		return clause.Or{bound, test(Eq, b, vals...)}
	case op == Lt:
		return clause.Or{bound, test(In, b, vals...)}
	case len(list) == 1:
		return clause.And{bound, test(Ne, b, vals...)}
	default:
		return clause.And{bound, clause.Not{Pred: test(In, b, vals...)}}
	}
}

func textValue(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// storesTime reports whether a place, also behind pointers, holds times in the codec's form.
func storesTime(leaf core.Leaf) bool {
	n := indirect(leaf.Node)
	return n != nil && n.Kind == codec.KindTime && (n.Enc != codec.ViaAttribute || storedTypes(leaf)&scalars == codec.WireN)
}

// inUTC returns a pointer to a copy of the operand in UTC, and the time. It returns false if the
// operand is not a time.
func inUTC(arg any) (any, time.Time, bool) {
	v := reflect.ValueOf(arg).Elem()
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return arg, time.Time{}, false
		}
		v = v.Elem()
	}
	if !v.CanConvert(timeType) {
		return arg, time.Time{}, false
	}
	t := v.Convert(timeType).Interface().(time.Time).UTC()
	utc := reflect.ValueOf(t).Convert(v.Type()).Interface()
	return &utc, t, true
}

// isTimeText reports whether a value is the text of a time in UTC with seconds.
func isTimeText(av types.AttributeValue) bool {
	s, ok := av.(*types.AttributeValueMemberS)
	if !ok || len(s.Value) <= secondsLen || !strings.HasSuffix(s.Value, "Z") {
		return false
	}
	_, err := time.Parse(time.RFC3339Nano, s.Value)
	return err == nil
}

// compareTimes compares two times that are both stored as text in UTC, or as numbers.
func compareTimes(a, b types.AttributeValue) int {
	if !isTimeText(a) || !isTimeText(b) {
		return core.CompareValues(a, b)
	}
	x, _ := time.Parse(time.RFC3339Nano, a.(*types.AttributeValueMemberS).Value)
	y, _ := time.Parse(time.RFC3339Nano, b.(*types.AttributeValueMemberS).Value)
	return x.Compare(y)
}
