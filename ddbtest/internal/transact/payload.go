package transact

import (
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// maxPayload is the size limit of all actions of a transaction, or of all items that it reads: 4
// MB.
const maxPayload = 4 << 20

// checkPayload rejects actions that are too large together. Existing items do not count.
func checkPayload(writes []item.Write) error {
	size := 0
	for _, w := range writes {
		size += payload(w)
	}
	if size > maxPayload {
		return awserr.Validation("Transaction payload size cannot exceed 4MB. Payload Size: %d", size)
	}
	return nil
}

// payload returns the size of an action: its item or key, its expressions, and its expression
// attribute names and values.
func payload(w item.Write) int {
	size := w.Item.Size()
	for _, text := range []*string{w.Update, w.Condition} {
		if text != nil {
			size += len(*text)
		}
	}
	for _, name := range w.Names {
		size += len(name)
	}
	for _, v := range w.Values {
		size += value.Size(v)
	}
	return size
}
