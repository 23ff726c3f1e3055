package core

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/keys"
)

// TableKeys renders the table's keys of entities of a type. The texts of many keys share memory. It
// is not safe for concurrent use.
type TableKeys struct {
	plan   *Plan
	left   int // the number of keys that are still to be rendered
	buffer []byte
	texts  strings.Builder
	values []types.AttributeValueMemberS
}

// NewTableKeys returns a TableKeys that renders about n keys.
func NewTableKeys(p *Plan, n int) *TableKeys { return &TableKeys{plan: p, left: max(n, 1)} }

// Render returns the key of an entity. It returns false if a member of the key is absent or cannot
// be a part of it; package write makes the error.
func (k *TableKeys) Render(entity codec.Ptr) (key map[string]types.AttributeValue, ok bool) {
	key = make(map[string]types.AttributeValue, 2)
	for a := range k.plan.Table.Attributes() {
		var buffer [4]keys.Value
		vals, ok := a.Values(k.plan, entity, buffer[:0])
		if !ok {
			return nil, false
		}
		var err error
		if k.buffer, err = a.Template.Append(k.buffer[:0], vals); err != nil {
			return nil, false
		}
		if a.Type != keys.S {
			key[a.Name] = KeyValue(a.Type, string(k.buffer))
			continue
		}
		key[a.Name] = k.text()
	}
	k.left--
	return key, true
}

// text returns the text in the buffer as an attribute value.
func (k *TableKeys) text() types.AttributeValue {
	if len(k.values) == 0 {
		k.values = make([]types.AttributeValueMemberS, 2*max(k.left, 1))
	}
	if k.texts.Cap()-k.texts.Len() < len(k.buffer) {
		const most = 4096 // a text keeps the others in memory
		k.texts.Reset()
		k.texts.Grow(max(len(k.buffer), min(2*len(k.buffer)*max(k.left, 1), most)))
	}
	start := k.texts.Len()
	k.texts.Write(k.buffer)
	v := &k.values[0]
	v.Value, k.values = k.texts.String()[start:], k.values[1:]
	return v
}
