package exec

import (
	"bytes"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/itemjson"
)

// itemReply is the body of a reply to a read, and its items.
type itemReply struct {
	complete bool // false: the SDK's output has the items
	rows     core.Rows
	tables   map[string]core.Rows // of a batch read

	*core.Buffer
	out    any // the SDK's output, which determines where the items are
	before int // the end of the member before the one that has the items; 0: it is the first one
	end    int // of the member that has the items; 0: there is none
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
	r.complete, r.rows = true, r.RowsOf(r.Items)
	if r.end == 0 {
		return body
	}
	r.Rest = r.withoutItems(r.Rest[:0])
	return r.Rest
}

// withoutItems appends the body without the member that has the items.
func (r *itemReply) withoutItems(dst []byte) []byte {
	if r.before > 0 {
		return append(append(dst, r.Body[:r.before]...), r.Body[r.end:]...)
	}
	rest := bytes.TrimLeft(r.Body[r.end:], " \t\r\n")
	return append(append(dst, '{'), bytes.TrimPrefix(rest, []byte(","))...)
}

// member reads a member of the body.
func (r *itemReply) member(name []byte, at int) (end int, err error) {
	member, read := r.items()
	if string(name) != member {
		if end, err = itemjson.Skip(r.Body, at); r.end == 0 {
			r.before = end
		}
		return end, err
	}
	if r.end > 0 {
		return 0, errUnusual // a second one
	}
	r.end, err = read(r.Body, at)
	return r.end, err
}

// items returns the member of the output that has the items, and how to read it.
func (r *itemReply) items() (member string, read func(body []byte, at int) (end int, err error)) {
	switch r.out.(type) {
	case *dynamodb.GetItemOutput:
		return "Item", r.Items.Add
	case *dynamodb.TransactGetItemsOutput:
		return "Responses", r.responses
	case *dynamodb.BatchGetItemOutput:
		return "Responses", r.byTable
	case *dynamodb.QueryOutput, *dynamodb.ScanOutput:
		return "Items", r.Items.Scan
	default: // a write
		return "Attributes", r.Items.Add
	}
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
		if len(r.tables) == 0 {
			list, r.Items = r.Items, itemjson.Items{}
		}
		end, err := list.Scan(body, at)
		r.tables[string(name)] = r.RowsOf(list)
		return end, err
	})
}
