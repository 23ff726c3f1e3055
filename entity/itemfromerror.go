package entity

import "github.com/trestledb/trestle/internal/repo"

// ItemFromError returns the stored item that made the condition of a write fail. DynamoDB returns
// the item with the error at no cost, so the caller need not read it again. ItemFromError returns
// false if err is another error, if there is no such item, or if the item is not a T. For the error
// of a transaction it returns the item of the first operation that met a T.
func ItemFromError[T any](err error) (T, bool) {
	var item T
	if !repo.DecodeExisting(err, &item) {
		var zero T
		return zero, false
	}
	return item, true
}
