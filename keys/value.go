package keys

import (
	"fmt"
	"math"
	"time"
)

// Kind is the kind of a field's Go type in a key.
type Kind uint8

// The kinds of fields that a key can contain.
const (
	KindText  Kind = iota + 1 // string kinds and encoding.TextMarshaler
	KindInt                   // signed integers
	KindUint                  // unsigned integers
	KindFloat                 // float32 and float64
	KindTime                  // time.Time
	KindBool                  // bool
	KindBytes                 // []byte
)

var kindNames = [...]string{"absent", "text", "int", "uint", "float", "time", "bool", "bytes"}

// String returns the kind's name, such as "time".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown kind"
}

// Value is one part of a key: an immutable copy of a field's value. The zero Value is absent. No
// verb of fmt prints the content of a Value.
type Value struct {
	_ [0]func() // not comparable with ==: use Equal
	valueHead

	// num is an integer, the bits of a float, a bool, or the Unix seconds of a time.
	num  uint64
	text string // text, or bytes
}

// valueHead keeps the number of a Value's fields at four: the compiler keeps such a struct in
// registers.
type valueHead struct {
	kind Kind
	nsec int32 // a time's nanoseconds
}

// Text returns s as a value. The empty string is absent.
func Text(s string) Value {
	if s == "" {
		return Value{}
	}
	return Value{valueHead: valueHead{kind: KindText}, text: s}
}

// scalar returns a value whose content is a number.
func scalar(k Kind, num uint64) Value { return Value{valueHead: valueHead{kind: k}, num: num} }

// Int returns n as a value. Zero is a present value.
func Int(n int64) Value { return scalar(KindInt, uint64(n)) }

// Uint returns n as a value. Zero is a present value.
func Uint(n uint64) Value { return scalar(KindUint, n) }

// Float returns f as a value. Zero is a present value. Rendering NaN returns an error.
func Float(f float64) Value {
	return scalar(KindFloat, math.Float64bits(f))
}

// Time returns the instant t as a value, without its location. The zero time is absent.
func Time(t time.Time) Value {
	if t.IsZero() {
		return Value{}
	}
	return instantValue(t)
}

// instantValue is Time for instants that are parsed from a key, where the zero time is present.
func instantValue(t time.Time) Value {
	return Value{valueHead: valueHead{kind: KindTime, nsec: int32(t.Nanosecond())}, num: uint64(t.Unix())}
}

// Bool returns b as a value. False is a present value.
func Bool(b bool) Value {
	if b {
		return scalar(KindBool, 1)
	}
	return scalar(KindBool, 0)
}

// Bytes returns a copy of b as a value. An empty b is absent.
func Bytes(b []byte) Value {
	if len(b) == 0 {
		return Value{}
	}
	return Value{valueHead: valueHead{kind: KindBytes}, text: string(b)}
}

// Kind returns the value's kind, or 0 if the value is absent.
func (v Value) Kind() Kind { return v.kind }

// IsAbsent reports whether v is absent: it was made from "", no bytes or the zero time.
func (v Value) IsAbsent() bool { return v.kind == 0 }

// as returns v if it is of that kind, or else a value without content.
func (v Value) as(kind Kind) Value {
	if v.kind != kind {
		return Value{}
	}
	return v
}

// Text returns the text of a KindText value, or "" for any other kind.
func (v Value) Text() string { return v.as(KindText).text }

// Int returns the number of a KindInt value, or 0 for any other kind.
func (v Value) Int() int64 { return int64(v.as(KindInt).num) }

// Uint returns the number of a KindUint value, or 0 for any other kind.
func (v Value) Uint() uint64 { return v.as(KindUint).num }

// Float returns the number of a KindFloat value, or 0 for any other kind.
func (v Value) Float() float64 { return math.Float64frombits(v.as(KindFloat).num) }

// Time returns the instant of a KindTime value in UTC, or the zero time for any other kind.
func (v Value) Time() time.Time {
	if v.kind != KindTime {
		return time.Time{}
	}
	return time.Unix(int64(v.num), int64(v.nsec)).UTC()
}

// Bool returns the value of a KindBool value, or false for any other kind.
func (v Value) Bool() bool { return v.kind == KindBool && v.num == 1 }

// Bytes returns a copy of the bytes of a KindBytes value, or nil for any other kind.
func (v Value) Bytes() []byte {
	if v.kind != KindBytes {
		return nil
	}
	return []byte(v.text)
}

// Equal reports whether both values have the same kind and content. Floats are compared as numbers
// (−0 equals 0), times as instants.
func (v Value) Equal(w Value) bool {
	if v.kind == KindFloat && w.kind == KindFloat {
		return v.Float() == w.Float()
	}
	return v.kind == w.kind && v.num == w.num && v.nsec == w.nsec && v.text == w.text
}

// Format implements fmt.Formatter: it prints the kind and never the value.
func (v Value) Format(s fmt.State, _ rune) {
	_, _ = fmt.Fprintf(s, "keys.Value(%s)", v.kind.String())
}
