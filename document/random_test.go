package document_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// saver stores profiles in one way.
type saver interface {
	read(ctx context.Context) (profile, error)
	save(ctx context.Context, p *profile) error
	delete(ctx context.Context) error
}

// whole is the way of this package.
type whole struct{ *document.Repo[profile] }

func (w whole) read(ctx context.Context) (profile, error) {
	return w.Read(ctx, key("a"), document.Strong())
}
func (w whole) save(ctx context.Context, p *profile) error { return w.Save(ctx, p) }
func (w whole) delete(ctx context.Context) error           { return w.Delete(ctx, key("a")) }

// parts is the naive way: the items are written one by one, each by its repository.
type parts struct{ *users }

func (n parts) read(ctx context.Context) (profile, error) {
	return n.profiles.Read(ctx, key("a"), document.Strong(), document.Unverified())
}

func (n parts) save(ctx context.Context, p *profile) error {
	err := n.infos.Put(ctx, &p.Info)
	old, failed := n.read(ctx)
	if err != nil || failed != nil {
		return errors.Join(err, failed)
	}
	for i := range p.Notes {
		p.Notes[i].User = "a"
		if err := n.notes.Put(ctx, &p.Notes[i]); err != nil {
			return err
		}
	}
	for _, gone := range old.Notes {
		if !slices.ContainsFunc(p.Notes, func(kept note) bool { return kept.N == gone.N }) {
			if err := n.notes.Delete(ctx, note{User: "a", N: gone.N}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (n parts) delete(ctx context.Context) error {
	return n.infos.Delete(ctx, info{ID: "a"})
}

// model is what a random test expects.
type model struct {
	*users
	r      *rand.Rand
	open   func(*users) saver
	remove func(ctx context.Context, u *users) error // another program deletes the document
	states []content                                 // that may be stored
	count  map[string]int
	noLogs bool // all saves are small
	failed bool // requests had no reply since the last Clean, so that something may be left
}

var absent = contentOf(new(profile))

// step reads the document, and changes it in a random way, with a random fault in the requests.
func (m *model) step(t *testing.T, n int) error {
	t.Helper()
	ctx := t.Context()
	p, err := m.open(m.users).read(ctx)
	if errors.Is(err, trestle.ErrNotFound) {
		p = profile{Info: info{ID: "a"}}
	} else if err != nil {
		return err
	}
	now := contentOf(&p)
	if !slices.ContainsFunc(m.states, func(c content) bool { return reflect.DeepEqual(c, now) }) {
		return fmt.Errorf("step %d: the document is in no expected state: %d notes of %s", n, len(now.Notes), now.Name)
	}
	w, other := &testfaults.Wire{}, m.other(t)
	fate, crash := func(int, string) testfaults.Fate { return testfaults.Pass }, math.MaxInt
	if m.r.IntN(2) == 0 {
		crash = 1 + m.r.IntN(8)
		fate = testfaults.CrashAt(crash, testfaults.Fate(1+m.r.IntN(2)))
	}
	at := 1 + m.r.IntN(1+m.r.IntN(12)) // most requests store chunks early
	w.Decide = func(k int, operation string) testfaults.Fate {
		if k == at && other != nil {
			other()
		}
		return fate(k, operation)
	}
	own := m.open(m.process(t, w.Client(m.client, 1+m.r.IntN(2))))
	m.states = nil
	if m.r.IntN(12) == 0 {
		m.settle("deleted", now, absent, own.delete(ctx))
	} else {
		m.change(&p, n)
		err = own.save(ctx, &p)
		m.settle("saved", now, contentOf(&p), err)
	}
	m.failed = m.failed || w.Sent() >= crash
	return m.checkLeftovers(t, n)
}

// other returns what another program does during a call, at random; nil for nothing.
func (m *model) other(t *testing.T) func() {
	t.Helper()
	kind := m.r.IntN(6)
	if m.remove == nil || kind > 3 {
		return nil
	}
	return func() {
		ctx := t.Context()
		before, err := m.profiles.Read(ctx, key("a"), document.Strong())
		if err != nil && !errors.Is(err, trestle.ErrNotFound) {
			return // the call itself has the error
		}
		switch kind {
		case 0, 1:
			m.settle("other deleted", contentOf(&before), absent, m.remove(ctx, m.users))
		case 2:
			p := before
			if p.Info.ID == "" {
				p = *largely("a", 500)
			}
			p.Info.Name, p.Bio = "other", &bio{Text: document.Large[string]{Value: text(100 + m.r.IntN(3000))}}
			err := m.profiles.Save(ctx, &p)
			m.settle("other saved", contentOf(&before), contentOf(&p), err)
		default:
			m.count["other cleaned"]++
			require.NoError(t, m.profiles.Clean(ctx, key("a")))
		}
	}
}

// checkLeftovers checks that nothing is left, at random after a Clean if requests had no reply.
func (m *model) checkLeftovers(t *testing.T, n int) error {
	t.Helper()
	if m.failed {
		if m.r.IntN(3) > 0 {
			return nil
		}
		m.clock.advance(2 * writeTime)
		if err := m.profiles.Clean(t.Context(), key("a")); err != nil {
			return err
		}
		m.failed = false
	}
	if err := m.leftovers(t).clean(); err != nil {
		return fmt.Errorf("step %d: %w", n, err)
	}
	m.count["nothing left"]++
	return nil
}

// settle adds the states that are possible after a call. Those of calls beside each other are all
// possible.
func (m *model) settle(what string, before, after content, err error) {
	outcome := trestle.OutcomeOf(err)
	m.count[what+": "+outcome.String()]++
	switch outcome {
	case trestle.Applied:
		m.states = append(m.states, after)
	case trestle.NotApplied:
		if len(m.states) == 0 { // otherwise another call may be the reason
			m.states = append(m.states, before)
		}
	default:
		m.states = append(m.states, before, after)
	}
}

// change changes a document.
func (m *model) change(p *profile, n int) {
	p.Info.Name = fmt.Sprint("step ", n)
	size := 1 + m.r.IntN(6)
	if m.r.IntN(4) == 0 && !m.noLogs {
		size = 95 + m.r.IntN(40) // a log
	}
	p.Notes = slices.DeleteFunc(p.Notes, func(note) bool { return m.r.IntN(3) == 0 })
	for i := range p.Notes {
		if m.r.IntN(2) == 0 {
			p.Notes[i].Text = p.Info.Name
		}
	}
	for range size {
		n := m.r.IntN(300)
		if !slices.ContainsFunc(p.Notes, func(have note) bool { return have.N == n }) {
			p.Notes = append(p.Notes, note{N: n, Text: p.Info.Name})
		}
	}
	if len(p.Notes) > 0 && m.r.IntN(3) == 0 {
		p.Notes[0].Body.Value = noise(m.r.IntN(900_000), uint64(n))
	}
}

func (m *model) run(t *testing.T, steps int) error {
	t.Helper()
	m.states, m.count = []content{absent}, map[string]int{}
	for n := range steps {
		if err := m.step(t, n); err != nil {
			return err
		}
	}
	m.clock.advance(2 * writeTime)
	err := m.open(m.users).delete(t.Context())
	if errors.Is(err, trestle.ErrNotFound) {
		err = m.profiles.Clean(t.Context(), key("a"))
	}
	return err
}

// A document is saved and deleted at random, while requests fail, and while another program
// deletes, saves or cleans it up. It is always in the state of the last call that was applied. If
// no request has failed, nothing is left after each call, and otherwise nothing after a Clean.
func TestRandomSaves(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		m := &model{users: newUsers(t, e.Client(t)), r: testrand.New(t), remove: remove, open: func(u *users) saver { return whole{u.profiles} }}
		steps := testsize.Pick(60, 200, 20_000)
		if e.Name == engines.DynamoDBLocal {
			steps = testsize.Pick(8, 10, 300)
		}
		require.NoError(t, m.run(t, steps))
		t.Log(m.count)
		require.Empty(t, m.keys(t))
		require.Positive(t, m.count["saved: applied"])
		if e.Name == engines.InProcess {
			require.Positive(t, m.count["nothing left"])
			require.Positive(t, m.count["other deleted: applied"])
		}
	})
}

// The same holds if pages of queries are empty and have a LastEvaluatedKey.
func TestRandomSavesWithEmptyPages(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	m := &model{users: newUsers(t, db.Client()), r: testrand.New(t), open: func(u *users) saver { return whole{u.profiles} }}
	rule := db.Fail(ddbtest.EmptyPage, ddbtest.Op("Query"), ddbtest.Rate(0.3))
	require.NoError(t, m.run(t, testsize.Pick(20, 40, 2_000)))
	require.Empty(t, m.keys(t))
	require.Positive(t, rule.Hits())
}

// The negative control: documents whose items are written one by one are found in other states.
func TestRandomSavesControl(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		m := &model{users: newUsers(t, e.Client(t)), r: testrand.New(t), open: func(u *users) saver { return parts{u} }}
		require.Error(t, m.run(t, 60))
	})
}

// The negative control: if a deletion deletes the intents of saves that still run, chunks are left.
func TestRandomSavesLeftControl(t *testing.T) {
	t.Parallel()
	m := &model{users: newUsers(t, ddbtest.Client(t)), r: testrand.New(t), noLogs: true, remove: removeIntents, open: func(u *users) saver { return whole{u.profiles} }}
	require.ErrorIs(t, m.run(t, 5000), errLeft) // it ends at the first error
}
