package generations

import (
	"context"
	"errors"
	"slices"

	"github.com/trestledb/trestle"
)

// replace stores the parts of a session as a new generation. The first write is updateExample or
// upsertExample. If wanted is not empty, it must be the current generation.
func replace(ctx context.Context, s session, first write, wanted string) error {
	c, op := s.config(), opReplace
	if first == upsertExample {
		op = opUpsert
	}
	limited, cancel := context.WithTimeout(ctx, c.writeTime)
	defer cancel()
	id, base, err := register(limited, s, first, wanted)
	if err != nil {
		return c.failed(op, trestle.NotApplied, err, "")
	}
	if listed := s.state(); len(listed.Pending)+len(listed.Obsolete) > maxObsolete {
		_, _ = deleteObsolete(limited, s) // many calls have crashed, or could not delete parts
	}
	parts, err := s.put(limited, id)
	outcome := trestle.NotApplied
	if err == nil {
		outcome, err = flip(ctx, s, id, base, parts)
	}
	if err != nil && outcome != trestle.Applied {
		if outcome = giveUp(ctx, s, id, outcome); outcome == trestle.Applied {
			err = nil // it is current after all
		}
	}
	if err != nil {
		hint := hints[outcome]
		if limited.Err() != nil && ctx.Err() == nil {
			hint = "the parts were not stored within the WriteTime of the Config"
		}
		return c.failed(op, outcome, err, hint)
	}
	s.keep()
	_, err = deleteObsolete(ctx, s)
	if s.state().Generation == id { // and not that of another writer
		s.keep()
	}
	if err != nil && !errors.Is(err, trestle.ErrNotFound) { // Delete has deleted them too
		return c.failed(op, trestle.Applied, err, "the next Replace or Clean deletes the old parts")
	}
	return nil
}

// register adds a new pending generation. It returns the generation that is current when the new
// one is registered.
func register(ctx context.Context, s session, w write, wanted string) (id, base string, err error) {
	c := s.config()
	if c.err != nil {
		return "", "", c.err
	}
	if id, err = c.newID(c.now()); err != nil {
		return "", "", err
	}
	if err := s.prepare(ctx, w == upsertExample); err != nil {
		return "", "", err
	}
	_, err = change(ctx, s, w, func(now Pointer) (Pointer, bool, error) {
		switch {
		case slices.Contains(now.Pending, id): // its reply was lost
			if now.Parts == 0 {
				base = now.Generation
			}
			return now, true, nil
		case slices.Contains(now.Obsolete, id): // likewise, and Delete has given it up
			return now, false, errGivenUp
		}
		first, err := c.newID(c.now())
		if err != nil {
			return now, false, err
		}
		to := now.register(id, first)
		base = to.Generation
		return to, false, now.check(wanted)
	})
	return id, base, err
}

// hints are the hints of a Replace that failed.
var hints = map[trestle.Outcome]string{
	trestle.Unknown: "read the item",
	trestle.Applied: "the new generation became current; read the item",
}

// flip makes a pending generation current, unless another one became current since it was
// registered. With an error, the outcome tells whether it became current.
func flip(ctx context.Context, s session, id, base string, parts int) (trestle.Outcome, error) {
	return change(ctx, s, updateChanges, func(now Pointer) (Pointer, bool, error) {
		switch {
		case now.Generation == id:
			return now, true, nil
		case now.Generation != base:
			return now, false, errReplaced
		case !slices.Contains(now.Pending, id):
			return now, false, errGivenUp
		default:
			return now.flip(id, parts), false, nil
		}
	})
}

// giveUp gives up a generation whose Replace failed, and deletes the parts of all obsolete
// generations. It returns the outcome of that Replace, if it learns more than is known. It does
// nothing if the context has ended. Its own failure has no effect: a later Replace or Clean does
// the same.
func giveUp(ctx context.Context, s session, id string, known trestle.Outcome) trestle.Outcome {
	if ctx.Err() != nil {
		return known
	}
	current := false
	_, err := change(ctx, s, update, func(now Pointer) (Pointer, bool, error) {
		switch {
		case now.Generation == id:
			current = true
			return now, true, nil
		case !slices.Contains(now.Pending, id):
			return now, false, errGivenUp
		default:
			return now.retire(id), false, nil
		}
	})
	if current {
		return trestle.Applied
	}
	switch {
	case err == nil:
		_, _ = deleteObsolete(ctx, s)
		return trestle.NotApplied
	case errors.Is(err, errGivenUp), errors.Is(err, trestle.ErrNotFound):
		_, _ = s.remove(ctx, id)
	}
	return known
}
