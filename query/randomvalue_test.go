package query_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"strconv"
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/keys"
)

// sample is an item with a field of every kind that a key can hold.
type sample struct {
	Tenant string     `dynamodbav:"tenant"`
	Serial int        `dynamodbav:"serial"`
	Keep   bool       `dynamodbav:"keep"`
	Score  int        `dynamodbav:"score"`
	Name   string     `dynamodbav:"name,omitempty"`
	Tag    label      `dynamodbav:"tag,omitempty"`
	Addr   netip.Addr `dynamodbav:"addr"`
	Count  int64      `dynamodbav:"count"`
	Small  int16      `dynamodbav:"small"`
	Mass   uint64     `dynamodbav:"mass"`
	Heat   float64    `dynamodbav:"heat"`
	At     time.Time  `dynamodbav:"at"`
	Ends   time.Time  `dynamodbav:"ends,unixtime"`
	On     bool       `dynamodbav:"on"`
	Hash   []byte     `dynamodbav:"hash,omitempty"`
}

type label string

var (
	sampleKeep  = attr.Must(func(s *sample) *bool { return &s.Keep })
	sampleCount = attr.Must(func(s *sample) *int64 { return &s.Count })
	sampleScore = attr.Must(func(s *sample) *int { return &s.Score })
)

// column is a field of a sample with its possible key formats.
type column struct {
	name   string
	forms  []form
	native keys.AttrType // type of the field as a plain key attribute; empty: not possible
	draw   func(*rand.Rand) any
	get    func(*sample) any
	set    func(*sample, any)
	stored func(any) any // what the attribute keeps; nil: everything
	ask    func(op operator, operands ...any) attr.KeyCond[sample]
	filter func(op operator, operands ...any) attr.Cond[sample] // operators that no key supports
}

// operator is an operator that Where supports.
type operator string

const (
	opEq      operator = "="
	opLt      operator = "<"
	opLe      operator = "<="
	opGt      operator = ">"
	opGe      operator = ">="
	opBetween operator = "between"
	opBegins  operator = "begins with"
	opDuring  operator = "during"
	opSince   operator = "since"
	opBefore  operator = "before"
	opNothing operator = "nothing"

	// Only Filter supports the operators below.
	opNe        operator = "<>"
	opIn        operator = "in"
	opExists    operator = "exists"
	opNotExists operator = "not exists"
	opContains  operator = "contains"
	opSizeEq    operator = "size ="
	opSizeNe    operator = "size <>"
	opSizeLt    operator = "size <"
	opSizeGe    operator = "size >="
	opSizeIn    operator = "size between"
)

func columnOf[F any](name string, native keys.AttrType, field func(*sample) *F, draw func(*rand.Rand) F, forms ...form) *column {
	handle := attr.Must(field)
	return &column{
		name: name, native: native, forms: forms,
		draw: func(r *rand.Rand) any { return draw(r) },
		get:  func(s *sample) any { return *field(s) },
		set:  func(s *sample, v any) { *field(s), _ = v.(F) },
		ask: func(op operator, operands ...any) attr.KeyCond[sample] {
			vs := make([]F, len(operands))
			for i, o := range operands {
				vs[i], _ = o.(F)
			}
			switch op {
			case opEq:
				return handle.Eq(vs[0])
			case opLt:
				return handle.Lt(vs[0])
			case opLe:
				return handle.Le(vs[0])
			case opGt:
				return handle.Gt(vs[0])
			case opGe:
				return handle.Ge(vs[0])
			case opBetween:
				return handle.Between(vs[0], vs[1])
			}
			return special(any(handle), op, operands)
		},
		filter: func(op operator, operands ...any) attr.Cond[sample] { return filtering(handle, op, operands) },
	}
}

// filtering returns a condition that only Filter supports.
func filtering[F any](handle *attr.Field[sample, F], op operator, operands []any) attr.Cond[sample] {
	switch op {
	case opExists:
		return handle.Exists()
	case opNotExists:
		return handle.NotExists()
	case opContains:
		switch h := any(handle).(type) {
		case *attr.Field[sample, string]:
			return attr.ContainsText(h, operands[0].(string))
		case *attr.Field[sample, label]:
			return attr.ContainsText(h, operands[0].(label))
		case *attr.Field[sample, []byte]:
			return attr.ContainsText(h, operands[0].([]byte))
		}
	}
	if n, ok := operands[0].(int); ok {
		switch size := attr.Size(handle); op {
		case opSizeEq:
			return size.Eq(n)
		case opSizeNe:
			return size.Ne(n)
		case opSizeLt:
			return size.Lt(n)
		case opSizeGe:
			return size.Ge(n)
		case opSizeIn:
			return size.Between(n, operands[1].(int))
		}
	}
	vs := make([]F, len(operands))
	for i, o := range operands {
		vs[i], _ = o.(F)
	}
	if op == opNe {
		return handle.Ne(vs[0])
	}
	return handle.In(vs...)
}

// special returns a condition that only some types of fields support.
func special(handle any, op operator, operands []any) attr.KeyCond[sample] {
	switch h := handle.(type) {
	case *attr.Field[sample, string]:
		return attr.BeginsWith(h, operands[0].(string))
	case *attr.Field[sample, label]:
		return attr.BeginsWith(h, operands[0].(label))
	case *attr.Field[sample, []byte]:
		return attr.BeginsWith(h, operands[0].([]byte))
	case *attr.Field[sample, time.Time]:
		at, _ := operands[0].(time.Time)
		switch op {
		case opSince:
			return attr.Since(h, at)
		case opBefore:
			return attr.Before(h, at)
		case opDuring:
			end, _ := operands[1].(time.Time)
			return attr.During(h, attr.Period{Start: at, End: end})
		}
	}
	panic(fmt.Sprintf("%T has no %s", handle, op))
}

