package expr

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

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

// moment is a time as text, as an operand.
type moment struct {
	full   string   // as it is stored
	stem   string   // without the Z
	strays []string // earlier times whose text is >= the stem
}

func momentOf(av types.AttributeValue) moment {
	full := av.(*types.AttributeValueMemberS).Value
	m := moment{full: full, stem: strings.TrimSuffix(full, "Z")}
	for end := secondsEnd; end < len(m.stem); end++ {
		switch {
		case end == secondsEnd:
			m.strays = append(m.strays, m.stem[:end]+"Z")
		// Stored fractions have no trailing zeros.
		case end > secondsEnd+1 && m.stem[end-1] != '0':
			m.strays = append(m.strays, m.stem[:end]+"Z")
		}
	}
	return m
}

const secondsEnd = len("2006-01-02T15:04:05")

func (k *compiler) times(c *Cond, b *core.BoundPath) (piece, error) {
	if endsYears(c, b) {
		return k.times(&Cond{Op: Ge, Path: c.Path, Args: c.Args[:1]}, b)
	}
	vals := make([]types.AttributeValue, len(c.Args))
	inText := true
	for i, arg := range c.Args {
		arg, at, ok := inUTC(arg)
		av, err := encodeAlways(b, c.Path, arg)
		if err != nil {
			return piece{}, err
		}
		if wire(av) == codec.WireN && ok {
			av = seconds(at)
		}
		vals[i], inText = av, inText && textTime(av)
	}
	order := compareValues
	if inText {
		order = compareTimes
	}
	if err := sensible(c, vals, order); err != nil {
		return piece{}, err
	}
	if inText {
		return k.textTimes(c.Op, k.b.Path(b), vals), nil
	}
	return k.operate(c.Op, k.b.Path(b), vals), nil
}

// afterYears is the first time that has no text form. The last possible periods end there.
var afterYears = time.Date(10000, time.January, 1, 0, 0, 0, 0, time.UTC)

// endsYears reports whether a condition is a period that ends at afterYears and whose end cannot be
// encoded.
func endsYears(c *Cond, b *core.BoundPath) bool {
	if c.Op != During {
		return false
	}
	end, at, ok := inUTC(c.Args[1])
	if !ok || !at.Equal(afterYears) {
		return false
	}
	_, err := encodeAlways(b, c.Path, end)
	return err != nil
}

// seconds returns a time as a number of seconds with its fraction. The stored attribute has no
// fraction. The operand keeps it, so that the condition compares as the Go times do.
func seconds(t time.Time) types.AttributeValue {
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

func (k *compiler) textTimes(op Op, path string, vals []types.AttributeValue) piece {
	from := momentOf(vals[0])
	switch op {
	case Lt:
		return k.until(path, from, from.strays)
	case Le:
		return k.until(path, from, append(from.strays, from.full))
	case Ge:
		return k.since(path, from, from.strays)
	case Gt:
		return k.since(path, from, append(from.strays, from.full))
	}
	to := momentOf(vals[1])
	inside := to.strays
	if op == Between {
		inside = append(inside, to.full)
	}
	return k.joined(And, k.since(path, from, from.strays).under(And), k.until(path, to, inside).under(And))
}

// since compiles: text >= stem, except the listed texts.
func (k *compiler) since(path string, m moment, without []string) piece {
	from := k.compared(path, Ge, text(m.stem))
	switch len(without) {
	case 0:
		return piece{from, 0}
	case 1:
		return k.joined(And, from, k.compared(path, Ne, text(without[0])))
	default:
		return k.joined(And, from, "NOT "+k.among(path, without))
	}
}

// until compiles: text < stem, or one of the listed texts.
func (k *compiler) until(path string, m moment, with []string) piece {
	below := k.compared(path, Lt, text(m.stem))
	switch len(with) {
	case 0:
		return piece{below, 0}
	case 1:
		return k.joined(Or, below, k.compared(path, Eq, text(with[0])))
	default:
		return k.joined(Or, below, k.among(path, with))
	}
}

func (k *compiler) among(path string, list []string) string {
	vals := make([]types.AttributeValue, len(list))
	for i, s := range list {
		vals[i] = text(s)
	}
	return k.operate(In, path, vals).text
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// storesTime reports whether a place, also behind pointers, holds times in the codec's form.
func storesTime(leaf core.Leaf) bool {
	n := under(leaf.Node)
	return n != nil && n.Kind == codec.KindTime && (n.Enc != codec.ViaAttribute || wireOf(leaf)&scalars == codec.WireN)
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

// textTime reports whether a value is the text of a time in UTC with seconds.
func textTime(av types.AttributeValue) bool {
	s, ok := av.(*types.AttributeValueMemberS)
	if !ok || len(s.Value) <= secondsEnd || !strings.HasSuffix(s.Value, "Z") {
		return false
	}
	_, err := time.Parse(time.RFC3339Nano, s.Value)
	return err == nil
}

func compareTimes(a, b types.AttributeValue) int {
	x, _ := time.Parse(time.RFC3339Nano, a.(*types.AttributeValueMemberS).Value)
	y, _ := time.Parse(time.RFC3339Nano, b.(*types.AttributeValueMemberS).Value)
	return x.Compare(y)
}
