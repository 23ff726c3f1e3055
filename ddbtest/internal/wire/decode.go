package wire

import (
	"reflect"
	"slices"
	"sync"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Decode decodes a request into a pointer to a struct of package api. The error is an
// [*awserr.Error] with the service's message; the struct must not be used then. Unknown members are
// skipped. A null member is an absent member.
func Decode(body []byte, into any) error {
	target := reflect.ValueOf(into).Elem()
	return decode(body, shapeOf(target.Type()), target)
}

// Decode is [Decode] into a pointer to a struct of that type.
func (t *Type) Decode(body []byte, into any) error {
	return decode(body, t.get(), reflect.ValueOf(into).Elem())
}

func decode(body []byte, s *shape, into reflect.Value) error {
	d := decoders.Get().(*decoder)
	d.text, d.at = body, 0
	err := d.request(s, into)
	if err == nil {
		err = d.err()
	}
	d.release()
	return err
}

// decoder is the state of decoding one request.
type decoder struct {
	cursor
	requestErrors
	attributes []value.Attribute // of the maps being read, the innermost last
	values     []value.Value     // of the lists being read, the innermost last
	binary     []byte            // the last decoded base64
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// maxKept limits the bytes and values that a decoder retains for the next request.
const maxKept = 1 << 16

func (d *decoder) release() {
	if max(cap(d.unescaped), cap(d.binary), cap(d.attributes), cap(d.values)) > maxKept {
		return
	}
	d.text = nil
	d.requestErrors = requestErrors{path: d.path[:0]}
	d.attributes, d.values = d.attributes[:0], d.values[:0]
	decoders.Put(d)
}

func (d *decoder) request(s *shape, v reflect.Value) error {
	if d.token() != tokenObject {
		return errMalformed()
	}
	if err := d.structure(s, v); err != nil {
		return err
	}
	d.space()
	if d.at < len(d.text) {
		return errMalformed()
	}
	return nil
}

// value reads the value at the cursor, which is not null. element reports whether it is in a list
// or a map.
func (d *decoder) value(s *shape, v reflect.Value, element bool) error {
	switch s.kind {
	case kindPointer:
		v.Set(reflect.New(s.elem.typ))
		return d.value(s.elem, v.Elem(), element)
	case kindText:
		return d.textValue(s, v)
	case kindBool:
		return d.boolValue(s, v)
	case kindInteger:
		return d.integerValue(s, v)
	case kindFloat:
		return d.floatValue(s, v)
	case kindAttribute:
		if d.token() != tokenObject {
			return d.notCollection(s.class, element)
		}
		content, err := d.attribute(1)
		*v.Addr().Interface().(*value.Value) = content
		return err
	case kindList:
		if d.token() != tokenArray {
			return d.notCollection(s.class, element)
		}
		return d.list(s, v)
	}
	if d.token() != tokenObject {
		return d.notCollection(s.class, element)
	}
	switch s.kind {
	case kindItem:
		item, err := d.attributeMap(1)
		*v.Addr().Interface().(*value.Map) = item
		return err
	case kindAttribute:
		content, err := d.attribute(1)
		*v.Addr().Interface().(*value.Value) = content
		return err
	case kindPlaceholders:
		return d.placeholders(v.Addr().Interface().(*map[string]value.Value))
	case kindNames:
		return d.names(v.Addr().Interface().(*map[string]string))
	case kindMap:
		return d.mapping(s, v)
	}
	return d.structure(s, v)
}

// structure reads an object into a struct, and checks the constraints of its members.
func (d *decoder) structure(s *shape, v reflect.Value) error {
	var present uint64
	err := d.object(func(name []byte) error {
		place, known := s.find(name)
		if !known {
			return d.skip()
		}
		if null, err := d.null(); null || err != nil {
			return err
		}
		f := &s.fields[place]
		if s.unsupported&(1<<place) != 0 {
			return d.unsupportedMember(f.in(v).Addr().Interface().(*[]string), string(name))
		}
		if present&(1<<place) != 0 {
			return errDuplicate(f.name)
		}
		present |= 1 << place
		d.enter(step{place: place, member: f})
		err := d.value(f.shape, f.in(v), false)
		d.leave()
		return err
	})
	if err == nil {
		d.checkMembers(s, v, present)
	}
	return err
}

// unsupportedMember records the name of a member and skips its value.
func (d *decoder) unsupportedMember(into *[]string, name string) error {
	if slices.Contains(*into, name) {
		return errDuplicate(name)
	}
	*into = append(*into, name)
	return d.skip()
}

// list reads an array into a slice.
func (d *decoder) list(s *shape, v reflect.Value) error {
	v.Set(reflect.MakeSlice(s.typ, 0, 0))
	return d.array(func(n int) error {
		v.Set(reflect.Append(v, reflect.Zero(s.elem.typ)))
		return d.element(s.elem, v.Index(n), step{place: n})
	})
}

// mapping reads an object into a map.
func (d *decoder) mapping(s *shape, v reflect.Value) error {
	v.Set(reflect.MakeMap(s.typ))
	return d.object(func(name []byte) error {
		key := string(name)
		if v.MapIndex(reflect.ValueOf(key)).IsValid() {
			return errDuplicate(key)
		}
		elem := reflect.New(s.elem.typ).Elem()
		if err := d.element(s.elem, elem, step{place: v.Len(), entry: true, key: key}); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(key), elem)
		return nil
	})
}

// element reads an element of a list or of a map. It must not be null.
func (d *decoder) element(s *shape, v reflect.Value, at step) error {
	d.enter(at)
	defer d.leave()
	null, err := d.null()
	switch {
	case err != nil:
		return err
	case null:
		d.addViolation(reflect.Value{}, notNull)
		return nil
	}
	return d.value(s, v, true)
}
