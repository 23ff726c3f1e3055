package attr

import "reflect"

const (
	maxDepth = 8 // pointers on the path to a field
	// maxRepeats is how often one type may occur in the path. Types may be recursive.
	maxRepeats = 2
	maxValues  = 4096 // total number of values behind pointers
)

// allocate sets every exported pointer below v to a new zero value, breadth first. A function can
// then take the address of a field behind a pointer.
func allocate(v reflect.Value) {
	todo := []place{{v: v}}
	for made := 0; len(todo) > 0 && made < maxValues; todo = todo[1:] {
		for _, p := range todo[0].pointers(nil) {
			made++
			p.v.Set(reflect.New(p.v.Type().Elem()))
			todo = append(todo, place{v: p.v.Elem(), way: p.way})
		}
	}
}

// place is a value with the types of the pointers on the path to it.
type place struct {
	v   reflect.Value
	way []reflect.Type
}

// pointers appends the pointers in the place's own memory that allocate must set.
func (p place) pointers(list []place) []place {
	switch p.v.Kind() {
	case reflect.Pointer:
		t := p.v.Type().Elem()
		if p.v.CanSet() && p.v.IsNil() && len(p.way) < maxDepth && repeats(p.way, t) < maxRepeats {
			list = append(list, place{p.v, append(p.way[:len(p.way):len(p.way)], t)})
		}
	case reflect.Struct:
		for i := range p.v.NumField() {
			list = place{p.v.Field(i), p.way}.pointers(list)
		}
	}
	return list
}

func repeats(way []reflect.Type, t reflect.Type) int {
	n := 0
	for _, w := range way {
		if w == t {
			n++
		}
	}
	return n
}
