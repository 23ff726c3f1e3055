package exec

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/op"
)

// KeyList is the list of the keys of a batch read, in JSON. The request is of one table.
type KeyList struct {
	JSON []byte
	Maps func() []op.Item // the same keys as attribute maps
}

// writtenKeys are the keys of an input.
type writtenKeys struct {
	in   *dynamodb.BatchGetItemInput
	list *KeyList
}

// keyWriter returns the writer of an input whose keys are in a list, or nil if the input has them.
func (c *Config) keyWriter(in *dynamodb.BatchGetItemInput, list *KeyList) *itemWriter {
	if list == nil {
		return nil
	}
	w := &itemWriter{keys: &writtenKeys{in, list}}
	if !c.JSON || c.AttributeValues {
		w.fill()
		return nil
	}
	w.keys.set([]op.Item{{}}) // the SDK requires one
	return w
}

// fill sets the keys of the input.
func (k *writtenKeys) fill() { k.set(k.list.Maps()) }

func (k *writtenKeys) set(keys []op.Item) {
	for table, t := range k.in.RequestItems {
		t.Keys = keys
		k.in.RequestItems[table] = t
	}
}
