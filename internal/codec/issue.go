package codec

import (
	"cmp"
	"reflect"
	"slices"
)

// Issue is one error in the definition of a struct type.
type Issue struct {
	Field  string // Go path, such as "Work.City"; empty for the type itself
	Tag    string // the dynamodbav tag's text
	Reason string
	Hint   string // the correction; may be empty

	index []int // of the field that has it, directly or in a nested type
	lost  bool  // the field or a part of it would not be stored
}

// allIssues returns the issues of s and of its nested structs in source order. It checks each
// struct type once. path is the Go path of s with a dot.
func (s *Struct) allIssues(path string, seen map[reflect.Type]bool) []Issue {
	all := slices.Clone(s.issues)
	for _, f := range s.fields {
		all = append(all, f.check()...)
		nested := f.Node.Nested()
		if nested == nil || seen[nested.Type] {
			continue
		}
		seen[nested.Type] = true
		for _, issue := range nested.allIssues(f.GoName+".", seen) {
			issue.index = f.Index
			all = append(all, issue)
		}
	}
	slices.SortStableFunc(all, func(a, b Issue) int { return slices.Compare(a.index, b.index) })
	for i := range all {
		all[i].Field = path + all[i].Field
	}
	return all
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

// check reports the fault of the field's type, and the options that have no effect on the type.
func (f *Field) check() []Issue {
	var issues []Issue
	add := func(bad bool, reason, hint string) {
		if bad {
			issues = append(issues, Issue{Field: f.GoName, Tag: f.Tag.Get(TagKey), Reason: reason, Hint: cmp.Or(hint, "drop the option"), index: f.Index})
		}
	}
	if fault := f.Node.fault(); fault.reason != "" {
		add(true, fault.reason, fault.hint)
		issues[0].lost = fault.lost
		return issues
	}
	if f.Options == plain {
		return nil
	}
	base := f.Node.Base()
	f.checkEmpty(base, add)
	f.checkSets(base, add)
	add(f.Has(AsString) && kindWires[base.Kind] != WireN && base.Kind != KindAny, "string has no effect on a value that is not a number", "")
	add(f.Has(UnixTime) && base.Kind != KindTime && base.Kind != KindAny, "unixtime has no effect on a value that is not a time", "")
	return issues
}

func (f *Field) checkEmpty(base *Node, add func(bool, string, string)) {
	switch {
	case f.Node.Kind == KindTime:
		add(f.Has(NullEmpty), "nullempty has no effect on a time", "use a pointer, or omitempty")
	case !f.Node.canBeEmpty():
		add(f.Has(OmitEmpty), "omitempty has no effect: a value of this type is never empty", "use a pointer")
		add(f.Has(NullEmpty), "nullempty has no effect: a value of this type is never empty", "use a pointer")
	}
	add(f.Has(OmitEmpty) && f.Has(NullEmpty), "omitempty and nullempty are both set", "keep one of them")
	add(f.Has(OmitEmptyElem) && f.Has(NullEmptyElem), "omitemptyelem and nullemptyelem are both set", "keep one of them")

	elems := base.Kind == KindList || base.Kind == KindArray || base.Kind == KindMap || base.Kind == KindAny
	add(f.Has(OmitEmptyElem) && !elems, "omitemptyelem has no effect on a value without elements", "")
	add(f.Has(NullEmptyElem) && !elems, "nullemptyelem has no effect on a value without elements", "")
	if elems && base.Elem != nil {
		add(f.Has(OmitEmptyElem) && !base.Elem.canBeOmitted(), "omitemptyelem has no effect: elements of this type are never empty", "use pointers")
		add(f.Has(NullEmptyElem) && !base.Elem.canBeEmpty(), "nullemptyelem has no effect: elements of this type are never empty", "use pointers")
	}
}

// canBeEmpty reports whether omitempty can omit a value of the type. It does not cover times.
func (n *Node) canBeEmpty() bool {
	switch n.Kind {
	case KindStruct:
		return n.hasIsZero
	case KindTime:
		return false
	case KindArray, KindByteArray:
		return n.Len == 0 || n.hasIsZero
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
	}{{f.Has(BinarySet), "binaryset", WireB}, {f.Has(NumberSet), "numberset", WireN}, {f.Has(StringSet), "stringset", WireS}} {
		if !set.on {
			continue
		}
		asked++
		switch {
		case base.Kind == KindAny:
		case base.Kind != KindList && base.Kind != KindArray:
			add(true, set.name+" has no effect on a value that is not a list", "")
		case base.binarySets && set.elem != WireB:
			add(true, set.name+" has no effect on [][]byte, which is a binary set", "")
		case base.Elem.Wire()&set.elem == 0:
			add(true, set.name+" cannot hold the elements, which are stored as "+base.Elem.Wire().String(), "")
		}
	}
	add(asked > 1, "a list can only be one kind of set", "keep one of binaryset, numberset, stringset")
}

// Base returns the node at the end of a chain of pointer nodes.
func (n *Node) Base() *Node {
	for n.Kind == KindPtr {
		n = n.Elem
	}
	return n
}
