package entity

import "github.com/trestledb/trestle/internal/repo"

// ItemFromError returns the stored item that made the condition of a write fail. The service
// returns the item with the failure at no cost, so the caller need not read it again. ItemFromError
// returns false if err is no such failure, if no item was stored, or if the item is not a T.
func ItemFromError[T any](err error) (T, bool) {
	var item T
	if !repo.DecodeExisting(err, &item) {
		var zero T
		return zero, false
	}
	return item, true
}
