package op

import (
	"sync"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/itemjson"
)

// Content is the item that a put stores. It has an attribute map or JSON, and does not change. A
// nil Content is no item. It can be used concurrently.
type Content struct {
	attributes Item
	json       []byte // nil: the item is a map
	key        int    // the offset in json after the members of the table's key; 0: unknown
	scanKey    sync.Once
	keyRow     core.Row
}

// none is the item of inputs whose JSON is set later. It stays empty.
var none = Item{}

// NewContent returns the content of an attribute map, which must not change afterwards. It returns
// nil for nil.
func NewContent(item Item) *Content {
	if item == nil {
		return nil
	}
	return &Content{attributes: item}
}

// JSONContent returns the content of an item in JSON that package itemjson can scan. Its first
// members, up to the offset key, are the table's key; an offset of 0 says nothing. The bytes must
// not change afterwards.
func JSONContent(json []byte, key int) *Content { return &Content{json: json, key: key} }

// JSON returns the JSON of the item, or nil if it has an attribute map. The caller must not change
// it.
func (c *Content) JSON() []byte {
	if c == nil {
		return nil
	}
	return c.json
}

// Map returns the item as an attribute map, which the caller must not change. It may be a new map
// for each call.
func (c *Content) Map() Item {
	switch {
	case c == nil:
		return nil
	case c.json != nil:
		return c.Row().Item()
	default:
		return c.attributes
	}
}

// Row returns the item as a row. Its attributes are found without converting the item.
func (c *Content) Row() core.Row {
	if json := c.JSON(); json != nil {
		return core.JSONRows(scan(json)).First()
	}
	return core.NewRow(c.Map())
}

// KeyRow returns a row that has at least the table's key of the item.
func (c *Content) KeyRow() core.Row {
	if c == nil || c.key == 0 {
		return c.Row()
	}
	c.scanKey.Do(func() { c.keyRow = core.JSONRows(scan(append(c.json[:c.key:c.key], '}'))).First() })
	return c.keyRow
}

// scan scans a valid item.
func scan(json []byte) (items itemjson.Items) {
	if _, err := items.Add(json, 0); err != nil {
		return itemjson.Items{}
	}
	return items
}

// Size returns the number of bytes that DynamoDB counts for the item.
func (c *Content) Size() int {
	json := c.JSON()
	if json == nil {
		return codec.ItemSize(c.Map())
	}
	size := 0
	for items, i := scan(json), 0; i < items.Len(); i++ {
		size += codec.ItemSizeJSON(items.At(i))
	}
	return size
}

// MaxSize returns a number of bytes that is not less than Size, and costs less.
func (c *Content) MaxSize() int {
	if json := c.JSON(); json != nil {
		return len(json) // each attribute is longer in JSON
	}
	return c.Size()
}

// inInput returns the item for an input of the SDK. It is an empty item if the content is JSON,
// which takes its place later.
func (c *Content) inInput() Item {
	if c.JSON() != nil {
		return none
	}
	return c.Map()
}
