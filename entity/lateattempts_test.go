package entity_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// After another client's write, a late attempt of a write has an effect in the documented cases
// only: it stores an item that was deleted, it is an unversioned write without conditions, or the
// item was deleted and created again, so that its version is used twice. The other cases are
// controls.
func TestLateAttempts(t *testing.T) {
	t.Parallel()
	type call = func(context.Context, *office) error
	create := func(ctx context.Context, o *office) error {
		return o.accounts.Create(ctx, &account{Org: "acme", ID: "eve", Logins: 1})
	}
	putVersion := func(ctx context.Context, o *office) error {
		a := annOf(1)
		a.Logins = 1
		return o.accounts.Put(ctx, &a)
	}
	setVersion := func(ctx context.Context, o *office) error {
		_, err := o.accounts.Update(ctx, annOf(1), accLogins.Set(1))
		return err
	}
	addVersion := func(ctx context.Context, o *office) error {
		_, err := o.accounts.Update(ctx, annOf(1), attr.Add(accLogins, 1))
		return err
	}
	put := func(ctx context.Context, o *office) error {
		return o.notes.Put(ctx, &note{ID: "n", Text: "late", Count: 1})
	}
	set := func(ctx context.Context, o *office) error {
		_, err := o.notes.Update(ctx, note{ID: "n"}, noteText.Set("late"))
		return err
	}
	remove := func(ctx context.Context, o *office) error { return o.notes.Delete(ctx, note{ID: "n"}) }

	deleteEve := func(ctx context.Context, o *office) error {
		return o.accounts.Delete(ctx, account{Org: "acme", ID: "eve"})
	}
	updateAnn := func(ctx context.Context, o *office) error {
		_, err := o.accounts.Update(ctx, annKey(), accLogins.Set(7))
		return err
	}
	recreateAnn := func(ctx context.Context, o *office) error {
		if err := o.accounts.Delete(ctx, annKey()); err != nil {
			return err
		}
		return o.accounts.Create(ctx, &account{Org: "acme", ID: "ann", Logins: 7})
	}
	putNote := func(ctx context.Context, o *office) error {
		return o.notes.Put(ctx, &note{ID: "n", Text: "newer", Count: 1})
	}
	for _, c := range []struct {
		name        string
		call, other call // the write with the late attempt, and the later write of another client
		changes     bool
	}{
		{"a create stores a deleted item again", create, deleteEve, true},
		{"a create of an item that exists", create, func(context.Context, *office) error { return nil }, false},
		{"a put replaces", put, putNote, true},
		{"a set overwrites", set, putNote, true},
		{"a delete deletes", remove, putNote, true},
		{"a put of a version", putVersion, updateAnn, false},
		{"a put of a version that a new item has", putVersion, recreateAnn, true},
		{"an update of a version", setVersion, updateAnn, false},
		{"an update of a version that a new item has", setVersion, recreateAnn, true},
		{"an addition to a version", addVersion, updateAnn, false},
		{"an addition to a version that a new item has", addVersion, recreateAnn, true},
	} {
		for name, apply := range map[string]func(*testing.T, *ddbtest.DB, func() error, func() error) bool{
			"the first attempt arrives after the retry": firstAttemptLate, "the retry": retryLate,
		} {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					db := ddbtest.Start(t)
					o := newOffice(t, db.Client())
					require.NoError(t, o.table.Create(t.Context()))
					furnish(t, o)
					hasty := *o
					hasty.accounts, hasty.notes = o.accounts.With(entity.Timeout(time.Second)), o.notes.With(entity.Timeout(time.Second))
					changed := apply(t, db, func() error { return c.call(t.Context(), &hasty) }, func() error { return c.other(t.Context(), o) })
					require.Equal(t, c.changes, changed)
				})
			})
		}
	}
}

// firstAttemptLate delays the first attempt of a call until after the other call. It reports
// whether the attempt changes anything.
func firstAttemptLate(t *testing.T, db *ddbtest.DB, call, other func() error) bool {
	t.Helper()
	db.Fail(ddbtest.Op("PutItem", "UpdateItem", "DeleteItem"), ddbtest.First(1), ddbtest.Delay(time.Hour)).MustHit(t)
	require.NoError(t, call(), "the retry succeeds")
	require.NoError(t, other())
	before := db.Hash()
	require.Len(t, db.Pending(), 1)
	db.DeliverLate()
	return db.Hash() != before
}

// retryLate loses the reply to the first attempt of a call, and makes the other call before the
// retry. It reports whether the retry changes anything.
func retryLate(t *testing.T, db *ddbtest.DB, call, other func() error) bool {
	t.Helper()
	db.Fail(ddbtest.Op("PutItem", "UpdateItem", "DeleteItem"), ddbtest.First(1), ddbtest.AfterCommit(ddbtest.Delay(time.Hour))).MustHit(t)
	done := make(chan error)
	go func() { done <- call() }()
	synctest.Wait()
	require.NoError(t, other())
	before := db.Hash()
	require.NoError(t, <-done)
	return db.Hash() != before
}
