package document_test

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/internal/testsize"
)

// crashed is a save or a deletion that is interrupted.
type crashed struct {
	name   string
	before func() *profile // nil: there is no document
	change func(*profile)  // nil: the document is deleted
	steps  int             // the number of its requests, at least
}

func withText(p profile, n int) *profile {
	p.Bio = &bio{Text: document.Large[string]{Value: text(n)}}
	return &p
}

var crashes = []crashed{
	{
		"a new document", nil, func(p *profile) { *p = small("a") }, 1,
	}, {
		"a transaction",
		func() *profile { p := small("a"); return &p },
		func(p *profile) { p.Info.Name, p.Notes, p.Addresses[0].Street = "Leto", p.Notes[1:], "3 Main" }, 1,
	}, {
		"a new document with chunks", nil, func(p *profile) { *p = *withText(small("a"), 2000) }, 4,
	}, {
		"a transaction with chunks",
		func() *profile { return withText(small("a"), 1000) },
		func(p *profile) { p.Info.Name, p.Bio.Text.Value = "Leto", text(2000) }, 5,
	}, {
		"a log",
		func() *profile { p := *withText(many("a", "one", 3), 1000); return &p },
		func(p *profile) {
			notes := p.Notes[1:]
			*p = profile{State: p.State, Info: p.Info, Bio: p.Bio, Notes: many("a", "two", 120).Notes[10:]}
			p.Notes = append(p.Notes, notes...)
			p.Bio.Text.Value = text(3000)
		}, 8,
	}, {
		"a deletion", func() *profile { return withText(small("a"), 1000) }, nil, 7,
	},
}

// A process crashes at each of its requests: it gets no reply to that request nor to any later one.
// Other processes see exactly the old or the new document, as the outcome says. They can save it,
// or delete it, and clean up, and then nothing is left.
func TestCrashAtEveryStep(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		u := newUsers(t, e.Client(t))
		stride := testsize.Pick(1, 3, 1)
		if e.Name == engines.DynamoDBLocal {
			stride = testsize.Pick(4, 6, 1)
		}
		for _, c := range crashes {
			for fault, f := range testfaults.Fates {
				k := 1 + len(fault)%stride
				for done := false; !done; k += stride {
					var err error
					done, err = c.crash(t, u, k, f)
					require.NoError(t, err, "%s, request %d %s", c.name, k, fault)
				}
				require.GreaterOrEqual(t, k, c.steps, "%s has more requests", c.name)
			}
		}
	})
}

// crash interrupts the save at request k. It returns true if the save has fewer requests.
func (c *crashed) crash(t *testing.T, u *users, k int, f testfaults.Fate) (done bool, err error) {
	t.Helper()
	ctx := t.Context()
	defer u.wipe(t)
	w := &testfaults.Wire{}
	own := u.process(t, w.Client(u.client, 1))
	var p profile
	if c.before != nil {
		p = *c.before()
		require.NoError(t, u.profiles.Save(ctx, &p))
	}
	old := contentOf(&p)
	w.Decide = testfaults.CrashAt(k, f)
	var failed error
	if c.change == nil {
		failed = own.profiles.Delete(ctx, key("a"))
		p = profile{}
	} else {
		c.change(&p)
		failed = own.profiles.Save(ctx, &p)
	}
	fresh := contentOf(&p)
	if err := c.visible(t, u, old, fresh, trestle.OutcomeOf(failed), failed); err != nil {
		return w.Sent() < k, err
	}
	if err := c.recover(t, u); err != nil {
		return w.Sent() < k, err
	}
	if err := w.Deliver(); err != nil {
		return w.Sent() < k, err
	}
	return w.Sent() < k, c.after(t, u, f)
}

// visible checks that readers see the old or the new document, as the outcome says.
func (c *crashed) visible(t *testing.T, u *users, old, fresh content, outcome trestle.Outcome, failed error) error {
	t.Helper()
	for _, options := range [][]document.ReadOption{{document.Strong()}, nil} {
		seen, err := u.profiles.Read(t.Context(), key("a"), options...)
		if err != nil && !errors.Is(err, trestle.ErrNotFound) {
			return err
		}
		isOld, isNew := reflect.DeepEqual(contentOf(&seen), old), reflect.DeepEqual(contentOf(&seen), fresh)
		if !isOld && !isNew || outcome == trestle.Applied && !isNew || outcome == trestle.NotApplied && !isOld {
			return fmt.Errorf("the outcome is %v, old %t, new %t: %w", outcome, isOld, isNew, failed)
		}
		if (outcome == trestle.Unknown) != errors.Is(failed, trestle.ErrUnknown) {
			return fmt.Errorf("the outcome is %v, and the error is %w", outcome, failed)
		}
	}
	return nil
}

// recover lets another process save the document and clean up, or delete it again.
func (c *crashed) recover(t *testing.T, u *users) error {
	t.Helper()
	ctx := t.Context()
	if c.change == nil {
		err := u.profiles.Delete(ctx, key("a"))
		if errors.Is(err, trestle.ErrNotFound) {
			return nil
		}
		return err
	}
	p, err := u.profiles.Read(ctx, key("a"), document.Strong())
	if errors.Is(err, trestle.ErrNotFound) {
		p = profile{Info: info{ID: "a"}}
	} else if err != nil {
		return err
	}
	p.Info.Name = "next"
	if err := u.profiles.Save(ctx, &p); err != nil {
		return err
	}
	u.clock.advance(2 * writeTime)
	return u.profiles.Clean(ctx, key("a"))
}

// after checks that the document is that of the recovery, and that nothing else is left. A chunk
// that arrives late stays.
func (c *crashed) after(t *testing.T, u *users, f testfaults.Fate) error {
	t.Helper()
	p, err := u.profiles.Read(t.Context(), key("a"), document.Strong())
	if c.change == nil {
		if n := len(u.keys(t)); n > 0 && f != testfaults.Delay {
			return fmt.Errorf("%d items are left", n)
		}
		return nil
	}
	if err != nil {
		return err
	}
	if p.Info.Name != "next" {
		return errors.New("the document is not the last one")
	}
	u.clock.advance(2 * writeTime)
	if err := u.profiles.Clean(t.Context(), key("a")); err != nil {
		return err
	}
	left := maps.Clone(u.own(t))
	want := 0
	if p.Bio != nil {
		want = 1
	}
	if left["intent"] > 0 || left["chunk"] != want && f != testfaults.Delay {
		return fmt.Errorf("left are %v, and the document has %d chunks", left, want)
	}
	return nil
}
