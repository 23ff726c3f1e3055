package exec

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/op"
)

// The steps of a path in a body that are not the name of a member.
const (
	anyMember = "*"
	elements  = "[]"
)

// The paths of the items in a body.
var (
	putPath         = []string{"Item"}
	batchPath       = []string{"RequestItems", anyMember, elements, "PutRequest", "Item"}
	transactionPath = []string{"TransactItems", elements, "Put", "Item"}
	keysPath        = []string{"RequestItems", anyMember, "Keys"}
)

// pathOf returns the path of the items, or of the list of keys, in the body of an input.
func pathOf(in any) []string {
	switch in.(type) {
	case *dynamodb.PutItemInput:
		return putPath
	case *dynamodb.BatchWriteItemInput:
		return batchPath
	case *dynamodb.BatchGetItemInput:
		return keysPath
	default:
		return transactionPath
	}
}

// placesOf returns the places of the items in an input, in the order of the body. A batch is of one
// table.
func placesOf(in any) (places []*op.Item) {
	switch in := in.(type) {
	case *dynamodb.PutItemInput:
		places = append(places, &in.Item)
	case *dynamodb.BatchWriteItemInput:
		for _, writes := range in.RequestItems {
			for i := range writes {
				if p := writes[i].PutRequest; p != nil {
					places = append(places, &p.Item)
				}
			}
		}
	case *dynamodb.TransactWriteItemsInput:
		for i := range in.TransactItems {
			if p := in.TransactItems[i].Put; p != nil {
				places = append(places, &p.Item)
			}
		}
	}
	return places
}

// splicer finds the items in a body.
type splicer struct {
	body  []byte
	spans []span
}

// span is the part of a body from one offset to another.
type span struct{ start, end int }

// find adds the values at a path from the value at an offset. It returns the offset after that
// value.
func (s *splicer) find(path []string, at int) (end int, err error) {
	if len(path) == 0 {
		end, err = itemjson.Skip(s.body, at)
		s.spans = append(s.spans, span{at, end})
		return end, err
	}
	if path[0] == elements {
		return itemjson.Array(s.body, at, func(at int) (int, error) { return s.find(path[1:], at) })
	}
	return itemjson.Object(s.body, at, func(name []byte, at int) (int, error) {
		if path[0] == anyMember || string(name) == path[0] {
			return s.find(path[1:], at)
		}
		return itemjson.Skip(s.body, at)
	})
}

// splice returns a body of the SDK with the items in their places. ok is false if the body has
// another form.
func (w *itemWriter) splice(in any, body []byte) (_ []byte, ok bool) {
	s := splicer{body: body, spans: make([]span, 0, w.places())}
	if _, err := s.find(pathOf(in), 0); err != nil || len(s.spans) != w.places() {
		return body, false
	}
	length := len(body)
	for n := range w.places() {
		length += len(w.json(n))
	}
	spliced, from := make([]byte, 0, length), 0
	for n, place := range s.spans {
		if json := w.json(n); json != nil {
			spliced = append(append(spliced, body[from:place.start]...), json...)
			from = place.end
		}
	}
	return append(spliced, body[from:]...), true
}

// places returns the number of places in the body.
func (w *itemWriter) places() int {
	if w.keys != nil {
		return 1
	}
	return len(w.items)
}

// json returns the JSON for a place, or nil if the body has the value.
func (w *itemWriter) json(n int) []byte {
	if w.keys != nil {
		return w.keys.list.JSON
	}
	return w.items[n].put.Item.JSON()
}
