package attr

import "reflect"

const (
	maxDepth = 8 // pointers on the path to a field
	// maxRepeats is how often one type may occur in the path. Types may be recursive.
	maxOccurrences = 2
	maxValues      = 4096 // total number of values behind pointers
)

// allocate sets every exported pointer below v to a new zero value, breadth first. A function can
// then take the address of a field behind a pointer.
func allocate(v reflect.Value) {
	queue := []pointerTarget{{v: v}}
	for made := 0; len(queue) > 0 && made < maxValues; queue = queue[1:] {
		for _, p := range queue[0].unset(nil) {
			made++
			p.v.Set(reflect.New(p.v.Type().Elem()))
			queue = append(queue, pointerTarget{v: p.v.Elem(), pointers: p.pointers})
		}
	}
}

// pointerTarget is a value with the types of the pointers on the path to it.
type pointerTarget struct {
	v        reflect.Value
	pointers []reflect.Type
}

// unset appends the pointers in the place's own memory that allocate must set.
func (p pointerTarget) unset(list []pointerTarget) []pointerTarget {
	switch p.v.Kind() {
	case reflect.Pointer:
		t := p.v.Type().Elem()
		if p.v.CanSet() && p.v.IsNil() && len(p.pointers) < maxDepth && occurrences(p.pointers, t) < maxOccurrences {
			list = append(list, pointerTarget{p.v, append(p.pointers[:len(p.pointers):len(p.pointers)], t)})
		}
	case reflect.Struct:
		for i := range p.v.NumField() {
			list = pointerTarget{p.v.Field(i), p.pointers}.unset(list)
		}
	}
	return list
}

func occurrences(pointers []reflect.Type, t reflect.Type) (n int) {
	for _, p := range pointers {
		if p == t {
			n++
		}
	}
	return n
}
