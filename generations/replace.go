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
	c := s.config()
	limited, cancel := context.WithTimeout(ctx, c.writeTime)
	defer cancel()
	id, base, err := register(limited, s, first, wanted)
	if err != nil {
		return c.failed(opReplace, trestle.NotApplied, err, "")
	}
	parts, err := s.put(limited, id)
	lost := false
	if err == nil {
		lost, err = flip(ctx, s, id, base, parts)
	}
	if err != nil {
		hint := ""
		if limited.Err() != nil && ctx.Err() == nil {
			hint = "the parts were not stored within the WriteTime of the Config"
		}
		if certain := giveUp(ctx, s, id); lost && !certain {
			return c.failed(opReplace, trestle.Unknown, err, "read the item")
		}
		return c.failed(opReplace, trestle.NotApplied, err, hint)
	}
	if _, err := deleteObsolete(ctx, s); err != nil {
		return c.failed(opReplace, trestle.Applied, err, "the new generation is current; the next Replace or Clean deletes the old parts")
	}
	return nil
}

// register adds a new pending generation. It returns the generation that is current when the new
// one is registered.
func register(ctx context.Context, s session, w write, wanted string) (id, base string, err error) {
	if err := s.config().err; err != nil {
		return "", "", err
	}
	id = newID(s.config().now())
	if err := s.prepare(ctx, w == upsertExample); err != nil {
		return "", "", err
	}
	_, err = change(ctx, s, w, func(now Pointer) (Pointer, bool, error) {
		if slices.Contains(now.Pending, id) {
			return now, true, nil
		}
		base = now.Generation
		return now.register(id), false, now.check(wanted)
	})
	return id, base, err
}

// flip makes a pending generation current, unless another one became current since it was
// registered. With an error, lost reports whether it may be current.
func flip(ctx context.Context, s session, id, base string, parts int) (lost bool, err error) {
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

// giveUp gives up a generation whose Replace failed, and deletes its parts. It reports whether it
// is certain that the generation never was current. It does nothing if the context has ended. Its
// own failure has no effect: a later Replace or Clean does the same.
func giveUp(ctx context.Context, s session, id string) (certain bool) {
	if ctx.Err() != nil {
		return false
	}
	_, err := change(ctx, s, update, func(now Pointer) (Pointer, bool, error) {
		switch {
		case now.Generation == id:
			return now, false, errReplaced
		case !slices.Contains(now.Pending, id):
			return now, false, errGivenUp
		default:
			return now.retire(id), false, nil
		}
	})
	if err == nil || errors.Is(err, errGivenUp) || errors.Is(err, trestle.ErrNotFound) {
		_, _ = s.remove(ctx, id)
	}
	return err == nil
}
