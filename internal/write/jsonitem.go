package write

import (
	"bytes"
	"slices"
	"sync"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// scratch holds buffers for items whose length is not known yet.
var scratch = sync.Pool{New: func() any {
	buf := make([]byte, 0, 2048)
	return &buf
}}

// maxScratch is the greatest capacity of a buffer that is kept.
const maxScratch = 64 << 10

// jsonItem is newItem in JSON. It returns nil for an item that only newItem makes:
// one that is invalid or may exceed a limit, or one of a type for which appendItem is too simple.
func jsonItem(p *core.Plan, entity codec.Ptr, id op.Expected) (content *op.Content) {
	buf := scratch.Get().(*[]byte)
	item, key, ok := appendItem((*buf)[:0], p, entity, id)
	if ok && within(item) {
		content = op.JSONContent(bytes.Clone(item), key)
	}
	if *buf = item; cap(item) <= maxScratch {
		scratch.Put(buf)
	}
	return content
}

// within reports whether an item in JSON is certainly within the limits: its JSON is longer than
// the size that DynamoDB counts, and each list or map in it adds one level at most.
func within(json []byte) bool {
	atMost := func(list, m string) bool {
		return 1+bytes.Count(json, []byte(list))+bytes.Count(json, []byte(m)) <= codec.MaxNesting
	}
	return len(json) <= MaxItem && (atMost("[", "M") || atMost(`"L":[`, `"M":{`)) // bytes are counted faster
}

// appendItem appends the item, the table's key first, up to the offset key. ok is false if newItem
// must make it. It appends each member once: a type has no field with the attribute of a template.
func appendItem(dst []byte, p *core.Plan, entity codec.Ptr, id op.Expected) (_ []byte, key int, ok bool) {
	if dst, ok = appendTableKey(append(dst, '{'), p, entity); !ok {
		return dst, 0, false
	}
	key = len(dst)
	dst, err := p.Shape.AppendJSON(dst, entity, p.IsSystem)
	if err != nil {
		return dst, 0, false
	}
	var buffer [8]*core.KeyAttr
	written := buffer[:0]
	for _, x := range p.Indexes {
		if dst, written, ok = appendIndex(dst, written, p, x, entity); !ok {
			return dst, 0, false
		}
	}
	if p.Schema.TypeAttr != "" {
		dst = itemjson.AppendText(append(itemjson.AppendName(dst, p.Schema.TypeAttr), `{"S":`...), p.Name)
		dst = append(dst, '}')
	}
	if id.Value != nil {
		if dst, err = itemjson.AppendMember(dst, id.Attribute, id.Value); err != nil {
			return dst, 0, false
		}
	}
	var wrong errs.Problems
	if p.TTL != nil {
		av, err := p.TTL.Encode(entity)
		wrong.AddErr("", err)
		checkTTL(p, av, &wrong)
	}
	return append(dst, '}'), key, len(wrong) == 0
}

// appendTableKey appends the attributes of the table's key.
func appendTableKey(dst []byte, p *core.Plan, entity codec.Ptr) (_ []byte, ok bool) {
	for a := range p.Table.Attributes() {
		if a.Field != nil { // it is appended with the fields
			return dst, false
		}
		var buffer [4]keys.Value
		vals, ok := a.Values(p, entity, buffer[:0])
		if !ok {
			return dst, false
		}
		var err error
		if dst, err = codec.AppendKey(dst, a.Name, a.Template, vals); err != nil {
			return dst, false
		}
	}
	return dst, true
}

// appendIndex appends the rendered attributes of an index's key that are not written yet, if all
// members are present. It adds them to the written ones.
func appendIndex(dst []byte, written []*core.KeyAttr, p *core.Plan, x *core.IndexKey, entity codec.Ptr) (_ []byte, _ []*core.KeyAttr, ok bool) {
	if len(x.Key.Partition) > 1 || len(x.Key.Sort) > 1 { // the sizes of several attributes are added
		return dst, written, false
	}
	var buffer [8]keys.Value
	var wrong errs.Problems
	vals, on := indexMembers(p, x, entity, buffer[:0], &wrong)
	if len(wrong) > 0 {
		return dst, written, false
	}
	for a := range x.Key.Attributes() {
		own := vals[:len(a.Members)]
		vals = vals[len(a.Members):]
		switch {
		case a.Field != nil && !a.Table:
			if validate(p, a.Field, own[0]) != nil {
				return dst, written, false
			}
		case on && a.Rendered() && !slices.Contains(written, a):
			var err error
			if dst, err = codec.AppendKey(dst, a.Name, a.Template, own); err != nil {
				return dst, written, false
			}
			written = append(written, a)
		}
	}
	return dst, written, true
}
