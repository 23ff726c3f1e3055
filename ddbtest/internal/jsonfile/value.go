package jsonfile

import (
	"fmt"
	"strings"
)

// Kind is the kind of a value.
type Kind string

// The kinds of values.
const (
	Object Kind = "an object"
	Array  Kind = "an array"
	Text   Kind = "a string"
	Number Kind = "a number"
	Bool   Kind = "a boolean"
	Null   Kind = "null"
)

// Value is a JSON value with its position.
type Value struct {
	Kind Kind
	Line int
	Name string // of a member of an object
	Text string // of a string or a number; "true" or "false"
	List []*Value

	parent *Value
	index  int // in an array
}

// Get returns the member of an object with that name, or nil. V may be nil.
func (v *Value) Get(name string) *Value {
	if v == nil || v.Kind != Object {
		return nil
	}
	for _, m := range v.List {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// Has reports whether the value is an object with a member of that name.
func (v *Value) Has(name string) bool { return v.Get(name) != nil }

// Replace gives the value the content of a value within it. Its name stays.
func (v *Value) Replace(by *Value) {
	v.Kind, v.Line, v.Text, v.List = by.Kind, by.Line, by.Text, by.List
}

// Elements returns the elements of an array, or nil. V may be nil.
func (v *Value) Elements() []*Value {
	if v == nil || v.Kind != Array {
		return nil
	}
	return v.List
}

// Path returns the path of the value in its file, such as "Items[2].pk". It is "" for a value that
// is in no other.
func (v *Value) Path() string {
	var parts []string
	for ; v.parent != nil; v = v.parent {
		if v.parent.Kind == Array {
			parts = append(parts, fmt.Sprintf("[%d]", v.index))
		} else {
			parts = append(parts, "."+v.Name)
		}
	}
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteString(parts[i])
	}
	return strings.TrimPrefix(b.String(), ".")
}
