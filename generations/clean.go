package generations

import (
	"context"
	"errors"

	"github.com/trestledb/trestle"
)

// maxObsolete is the maximum number of obsolete generations that a pointer item lists after they
// were deleted.
const maxObsolete = 20

// Cleaned is what [Repo.Clean] did.
type Cleaned struct {
	Items int // deleted parts
	// Left is the number of generations besides the current one that are still listed, because a
	// Replace may be writing them, or because their parts may arrive late.
	Left int
}

func clean(ctx context.Context, s session) (done Cleaned, err error) {
	c := s.config()
	if err = c.err; err == nil {
		_, err = s.read(ctx, true)
	}
	if err == nil {
		done, err = deleteObsolete(ctx, s)
	}
	if err != nil {
		outcome := trestle.OutcomeOf(err)
		if outcome == trestle.NoWrite {
			outcome = trestle.NotApplied
		}
		hint := "call Clean again"
		if errors.Is(err, trestle.ErrNotFound) {
			hint = ""
		}
		err = c.failed(opClean, outcome, err, hint)
	}
	return done, err
}

// deleteObsolete gives up the pending generations that no Replace writes any more, and deletes the
// parts of all obsolete generations. It then removes those from the list whose parts can no longer
// arrive, and the oldest if there are too many.
func deleteObsolete(ctx context.Context, s session) (done Cleaned, err error) {
	c := s.config()
	_, err = change(ctx, s, update, func(now Pointer) (Pointer, bool, error) {
		var old []string
		for _, id := range now.Pending {
			if c.old(id) {
				old = append(old, id)
			}
		}
		return now.retire(old...), len(old) == 0, nil
	})
	if err != nil {
		return done, err
	}
	obsolete := s.state().obsolete()
	if done.Items, err = removeAll(ctx, s, obsolete); err != nil {
		return done, err
	}
	var forgotten []string
	for i, id := range obsolete {
		if c.old(id) || len(obsolete)-i > maxObsolete {
			forgotten = append(forgotten, id)
		}
	}
	_, err = change(ctx, s, update, func(now Pointer) (Pointer, bool, error) {
		to := now.forget(forgotten)
		return to, len(to.Obsolete) == len(now.Obsolete), nil
	})
	done.Left = len(s.state().Obsolete) + len(s.state().Pending)
	return done, err
}

// removeAll deletes the parts of generations.
func removeAll(ctx context.Context, s session, ids []string) (items int, err error) {
	for _, id := range ids {
		n, err := s.remove(ctx, id)
		items += n
		if err != nil {
			return items, err
		}
	}
	return items, nil
}
