package document_test

import (
	"context"
	"errors"
	"fmt"
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
	states []content // that may be stored; the first one without a fault
	count  map[string]int
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
	w := &testfaults.Wire{}
	if m.r.IntN(2) == 0 {
		w.Decide = testfaults.CrashAt(1+m.r.IntN(8), testfaults.Fate(1+m.r.IntN(2)))
	}
	own := m.open(m.process(t, w.Client(m.client, 1+m.r.IntN(2))))
	if m.r.IntN(12) == 0 {
		return m.settle("deleted", now, absent, own.delete(ctx))
	}
	m.change(&p, n)
	err = own.save(ctx, &p)
	return m.settle("saved", now, contentOf(&p), err)
}

// settle sets the states that are possible after a call.
func (m *model) settle(what string, before, after content, err error) error {
	outcome := trestle.OutcomeOf(err)
	m.count[what+": "+outcome.String()]++
	switch outcome {
	case trestle.Applied:
		m.states = []content{after}
	case trestle.NotApplied:
		m.states = []content{before}
	default:
		m.states = []content{before, after}
	}
	return nil
}

// change changes a document.
func (m *model) change(p *profile, n int) {
	p.Info.Name = fmt.Sprint("step ", n)
	size := 1 + m.r.IntN(6)
	if m.r.IntN(4) == 0 {
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

// A document is saved and deleted at random, while requests fail. It is always in the state of the
// last call that was applied, and at the end nothing is left.
func TestRandomSaves(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		m := &model{users: newUsers(t, e.Client(t)), r: testrand.New(t), open: func(u *users) saver { return whole{u.profiles} }}
		steps := testsize.Pick(40, 60, 20_000)
		if e.Name == engines.DynamoDBLocal {
			steps = testsize.Pick(8, 10, 300)
		}
		require.NoError(t, m.run(t, steps))
		t.Log(m.count)
		require.Empty(t, m.keys(t))
		require.Positive(t, m.count["saved: applied"])
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
