package expression_test

import (
	"maps"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// thawed is a value that can be changed in place: a map, a list, or any other value.
type thawed struct {
	inside   map[string]*thawed // of a map
	elements []*thawed          // of a list; nil is a removed element
	beyond   map[int]*thawed    // set beyond the end of a list
	value    value.Value        // of any other value
}

func thaw(v value.Value) *thawed {
	switch v := v.(type) {
	case value.Map:
		t := &thawed{inside: map[string]*thawed{}}
		for _, a := range v {
			t.inside[a.Name] = thaw(a.Value)
		}
		return t
	case value.List:
		t := &thawed{elements: []*thawed{}, beyond: map[int]*thawed{}}
		for _, element := range v {
			t.elements = append(t.elements, thaw(element))
		}
		return t
	}
	return &thawed{value: v}
}

// freeze returns the value. Elements set beyond the end of a list are appended in order.
func (t *thawed) freeze() value.Value {
	switch {
	case t.inside != nil:
		var attributes []value.Attribute
		for name, v := range t.inside {
			attributes = append(attributes, value.Attribute{Name: name, Value: v.freeze()})
		}
		return value.MapOf(attributes...)
	case t.elements != nil:
		l := value.List{}
		for _, element := range t.elements {
			if element != nil {
				l = append(l, element.freeze())
			}
		}
		for _, i := range slices.Sorted(maps.Keys(t.beyond)) {
			l = append(l, t.beyond[i].freeze())
		}
		return l
	}
	return t.value
}

// put sets a value at the path, or removes it. It returns false if the path does not exist.
func (t *thawed) put(w way, v value.Value, naive naivety) bool {
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

func (t *thawed) child(s any) *thawed {
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

func (t *thawed) putName(name string, v value.Value) bool {
	switch {
	case t.inside == nil:
		return false
	case v == nil:
		delete(t.inside, name)
	default:
		t.inside[name] = thaw(v)
	}
	return true
}

func (t *thawed) putIndex(i int, v value.Value, naive naivety) bool {
	switch {
	case t.elements == nil:
		return false
	case i < len(t.elements) && v == nil:
		t.elements[i] = nil
	case i < len(t.elements):
		t.elements[i] = thaw(v)
	case v != nil && !naive.gaps:
		t.beyond[i] = thaw(v)
	}
	return true
}
