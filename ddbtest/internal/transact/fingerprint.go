package transact

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// fingerprint returns equal strings for requests with equal actions, whatever the order of their
// members and the spelling of their numbers.
func (w *writing) fingerprint() string {
	var e encoding
	for _, write := range w.writes {
		e.write(write)
	}
	sum := sha256.Sum256(e)
	return string(sum[:])
}

// encoding is an unambiguous encoding of values: every value is preceded by its length or its
// number of elements.
type encoding []byte

func (e *encoding) write(w item.Write) {
	*e = append(*e, byte(w.Kind))
	e.text(w.TableName)
	e.value(w.Item)
	e.optional(w.Update)
	e.optional(w.Condition)
	e.text(w.OnFailure)
	e.count(len(w.Names))
	for _, name := range slices.Sorted(maps.Keys(w.Names)) {
		e.text(name)
		e.text(w.Names[name])
	}
	e.count(len(w.Values))
	for _, name := range slices.Sorted(maps.Keys(w.Values)) {
		e.text(name)
		e.value(w.Values[name])
	}
}

func (e *encoding) count(n int) { *e = binary.AppendUvarint(*e, uint64(n)) }

func (e *encoding) text(s string) {
	e.count(len(s))
	*e = append(*e, s...)
}

func (e *encoding) texts(list []string) {
	e.count(len(list))
	for _, s := range list {
		e.text(s)
	}
}

func (e *encoding) optional(s *string) {
	if s == nil {
		e.count(0)
		return
	}
	e.count(1)
	e.text(*s)
}

func (e *encoding) value(v value.Value) {
	*e = append(*e, byte(v.Kind()))
	switch v := v.(type) {
	case value.String:
		e.text(string(v))
	case value.Number:
		e.text(v.String())
	case value.Binary:
		e.text(string(v))
	case value.Bool:
		if v {
			e.count(1)
		} else {
			e.count(0)
		}
	case value.Null:
	case value.List:
		e.count(len(v))
		for _, element := range v {
			e.value(element)
		}
	case value.Map:
		e.count(len(v))
		for _, a := range v {
			e.text(a.Name)
			e.value(a.Value)
		}
	case value.StringSet:
		e.texts(v)
	case value.NumberSet:
		e.count(len(v))
		for _, member := range v {
			e.text(member.String())
		}
	case value.BinarySet:
		e.texts(v)
	}
}
