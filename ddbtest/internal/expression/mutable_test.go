package expression_test

import (
	"maps"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// mutableValue is a value that can be changed in place: a map, a list, or any other value.
type mutableValue struct {
	inside   map[string]*mutableValue // of a map
	elements []*mutableValue          // of a list; nil is a removed element
	beyond   map[int]*mutableValue    // set beyond the end of a list
	value    value.Value              // of any other value
}

func toMutable(v value.Value) *mutableValue {
	switch v := v.(type) {
	case value.Map:
		t := &mutableValue{inside: map[string]*mutableValue{}}
		for _, a := range v {
			t.inside[a.Name] = toMutable(a.Value)
		}
		return t
	case value.List:
		t := &mutableValue{elements: []*mutableValue{}, beyond: map[int]*mutableValue{}}
		for _, element := range v {
			t.elements = append(t.elements, toMutable(element))
		}
		return t
	}
	return &mutableValue{value: v}
}

// toValue returns the value. Elements set beyond the end of a list are appended in order.
func (t *mutableValue) toValue() value.Value {
	switch {
	case t.inside != nil:
		var attributes []value.Attribute
		for name, v := range t.inside {
			attributes = append(attributes, value.Attribute{Name: name, Value: v.toValue()})
		}
		return value.MapOf(attributes...)
	case t.elements != nil:
		l := value.List{}
		for _, element := range t.elements {
			if element != nil {
				l = append(l, element.toValue())
			}
		}
		for _, i := range slices.Sorted(maps.Keys(t.beyond)) {
			l = append(l, t.beyond[i].toValue())
		}
		return l
	}
	return t.value
}

// put sets a value at the path, or removes it. It returns false if the path does not exist.
func (t *mutableValue) put(w randomPath, v value.Value, naive updateMutant) bool {
	for _, s := range w[:len(w)-1] {
		if t = t.child(s); t == nil {
			return false
		}
	}
	switch s := w[len(w)-1].(type) {
	case string:
		return t.putName(s, v)
	case int:
		return t.putIndex(s, v, naive)
	}
	return false
}

func (t *mutableValue) child(s any) *mutableValue {
	switch s := s.(type) {
	case string:
		return t.inside[s]
	case int:
		if s < len(t.elements) {
			return t.elements[s]
		}
	}
	return nil
}

func (t *mutableValue) putName(name string, v value.Value) bool {
	switch {
	case t.inside == nil:
		return false
	case v == nil:
		delete(t.inside, name)
	default:
		t.inside[name] = toMutable(v)
	}
	return true
}

func (t *mutableValue) putIndex(i int, v value.Value, naive updateMutant) bool {
	switch {
	case t.elements == nil:
		return false
	case i < len(t.elements) && v == nil:
		t.elements[i] = nil
	case i < len(t.elements):
		t.elements[i] = toMutable(v)
	case v != nil && !naive.gaps:
		t.beyond[i] = toMutable(v)
	}
	return true
}
