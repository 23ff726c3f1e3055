package generations

import (
	"context"
	"errors"

	"github.com/trestledb/trestle"
)

// deleteAll deletes the pointer item and all parts. If wanted is not empty, it must be the current
// generation.
func deleteAll(ctx context.Context, s session, wanted string) error {
	c := s.config()
	err := c.err
	if err == nil {
		_, err = s.read(ctx, true)
	}
	if err != nil {
		return c.failed(opDelete, trestle.NotApplied, err, "")
	}
	empty := newID(c.now())
	outcome, err := change(ctx, s, updateExample, func(now Pointer) (Pointer, bool, error) {
		if now.Generation == empty {
			return now, true, nil
		}
		return now.clear(empty), false, now.check(wanted)
	})
	if err != nil {
		hint := "read the item, and call Delete again"
		if outcome == trestle.NotApplied {
			hint = ""
		}
		return c.failed(opDelete, outcome, err, hint)
	}
	if _, err = removeAll(ctx, s, s.state().obsolete()); err == nil {
		_, err = change(ctx, s, deleteItem, func(now Pointer) (Pointer, bool, error) {
			if now.Generation != empty || len(now.Pending) > 0 {
				return now, false, errReplaced
			}
			return now, false, nil
		})
	}
	if err != nil && !errors.Is(err, trestle.ErrNotFound) {
		return c.failed(opDelete, trestle.Applied, err, "read the item, and call Delete again")
	}
	return nil
}