// columns lists all columns.
var columns = func() []*column {
	ends := columnOf("ends", "", func(s *sample) *time.Time { return &s.Ends }, drawTime, timeForms...)
	ends.stored = func(v any) any {
		t, _ := v.(time.Time)
		return time.Unix(t.Unix(), 0)
	}
	return []*column{
		columnOf("name", keys.S, func(s *sample) *string { return &s.Name }, drawText, textForms...),
		columnOf("tag", keys.S, func(s *sample) *label { return &s.Tag }, func(r *rand.Rand) label { return label(drawText(r)) }, textForms...),
		columnOf("addr", keys.S, func(s *sample) *netip.Addr { return &s.Addr }, drawAddr, form{keep: keepAddr, ordered: true}),
		columnOf("count", keys.N, func(s *sample) *int64 { return &s.Count }, drawInt, intForms...),
		columnOf("small", keys.N, func(s *sample) *int16 { return &s.Small }, func(r *rand.Rand) int16 { return int16(drawInt(r)) }, intForms...),
		columnOf("mass", keys.N, func(s *sample) *uint64 { return &s.Mass }, drawUint, uintForms...),
		columnOf("heat", keys.N, func(s *sample) *float64 { return &s.Heat }, drawFloat, downwards(form{format: "ord", keep: keepFloat, ordered: true})...),
		columnOf("at", "", func(s *sample) *time.Time { return &s.At }, drawTime, timeForms...),
		ends,
		columnOf("on", "", func(s *sample) *bool { return &s.On }, func(r *rand.Rand) bool { return r.IntN(2) == 0 }, form{keep: keepAll, ordered: true}),
		columnOf("hash", keys.B, func(s *sample) *[]byte { return &s.Hash }, drawBytes, form{format: "hex", keep: keepBytes, ordered: true, prefixes: true}),
	}
}()

// hostile are characters on both sides of the delimiter and of the escape, and extreme characters
// of Unicode.
var hostile = []string{"\x00", "\x01", " ", "!", "\"", "#", "$", "%", "a", "B", "b", "1", "0", "~", "\uffff", "\U0010ffff"}

// traps are texts of which some are prefixes of others.
var traps = []string{"WARNING1", "WARNING10", "1", "10", "sh", "shp", "sh#", "shp#", "a b", "a!", "$Ux", "#$U", "$", "#"}

func drawText(r *rand.Rand) string {
	switch r.IntN(12) {
	case 0, 1, 2, 3:
		return traps[r.IntN(len(traps))]
	case 4:
		return strconv.Itoa(r.IntN(100))
	}
	text := ""
	for range 1 + r.IntN(3) {
		text += hostile[r.IntN(len(hostile))]
	}
	return text
}

func drawAddr(r *rand.Rand) netip.Addr {
	if r.IntN(4) == 0 {
		return netip.AddrFrom16([16]byte{0: 0x20, 1: 1, 15: byte(r.IntN(20))})
	}
	return netip.AddrFrom4([4]byte{10, 0, 0, byte(r.IntN(120))})
}

func drawInt(r *rand.Rand) int64 {
	edges := []int64{math.MinInt64, -1000, -1, 0, 1, 9, 10, 99, 100, 999, 1000, 99_999_999, 100_000_000, math.MaxInt64 - 1, math.MaxInt64}
	if r.IntN(2) == 0 {
		return r.Int64N(1000)
	}
	return edges[r.IntN(len(edges))]
}

func drawUint(r *rand.Rand) uint64 {
	if r.IntN(5) == 0 {
		return []uint64{math.MaxUint64, math.MaxInt64 + 1, math.MaxInt64, 1 << 53, 1<<53 + 1}[r.IntN(5)]
	}
	return uint64(r.IntN(1000))
}

func drawFloat(r *rand.Rand) float64 {
	edges := []float64{-1e125, -1.5, -1e-130, math.Copysign(0, -1), 0, 1e-130, 0.1, 1, 1.0000000000000002, 1 << 53, 1e125}
	if r.IntN(2) == 0 {
		return r.NormFloat64()
	}
	return edges[r.IntN(len(edges))]
}

func drawTime(r *rand.Rand) time.Time {
	t := []time.Time{date(2026, 8, 1), date(2026, 1, 1), date(1970, 1, 1), date(2027, 1, 1), date(1969, 12, 31), date(9999, 12, 31)}[r.IntN(6)]
	for _, step := range []time.Duration{1, time.Microsecond, time.Millisecond, time.Second, time.Hour, -time.Hour, 15 * time.Hour} {
		if r.IntN(4) == 0 {
			t = t.Add(step)
		}
	}
	if r.IntN(3) == 0 && t.Year() < 9000 {
		t = t.AddDate(r.IntN(2), r.IntN(3), r.IntN(3))
	}
	return t
}

func drawBytes(r *rand.Rand) []byte {
	b := make([]byte, 1+r.IntN(3))
	for i := range b {
		b[i] = []byte{0, 1, 0x7f, 0x80, 0xff, '#', '$', 'U'}[r.IntN(8)]
	}
	return b
}
