package exec

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/op"
)

// itemReply is the body of a reply with items, and these items.
type itemReply struct {
	complete bool // false: the SDK's output has the items
	rows     core.Rows
	tables   map[string]core.Rows // of a batch read

	*core.Buffer
	out        any // the SDK's output, which determines where the items are
	start, end int // of the member of the body that has the items
}

// errUnusual is the error for a body that the SDK reads as a whole.
var errUnusual = errors.New("exec: unusual reply")

// split reads the items of the body, and returns the body without them. If it cannot read them, it
// returns the whole body.
func (r *itemReply) split() []byte {
	body := r.Body
	if _, err := itemjson.Object(body, 0, r.member); err != nil {
		*r = itemReply{}
		return body
	}
	r.complete, r.rows = true, r.Rows()
	if r.end == 0 {
		return body
	}
	empty := "[]"
	if body[r.start] == '{' {
		empty = "{}"
	}
	rest := make([]byte, 0, len(body)-(r.end-r.start)+len(empty))
	return append(append(append(rest, body[:r.start]...), empty...), body[r.end:]...)
}

// member reads a member of the body.
func (r *itemReply) member(name []byte, at int) (end int, err error) {
	switch r.out.(type) {
	case *dynamodb.GetItemOutput:
		if string(name) == "Item" {
			return r.value(at, r.Items.Add)
		}
	case *dynamodb.PutItemOutput, *dynamodb.UpdateItemOutput, *dynamodb.DeleteItemOutput:
		if string(name) == "Attributes" {
			return r.value(at, r.Items.Add)
		}
	case *dynamodb.TransactGetItemsOutput:
		if string(name) == "Responses" {
			return r.value(at, r.responses)
		}
	case *dynamodb.BatchGetItemOutput:
		if string(name) == "Responses" {
			return r.value(at, r.byTable)
		}
	default: // a query or a scan
		if string(name) == "Items" {
			return r.value(at, r.Items.Scan)
		}
	}
	return itemjson.Skip(r.Body, at)
}

// value reads the member that has the items.
func (r *itemReply) value(at int, read func(body []byte, at int) (end int, err error)) (end int, err error) {
	if r.end > 0 {
		return 0, errUnusual // a second one
	}
	r.start = at
	r.end, err = read(r.Body, at)
	return r.end, err
}

// responses reads the responses of a transaction: objects, which are empty if there is no item.
func (r *itemReply) responses(body []byte, at int) (end int, err error) {
	return itemjson.Array(body, at, func(at int) (int, error) {
		before := r.Items.Len()
		end, err := itemjson.Object(body, at, func(name []byte, at int) (int, error) {
			if string(name) != "Item" || r.Items.Len() > before {
				return 0, errUnusual
			}
			return r.Items.Add(body, at)
		})
		if r.Items.Len() == before {
			r.Items.AddEmpty()
		}
		return end, err
	})
}

// byTable reads the lists of items of a batch read.
func (r *itemReply) byTable(body []byte, at int) (end int, err error) {
	r.tables = map[string]core.Rows{}
	return itemjson.Object(body, at, func(name []byte, at int) (int, error) {
		if _, known := r.tables[string(name)]; known {
			return 0, errUnusual
		}
		var list itemjson.Items
		end, err := list.Scan(body, at)
		r.tables[string(name)] = core.JSONRows(list)
		return end, err
	})
}

// complete returns the reply if it has the items, or nil if the SDK's output does.
func (r *Response) complete() *itemReply {
	if reader := r.attempts.reader; reader.complete() {
		return &reader.reply
	}
	return nil
}

// rowsOr returns the rows of the reply, or else those of the SDK's output.
func (r *Response) rowsOr(items []op.Item) core.Rows {
	if reply := r.complete(); reply != nil {
		return reply.rows
	}
	return core.NewRows(items)
}

// rowOr is rowsOr for one item or none.
func (r *Response) rowOr(item op.Item) core.Rows {
	if reply := r.complete(); reply != nil {
		return reply.rows
	}
	return core.OneRow(item)
}

// tablesOr is rowsOr for a batch read.
func (r *Response) tablesOr(items map[string][]op.Item) map[string]core.Rows {
	if reply := r.complete(); reply != nil {
		return reply.tables
	}
	tables := make(map[string]core.Rows, len(items))
	for table, list := range items {
		tables[table] = core.NewRows(list)
	}
	return tables
}
