package codec

import (
	"cmp"
	"reflect"
	"slices"
)

// Fault is one error in the definition of a struct type.
type Fault struct {
	Field  string // Go path, such as "Work.City"; empty for the type itself
	Tag    string // the dynamodbav tag's text
	Reason string
	Hint   string // the correction; may be empty
}

// placedFault is a fault and the index of the field that has it, directly or in a nested type.
type placedFault struct {
	index []int
	Fault
}

// ownMethods reports a fault for an entity type that marshals itself.
func ownMethods(t reflect.Type) []Fault {
	p := reflect.PointerTo(t)
	if !p.Implements(marshalerType) && !p.Implements(unmarshalerType) {
		return nil
	}
	return []Fault{{
		Reason: "the type marshals itself into an attribute value, so that its fields would not be asked",
		Hint:   "drop the method, or name the embedded field that it is promoted from",
	}}
}

// allFaults returns the faults of s and of its nested structs in source order. It checks each
// struct type once.
func (s *Struct) allFaults() []Fault { return s.gather("", map[reflect.Type]bool{s.Type: true}) }

func (s *Struct) gather(path string, seen map[reflect.Type]bool) []Fault {
	all := slices.Clone(s.faults)
	for _, f := range s.fields {
		for _, fault := range f.check() {
			all = append(all, placedFault{f.Index, fault})
		}
		nested := f.Node.Nested()
		if nested == nil || seen[nested.Type] {
			continue
		}
		seen[nested.Type] = true
		for _, fault := range nested.gather(f.GoName+".", seen) {
			all = append(all, placedFault{f.Index, fault})
		}
	}
	slices.SortStableFunc(all, func(a, b placedFault) int { return slices.CompareFunc(a.index, b.index, cmp.Compare) })
	faults := make([]Fault, len(all))
	for i, f := range all {
		faults[i] = f.Fault
		faults[i].Field = path + f.Field
	}
	return faults
}

// Nested returns the struct whose fields are stored for the node: its own, or that of the type it
// points to or has as elements. It returns nil if there is none.
func (n *Node) Nested() *Struct {
	for range maxDepth {
		switch {
		case n.Enc != 0:
			return nil
		case n.Kind == KindStruct:
			return n.Struct
		case n.Elem == nil:
			return nil
		}
		n = n.Elem
	}
	return nil
}

// check reports the options that have no effect on the field's type, and map keys that cannot be
// encoded.
func (f *Field) check() []Fault {
	var faults []Fault
	add := func(bad bool, reason, hint string) {
		if bad {
			faults = append(faults, Fault{Field: f.GoName, Tag: f.tag.Get(TagKey), Reason: reason, Hint: cmp.Or(hint, "drop the option")})
		}
	}
	if f.Node.unkeyed() {
		add(true, "the type of the map's keys cannot be written", "use strings, numbers, bools, or types with MarshalText and UnmarshalText")
	}
	if f.Options == *plain {
		return faults
	}
	base := f.Node.base()
	f.checkEmpty(base, add)
	f.checkSets(base, add)
	number := base.Kind == KindInt || base.Kind == KindUint || base.Kind == KindFloat || base.Kind == KindNumber
	add(f.AsString && !number && base.Kind != KindAny, "string has no effect on a value that is no number", "")
	add(f.UnixTime && base.Kind != KindTime && base.Kind != KindAny, "unixtime has no effect on a value that is no time", "")
	return faults
}

func (f *Field) checkEmpty(base *Node, add func(bool, string, string)) {
	switch {
	case f.Node.Kind == KindTime:
		add(f.NullEmpty, "nullempty has no effect on a time", "use a pointer, or omitempty")
	case !f.Node.canBeEmpty():
		add(f.OmitEmpty, "omitempty has no effect: a value of this type is never empty", "use a pointer")
		add(f.NullEmpty, "nullempty has no effect: a value of this type is never empty", "use a pointer")
	}
	add(f.OmitEmpty && f.NullEmpty, "omitempty and nullempty exclude each other", "keep one of them")
	add(f.OmitEmptyElem && f.NullEmptyElem, "omitemptyelem and nullemptyelem exclude each other", "keep one of them")

	twice := f.Node.Kind == KindPtr && f.Node.Elem.Kind == KindPtr
	elems := base.Kind == KindList || base.Kind == KindArray || base.Kind == KindMap || base.Kind == KindAny
	add(f.OmitEmptyElem && !elems && !twice, "omitemptyelem has no effect on a value without elements", "")
	add(f.NullEmptyElem && !elems, "nullemptyelem has no effect on a value without elements", "")
	if elems && base.Elem != nil {
		add(f.OmitEmptyElem && !twice && !base.Elem.canBeOmitted(), "omitemptyelem has no effect: elements of this type are never empty", "use pointers")
		add(f.NullEmptyElem && !base.Elem.canBeEmpty(), "nullemptyelem has no effect: elements of this type are never empty", "use pointers")
	}
}

// canBeEmpty reports whether omitempty can omit a value of the type. It does not cover times.
func (n *Node) canBeEmpty() bool {
	switch n.Kind {
	case KindStruct, KindTime:
		return false
	case KindArray, KindByteArray:
		return n.Len == 0
	case KindNone:
		return n.Type.Kind() == reflect.Uintptr
	default:
		return true
	}
}

// canBeOmitted is canBeEmpty for elements under omitemptyelem, which also applies to the elements
// of arrays and to zero times.
func (n *Node) canBeOmitted() bool {
	if n.Kind == KindArray && n.Len > 0 {
		return n.Elem.canBeOmitted()
	}
	return n.Kind == KindTime || n.canBeEmpty()
}

func (f *Field) checkSets(base *Node, add func(bool, string, string)) {
	asked := 0
	for _, set := range []struct {
		on   bool
		name string
		elem Wire
	}{{f.BinarySet, "binaryset", WireB}, {f.NumberSet, "numberset", WireN}, {f.StringSet, "stringset", WireS}} {
		if !set.on {
			continue
		}
		asked++
		switch {
		case base.Kind == KindAny:
		case base.Kind != KindList && base.Kind != KindArray:
			add(true, set.name+" has no effect on a value that is no list", "")
		case base.binarySets && set.elem != WireB:
			add(true, set.name+" has no effect on [][]byte, which is a binary set", "")
		case base.Elem.Wire()&set.elem == 0:
			add(true, set.name+" cannot hold the elements, which are written as "+base.Elem.Wire().String(), "")
		}
	}
	add(asked > 1, "a list is one kind of set only", "keep one of binaryset, numberset, stringset")
}

// base returns the node at the end of a chain of pointer nodes.
func (n *Node) base() *Node {
	for n.Kind == KindPtr {
		n = n.Elem
	}
	return n
}

// unkeyed reports whether n is or contains a map whose keys cannot be encoded.
func (n *Node) unkeyed() bool {
	for range maxDepth {
		switch {
		case n.Enc != 0 || n.Elem == nil:
			return false
		case n.Kind == KindMap && !n.Key.valid:
			return true
		}
		n = n.Elem
	}
	return false
}
