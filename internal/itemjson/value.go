package itemjson

import "iter"

// Type is the type of an attribute value.
type Type uint8

// The types. The zero Type is that of a nil attribute value. Unknown is that of a value of a type
// that the SDK does not know: its text is the name of the type, and its bytes follow as a B. Items
// in JSON have neither of them.
const (
	S Type = 1 + iota
	N
	B
	BOOL
	NULL
	M
	L
	SS
	NS
	BS
	Unknown
)

// names holds the name of each type in JSON, and one for types that it does not have.
var names = [...]string{S: "S", N: "N", B: "B", BOOL: "BOOL", NULL: "NULL", M: "M", L: "L", SS: "SS", NS: "NS", BS: "BS", Unknown: "unknown"}

// String returns the name of the type in JSON.
func (t Type) String() string { return names[t] }

// elements holds the type of the elements of each set.
var elements = [...]Type{SS: S, NS: N, BS: B}

// Value is the record of one value: offsets in the body. The records of the values in a container
// follow its own. The elements of sets have the types S, N and B.
type Value struct {
	// Name and NameEnd delimit the name of a member, between its quotes. They are equal for
	// elements.
	Name, NameEnd uint32

	// Start and End delimit the value: the text between the quotes of an S, N or B; the literal of
	// a BOOL or NULL. They are 0 for containers.
	Start, End uint32

	Hash        uint32 // of the name of a member
	Span        uint32 // number of records of this value, including those in it
	Type        Type
	Escaped     bool // the text has escapes
	Raw         bool // the text of a B is its bytes, not base64
	NameEscaped bool // the name has escapes
}

// Item is a scanned item, or the members of an M. It is valid as long as the body is unchanged.
type Item struct {
	Body   []byte
	Values []Value
}

// Members returns the index of each member in Values.
func (it Item) Members() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < len(it.Values) && yield(i); i += int(it.Values[i].Span) {
		}
	}
}

// Find returns the index of the member of that name, or -1. Of several, it returns the last, which
// is the one in the map.
func (it Item) Find(name Name) int {
	found := -1
	for i := 0; i < len(it.Values); i += int(it.Values[i].Span) {
		if it.Values[i].Hash == name.Hash && it.Is(i, name.Text) {
			found = i
		}
	}
	return found
}

// Is reports whether the member at index i has that name.
func (it Item) Is(i int, name string) bool { return string(it.Name(i)) == name }

// Name returns the name of the member at index i. It is a part of the body, or a copy if the name
// has escapes.
func (it Item) Name(i int) []byte {
	v := &it.Values[i]
	name := it.Body[v.Name:v.NameEnd]
	if v.NameEscaped {
		name = unescape(name)
	}
	return name
}

// Text returns the text of the S, N or B at index i; of a B the base64, unless it is raw. It is a
// part of the body, or a copy if the text has escapes.
func (it Item) Text(i int) []byte {
	v := &it.Values[i]
	text := it.Body[v.Start:v.End]
	if v.Escaped {
		text = unescape(text)
	}
	return text
}

// True returns the value of the BOOL or NULL at index i.
func (it Item) True(i int) bool { return it.Body[it.Values[i].Start] == 't' }

// Within returns the members of the M at index i, or the elements of the list or set.
func (it Item) Within(i int) Item {
	return Item{Body: it.Body, Values: it.Values[i+1 : i+int(it.Values[i].Span)]}
}

// Levels returns the number of nesting levels of the value at index i: one, and one more for every
// list or map around the innermost value, even if that is an empty list or map.
func (it Item) Levels(i int) int {
	if t := it.Values[i].Type; t != L && t != M {
		return 1
	}
	deepest := 1
	within := it.Within(i)
	for k := range within.Members() {
		deepest = max(deepest, within.Levels(k))
	}
	return 1 + deepest
}
