package tx

import (
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/repo"
)

// Move returns an operation that changes the key of an item: it deletes the item with the key of
// from and stores to under its own key, in one transaction. Send it alone with its Do, or with
// others in [Write].
//
// The item of from must exist, or the error is [trestle.ErrNotFound], and fulfill the conditions.
// If from has a version, the item must have it, or the error is [trestle.ErrStale]. There must be
// no item with the key of to, or the error is [trestle.ErrExists]. The version of to is set to the
// one after from's, and its creation time stays, unless it is zero.
//
// Without a version, Move overwrites changes that other writers made since the item was read. If
// both keys are the same, the error is [trestle.ErrInvalid]. It costs the write units of both
// items, twice. If the type has unique values or counts, Move first reads the old item, strongly
// consistent.
func Move[T any](in *entity.Repo[T], from T, to *T, conds ...attr.Cond[T]) *entity.Op[T] {
	return (*entity.Op[T])((*repo.Repo)(in).MoveOp(&from, to, expr.CondsOf(conds)))
}
