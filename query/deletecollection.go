package query

import (
	"context"
	"errors"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/repo"
)

// Deleted is what [Collection.Delete] deleted.
type Deleted struct {
	Items  int
	ByType map[string]int // items by type name; "" for items of unregistered types
	Guards int            // guards of unique values
	// Capacity is what the deletions consumed, without the reads.
	Capacity trestle.Capacity
}

// Delete deletes the items of the collection in the table: those of registered types with the
// guards of their unique values, and those of other types. It first reads their keys, strongly
// consistent, and deletes them in batches, page by page, like [entity.Repo.DeleteMany]. It checks
// no version.
//
// Delete is not a transaction. If it fails, call it again: it continues with the items that are
// left. Items that are created meanwhile may remain. Deleted has what was deleted, also with an
// error. The counts of items that remain change with each deletion, so they are right at any time.
//
// It costs the read units of the whole items, strongly consistent, and the write units of their
// deletions. A type with unique values or counts costs what [entity.Repo.Delete] costs, except that
// the count of a deleted item is not changed. In a schema with counts, the collection is read
// twice, and items that count others are deleted first.
//
// The observer is notified of each read and of the deletions, as operations with the name "delete
// collection".
//
// [Collection.Types] and a prefix of the sort key select what is deleted; expired items are deleted
// too. A collection of an index, and one with a Filter or a Limit, is [trestle.ErrInvalid]. Other
// errors are those of DeleteMany.
func (c Collection) Delete(ctx context.Context, options ...entity.BatchOption) (Deleted, error) {
	r := c.q
	r.query.Strong, r.query.KeysOnly, r.expired = true, true, true
	switch {
	case r.query.Access != "":
		r.fault("an index has no items of its own", "delete the collection of the table")
	case len(r.query.Filter) > 0, r.bounds.Items > 0:
		r.fault("a collection with a Filter or a Limit is not deleted", "narrow it by Prefix, Between or Types")
	}
	p, err := r.plan()
	if err != nil {
		var e *trestle.OpError
		if errors.As(err, &e) {
			e.Op, e.Outcome = repo.DeleteCollectionName, trestle.NotApplied
		}
		return Deleted{}, err
	}
	p.Name = repo.DeleteCollectionName
	o, _ := hooks.BatchOptionsOf(options).(repo.BatchOptions)
	d, err := repo.DeleteCollection(ctx, r.config, p, r.bounds, o)
	return Deleted(d), err
}
