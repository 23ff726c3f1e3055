// Package value models the content of an item. Attribute values are immutable, so that items, index
// entries, snapshots and stream images can share them.
//
// The service's rules for values are [Equal], [Compare], [Size], [Depth], and the order of keys,
// [AppendKey].
package value

import (
	"github.com/trestledb/trestle/ddbtest/internal/decimal"
)

// Kind is the type of an attribute value.
type Kind uint8

// The ten types.
const (
	KindString Kind = iota + 1
	KindNumber
	KindBinary
	KindBool
	KindNull
	KindList
	KindMap
	KindStringSet
	KindNumberSet
	KindBinarySet
)

var kindNames = [...]string{"", "S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"}

// String returns the type descriptor of the API, such as "SS".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return ""
}

// KindOf returns the kind with that type descriptor, or 0.
func KindOf(descriptor string) Kind {
	for k, name := range kindNames {
		if k > 0 && name == descriptor {
			return Kind(k)
		}
	}
	return 0
}

// Value is one attribute value: a [String], [Number], [Binary], [Bool], [Null], [List], [Map],
// [StringSet], [NumberSet] or [BinarySet].
type Value interface {
	Kind() Kind
	sealed()
}

type (
	// String is a string.
	String string
	// Number is an exact decimal.
	Number struct{ decimal.Decimal }
	// Binary is a binary value. It is a Go string because it is immutable.
	Binary string
	// Bool is true or false.
	Bool bool
	// Null is the null value.
	Null struct{}
	// List is an ordered list. It must not be changed.
	List []Value
)

// Kind implements [Value].
func (String) Kind() Kind { return KindString }

// Kind implements [Value].
func (Number) Kind() Kind { return KindNumber }

// Kind implements [Value].
func (Binary) Kind() Kind { return KindBinary }

// Kind implements [Value].
func (Bool) Kind() Kind { return KindBool }

// Kind implements [Value].
func (Null) Kind() Kind { return KindNull }

// Kind implements [Value].
func (List) Kind() Kind { return KindList }

// Kind implements [Value].
func (Map) Kind() Kind { return KindMap }

// Kind implements [Value].
func (StringSet) Kind() Kind { return KindStringSet }

// Kind implements [Value].
func (NumberSet) Kind() Kind { return KindNumberSet }

// Kind implements [Value].
func (BinarySet) Kind() Kind { return KindBinarySet }

func (String) sealed()    {}
func (Number) sealed()    {}
func (Binary) sealed()    {}
func (Bool) sealed()      {}
func (Null) sealed()      {}
func (List) sealed()      {}
func (Map) sealed()       {}
func (StringSet) sealed() {}
func (NumberSet) sealed() {}
func (BinarySet) sealed() {}
