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
	scan       sync.Once
	scanned    itemjson.Item
	row        core.Row
}

// NewContent returns the content of an attribute map, which must not change afterwards. It returns
// nil for nil.
func NewContent(item Item) *Content {
	if item == nil {
		return nil
	}
	return &Content{attributes: item}
}

// JSONContent returns the content of an item in JSON that package itemjson can scan. The bytes must
// not change afterwards.
func JSONContent(json []byte) *Content { return &Content{json: json} }

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
	case c.json == nil:
		return c.attributes
	default:
		return c.Row().Item()
	}
}

// Row returns the item as a row. Its attributes are found without converting the item.
func (c *Content) Row() core.Row {
	switch {
	case c == nil:
		return core.Row{}
	case c.json == nil:
		return core.NewRow(c.attributes)
	default:
		c.scan.Do(c.scanJSON)
		return c.row
	}
}

func (c *Content) scanJSON() {
	var items itemjson.Items
	if _, err := items.Add(c.json, 0); err == nil {
		c.scanned, c.row = items.At(0), core.JSONRows(items).First()
	}
}

// Size returns the number of bytes that DynamoDB counts for the item.
func (c *Content) Size() int {
	if c.JSON() == nil {
		return codec.ItemSize(c.Map())
	}
	c.scan.Do(c.scanJSON)
	return codec.ItemSizeJSON(c.scanned)
}

// inInput returns the item for an input of the SDK. JSON is represented by an empty map, and takes
// its place later.
func (c *Content) inInput() Item {
	if c.JSON() != nil {
		return Item{}
	}
	return c.Map()
}
