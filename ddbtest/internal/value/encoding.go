package value

import "encoding/binary"

// Encoding is an unambiguous encoding of a sequence of values: every text is preceded by its length
// and every collection by its number of elements. Equal values have equal encodings, whatever the
// order of their members and the spelling of their numbers was.
type Encoding []byte

// Int appends an integer.
func (e *Encoding) Int(n int64) { *e = binary.AppendVarint(*e, n) }

// Count appends the number of elements that follow.
func (e *Encoding) Count(n int) { e.Int(int64(n)) }

// Flag appends a bool.
func (e *Encoding) Flag(b bool) {
	if b {
		e.Count(1)
	} else {
		e.Count(0)
	}
}

// Text appends a string.
func (e *Encoding) Text(s string) {
	e.Count(len(s))
	*e = append(*e, s...)
}

// Texts appends a list of strings.
func (e *Encoding) Texts(list []string) {
	e.Count(len(list))
	for _, s := range list {
		e.Text(s)
	}
}

// Value appends an attribute value, which must not be nil.
func (e *Encoding) Value(v Value) {
	*e = append(*e, byte(v.Kind()))
	switch v := v.(type) {
	case String:
		e.Text(string(v))
	case Number:
		e.Text(v.String())
	case Binary:
		e.Text(string(v))
	case Bool:
		e.Flag(bool(v))
	case Null:
	case List:
		e.Count(len(v))
		for _, element := range v {
			e.Value(element)
		}
	case Map:
		e.Count(len(v))
		for _, a := range v {
			e.Text(a.Name)
			e.Value(a.Value)
		}
	case StringSet:
		e.Texts(v)
	case NumberSet:
		e.Count(len(v))
		for _, member := range v {
			e.Text(member.String())
		}
	case BinarySet:
		e.Texts(v)
	}
}
