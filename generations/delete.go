package generations

import (
	"context"
	"errors"

	"github.com/trestledb/trestle"
)

// deleteAgain is the hint of a Delete that has to be called again. Meanwhile another program may
// have stored a new generation, which the caller has not seen.
const deleteAgain = "read the item; if its Parts is 0, pass it to Delete again"

// deleteAll deletes the pointer item and all parts. If wanted is not empty, it must be the current
// generation. Of several calls at the same time, each deletes what it finds.
func deleteAll(ctx context.Context, s session, wanted string) error {
	c := s.config()
	err := c.err
	if err == nil {
		_, err = s.read(ctx, true)
	}
	empty := ""
	if err == nil {
		empty, err = c.newID(c.now())
	}
	if err != nil {
		return c.failed(opDelete, trestle.NotApplied, err, "")
	}
	outcome, err := change(ctx, s, updateExample, func(now Pointer) (Pointer, bool, error) {
		if now.Generation == empty {
			return now, true, nil
		}
		return now.clear(empty), false, now.check(wanted)
	})
	if err != nil {
		hint := deleteAgain
		if outcome == trestle.NotApplied {
			hint = ""
		}
		return c.failed(opDelete, outcome, err, hint)
	}
	_, err = change(ctx, s, deleteItem, func(now Pointer) (Pointer, bool, error) {
		if now.Parts > 0 || len(now.Pending) > 0 {
			return now, false, errReplaced
		}
		_, err := removeAll(ctx, s, now.obsolete())
		return now, false, err
	})
	switch {
	case err == nil, errors.Is(err, trestle.ErrNotFound):
		return nil
	case errors.Is(err, errReplaced):
		return c.failed(opDelete, trestle.Applied, err, "")
	default:
		return c.failed(opDelete, trestle.Applied, err, deleteAgain)
	}
}
