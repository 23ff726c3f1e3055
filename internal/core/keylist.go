package core

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/keys"
)

// KeyList renders the table's keys of entities of a type as a list in JSON, without attribute maps.
type KeyList struct {
	plan  *Plan
	body  []byte
	spans []span
}

// span is the part of a body from one offset to another.
type span struct{ start, end int }

// NewKeyList returns a list for about n keys.
func NewKeyList(p *Plan, n int) *KeyList {
	const estimate = 96 // of the bytes of a key
	return &KeyList{plan: p, body: append(make([]byte, 0, estimate*n), '['), spans: make([]span, 0, n)}
}

// Add adds the key of an entity. It returns false if a member of the key is absent or cannot be a
// part of it; package write makes the error.
func (l *KeyList) Add(entity codec.Ptr) bool {
	dst := l.body
	if len(l.spans) > 0 {
		dst = append(dst, ',')
	}
	start := len(dst)
	dst = append(dst, '{')
	for a := range l.plan.Table.Attributes() {
		var buffer [4]keys.Value
		vals, ok := a.Values(l.plan, entity, buffer[:0])
		if !ok {
			return false
		}
		var err error
		if dst, err = codec.AppendKey(dst, a.Name, a.Template, vals); err != nil {
			return false
		}
	}
	l.body = append(dst, '}')
	l.spans = append(l.spans, span{start, len(l.body)})
	return true
}

// Rows returns the keys as rows. They must not be used concurrently, except for Item.
func (l *KeyList) Rows() Rows {
	var items itemjson.Items
	if _, err := items.Scan(append(l.body, ']'), 0); err != nil {
		return Rows{}
	}
	return JSONRows(items)
}

// JSON returns the key at an index.
func (l *KeyList) JSON(i int) []byte { return l.body[l.spans[i].start:l.spans[i].end] }
