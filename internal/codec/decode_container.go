package codec

import (
	"reflect"

	"github.com/trestledb/trestle/internal/itemjson"
)

// elements decodes the list or set at index i to a slice or an array. Elements beyond an array's
// length are dropped.
func (d *decoder) elements(n *Node, i int, p Ptr) error {
	if n.Elem == nil || n.Kind == KindMap {
		return d.wrongType(n, i)
	}
	first, length := i+1, d.count(i)
	switch {
	case n.texts: // the most common
		*as[[]string](p) = d.arena.list(length)
	case n.Kind == KindList || n.Kind == KindBytes:
		p.value(n.Type).Set(reflect.MakeSlice(n.Type, length, length))
	default:
		length = min(length, n.Len)
	}
	for k, i := 0, first; k < length; k, i = k+1, i+int(d.Values[i].Span) {
		if err := d.value(n.Elem, i, p.index(n, k), plain); err != nil {
			return prependPath(indexStep(k), err)
		}
	}
	return nil
}

// count returns the number of values in the container at index i.
func (d *decoder) count(i int) int {
	count, end := 0, i+int(d.Values[i].Span)
	for i++; i < end; i += int(d.Values[i].Span) {
		count++
	}
	return count
}

// object decodes the M at index i to a struct or a map.
func (d *decoder) object(n *Node, i int, p Ptr) error {
	switch {
	case n.Kind == KindStruct:
		return d.fields(n.Struct, i+1, i+int(d.Values[i].Span), p)
	case n.Kind == KindMap && n.texts && d.textMap(i, p):
		return nil
	case n.Kind == KindMap:
		return d.mapOf(n, i, p)
	default:
		return d.wrongType(n, i)
	}
}

// textMap decodes the M at index i to a map[string]string. It returns false if a value in it is not
// an S.
func (d *decoder) textMap(i int, p Ptr) bool {
	first, end := i+1, i+int(d.Values[i].Span)
	texts := make(map[string]string, min(end-first, 64))
	for k := first; k < end; k++ {
		if d.Values[k].Type != itemjson.S {
			return false
		}
		texts[d.arena.text(d.Name(k))] = d.arena.text(d.Text(k))
	}
	*as[map[string]string](p) = texts
	return true
}

// mapOf decodes the M at index i to a map of any type.
func (d *decoder) mapOf(n *Node, i int, p Ptr) error {
	into := reflect.MakeMapWithSize(n.Type, min(d.count(i), 64))
	key, elem := reflect.New(n.Type.Key()).Elem(), reflect.New(n.Elem.Type).Elem()
	at := PtrOf(elem)
	for k, end := i+1, i+int(d.Values[i].Span); k < end; k += int(d.Values[k].Span) {
		key.SetZero()
		if err := n.Key.decode(string(d.Name(k)), key); err != nil {
			return d.newError(n, i, "a name in the map is not a valid key of the type", err)
		}
		elem.SetZero()
		if err := d.value(n.Elem, k, at, plain); err != nil {
			if d.repeated(k, end) {
				continue
			}
			return prependPath("[*]", err)
		}
		into.SetMapIndex(key, elem)
	}
	p.value(n.Type).Set(into)
	return nil
}

// repeated reports whether a later member before index end has the name of the one at index k.
func (d *decoder) repeated(k, end int) bool {
	hash := d.Values[k].Hash
	for later := k + int(d.Values[k].Span); later < end; later += int(d.Values[later].Span) {
		if d.Values[later].Hash == hash && d.Is(later, string(d.Name(k))) {
			return true
		}
	}
	return false
}
