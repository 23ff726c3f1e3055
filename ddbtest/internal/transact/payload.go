package transact

import (
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// maxPayload is what the actions of a transaction, or the items that it reads, may measure together: 4 MB.
const maxPayload = 4 << 20

// checkPayload refuses actions that are too large together. Items that are there already do not count.
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

// payload is what an action measures: its item or key, its expressions, and what its placeholders stand for.
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
