package entity_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// verbCase is a call and its error, on a table with ann, of version 1, and the note n.
type verbCase struct {
	name string
	call func(ctx context.Context, o *office) error
	want error
}

func annKey() account { return account{Org: "acme", ID: "ann"} }

func bobKey() account { return account{Org: "acme", ID: "bob"} }

func annOf(version int64) account {
	a := annKey()
	a.Version = version
	return a
}

func verbCases() []verbCase {
	put := func(a account, conds ...attr.Cond[account]) func(context.Context, *office) error {
		return func(ctx context.Context, o *office) error { return o.accounts.Put(ctx, &a, conds...) }
	}
	update := func(a account, c attr.Change[account], more ...attr.Change[account]) func(context.Context, *office) error {
		return func(ctx context.Context, o *office) error {
			_, err := o.accounts.Update(ctx, a, c, more...)
			return err
		}
	}
	upsert := func(a account, c attr.Change[account], more ...attr.Change[account]) func(context.Context, *office) error {
		return func(ctx context.Context, o *office) error {
			_, err := o.accounts.Upsert(ctx, a, c, more...)
			return err
		}
	}
	remove := func(a account, conds ...attr.Cond[account]) func(context.Context, *office) error {
		return func(ctx context.Context, o *office) error { return o.accounts.Delete(ctx, a, conds...) }
	}
	return []verbCase{
		{"get", func(ctx context.Context, o *office) error { _, err := o.accounts.Get(ctx, annKey()); return err }, nil},
		{"get strongly", func(ctx context.Context, o *office) error {
			_, err := o.accounts.Strong().Get(ctx, annKey())
			return err
		}, nil},
		{"get nothing", func(ctx context.Context, o *office) error { _, err := o.accounts.Get(ctx, bobKey()); return err }, trestle.ErrNotFound},
		{"get without a key", func(ctx context.Context, o *office) error {
			_, err := o.accounts.Get(ctx, account{ID: "x"})
			return err
		}, trestle.ErrInvalid},
		{"get a key that is too long", func(ctx context.Context, o *office) error {
			_, err := o.accounts.Get(ctx, account{Org: "acme", ID: strings.Repeat("x", 1021)})
			return err
		}, trestle.ErrLimit},

		{"create", func(ctx context.Context, o *office) error { b := bobKey(); return o.accounts.Create(ctx, &b) }, nil},
		{"create what exists", func(ctx context.Context, o *office) error { a := ann(); return o.accounts.Create(ctx, &a) }, trestle.ErrExists},
		{"create what has no key", func(ctx context.Context, o *office) error { return o.accounts.Create(ctx, &account{ID: "x"}) }, trestle.ErrInvalid},
		{"create what is too large", func(ctx context.Context, o *office) error {
			b := bobKey()
			b.Skills = []string{strings.Repeat("x", 410_000)}
			return o.accounts.Create(ctx, &b)
		}, trestle.ErrLimit},

		{"put a new one", put(bobKey()), nil},
		{"put the version that is there", put(annOf(1)), nil},
		{"put a version that is not", put(annOf(2)), trestle.ErrStale},
		{"put as new what is there", put(ann()), trestle.ErrStale},
		{"put a version of nothing", put(account{Org: "acme", ID: "bob", Version: 1}), trestle.ErrStale},
		{"put on a condition", put(annOf(1), accStatus.Eq("active")), nil},
		{"put on a condition that does not hold", put(annOf(1), accStatus.Eq("gone")), trestle.ErrCondition},
		{"put an unversioned one over another", func(ctx context.Context, o *office) error { return o.notes.Put(ctx, &note{ID: "n"}) }, nil},
		{"put an unversioned one on a condition", func(ctx context.Context, o *office) error {
			return o.notes.Put(ctx, &note{ID: "n"}, noteCount.Gt(5))
		}, trestle.ErrCondition},

		{"overwrite", func(ctx context.Context, o *office) error { a := annOf(77); return o.accounts.Overwrite(ctx, &a) }, nil},
		{"overwrite nothing", func(ctx context.Context, o *office) error { b := bobKey(); return o.accounts.Overwrite(ctx, &b) }, nil},
		{"overwrite on a condition that does not hold", func(ctx context.Context, o *office) error {
			a := annKey()
			return o.accounts.Overwrite(ctx, &a, accStatus.Eq("gone"))
		}, trestle.ErrCondition},

		{"update", update(annKey(), accCity.Set("Oslo")), nil},
		{"update what is not there", update(bobKey(), accLogins.Set(1)), trestle.ErrNotFound},
		{"update the version that is there", update(annOf(1), accLogins.Set(1)), nil},
		{"update a version that is not", update(annOf(9), accLogins.Set(1)), trestle.ErrStale},
		{"update a version of nothing", update(account{Org: "acme", ID: "bob", Version: 9}, accLogins.Set(1)), trestle.ErrNotFound},
		{"update on a condition", update(annKey(), attr.Add(accLogins, 1), attr.If(accStatus.Eq("active"), attr.Contains(accSkills, "go"))), nil},
		{"update on a condition that does not hold", update(annKey(), attr.Add(accLogins, 1), attr.If(accStatus.Eq("gone"))), trestle.ErrCondition},
		{"update nothing", update(annKey(), attr.If(accStatus.Eq("active"))), trestle.ErrInvalid},
		{"update the key", update(annKey(), accID.Set("eve")), trestle.ErrInvalid},
		{"update half an index key", update(annKey(), accStatus.Set("gone")), trestle.ErrInvalid},
		{"update half an index key, the rest given", update(account{Org: "acme", ID: "ann", Mail: "ann@example.com"}, accStatus.Set("gone")), nil},
		{"update half an index key, the rest given wrongly", update(account{Org: "acme", ID: "ann", Mail: "bob@example.com"}, accStatus.Set("gone")), trestle.ErrCondition},
		{"update one place twice", update(annKey(), accLogins.Set(1), accLogins.Set(2)), trestle.ErrInvalid},

		{"upsert", upsert(annKey(), accLogins.Set(7)), nil},
		{"upsert a new one", upsert(bobKey(), accLogins.Set(7)), nil},
		{"upsert a version that is not there", upsert(annOf(9), accLogins.Set(7)), trestle.ErrStale},
		{"upsert on a condition that does not hold", upsert(bobKey(), accLogins.Set(7), attr.If(accStatus.Exists())), trestle.ErrCondition},

		{"delete", remove(annKey()), nil},
		{"delete nothing", remove(bobKey()), nil},
		{"delete the version that is there", remove(annOf(1)), nil},
		{"delete a version that is not", remove(annOf(9)), trestle.ErrStale},
		{"delete a version of nothing", remove(account{Org: "acme", ID: "bob", Version: 1}), trestle.ErrNotFound},
		{"delete on a condition", remove(annKey(), accStatus.Eq("active")), nil},
		{"delete on a condition that does not hold", remove(annKey(), accStatus.Eq("gone")), trestle.ErrCondition},
		{"delete nothing on a condition", remove(bobKey(), accStatus.Eq("gone")), trestle.ErrNotFound},
		{"delete nothing on a condition that holds of nothing", remove(bobKey(), accStatus.Ne("gone")), trestle.ErrNotFound},
		{"delete nothing on an attribute's absence", remove(bobKey(), accStatus.NotExists()), trestle.ErrNotFound},
		{"delete without a key", remove(account{}), trestle.ErrInvalid},
	}
}

// Every verb returns at most one sentinel error, and writes nothing if the outcome is NotApplied.
func TestErrorsOfVerbs(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		for _, c := range verbCases() {
			t.Run(c.name, func(t *testing.T) {
				ctx := t.Context()
				for _, id := range []string{"ann", "bob"} {
					require.NoError(t, o.accounts.Delete(ctx, account{Org: "acme", ID: id}))
				}
				a := ann()
				require.NoError(t, o.accounts.Create(ctx, &a))
				require.NoError(t, o.notes.Put(ctx, &note{ID: "n", Count: 1}))
				before, beforeNote := o.storedAccount(t, "acme", "ann"), o.storedNote(t, "n")

				err := c.call(ctx, o)
				outcome := trestle.NotApplied
				switch {
				case c.want == nil:
					outcome = trestle.Applied
				case strings.HasPrefix(c.name, "get"):
					outcome = trestle.NoWrite
				}
				requireOutcome(t, err, c.want, outcome)
				if c.want != nil {
					require.Equal(t, before, o.storedAccount(t, "acme", "ann"))
					require.Equal(t, beforeNote, o.storedNote(t, "n"))
					require.Nil(t, o.storedAccount(t, "acme", "bob"))
				}
			})
		}
	})
}

// A stale writer does not restore a deleted item.
func TestStaleWriteDoesNotRecreateADeletedItem(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		ctx := t.Context()
		a := ann()
		require.NoError(t, o.accounts.Create(ctx, &a))
		require.NoError(t, o.accounts.Delete(ctx, annKey()))
		old := a
		requireOutcome(t, o.accounts.Put(ctx, &a), trestle.ErrStale, trestle.NotApplied)
		require.Equal(t, old, a)
		_, err := o.accounts.Update(ctx, a, accLogins.Set(3))
		requireOutcome(t, err, trestle.ErrNotFound, trestle.NotApplied)
		_, err = o.accounts.Upsert(ctx, a, accLogins.Set(3))
		requireOutcome(t, err, trestle.ErrStale, trestle.NotApplied)
		require.Nil(t, o.storedAccount(t, "acme", "ann"))
	})
}

// A change of a child of a missing attribute is a failed condition; an append creates the list.
func TestChangesBelowMissingAttributes(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		ctx := t.Context()
		b := bobKey()
		require.NoError(t, o.accounts.Create(ctx, &b))
		_, err := o.accounts.Update(ctx, bobKey(), accCity.Set("Bergen"))
		requireOutcome(t, err, trestle.ErrCondition, trestle.NotApplied)
		_, err = o.accounts.Update(ctx, account{Org: "acme", ID: "eve"}, accCity.Set("Bergen"))
		requireOutcome(t, err, trestle.ErrNotFound, trestle.NotApplied)

		got, err := o.accounts.Update(ctx, bobKey(), attr.Append(accSkills, "go", "sql"))
		require.NoError(t, err)
		require.Equal(t, []string{"go", "sql"}, got.Skills)
	})
}

// The error of a failed condition has the stored item, typed.
func TestItemFromError(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		ctx := t.Context()
		a := ann()
		require.NoError(t, o.accounts.Create(ctx, &a))
		again := ann()
		_, updated := o.accounts.Update(ctx, annOf(9), accLogins.Set(3))
		for _, err := range []error{o.accounts.Create(ctx, &again), o.accounts.Put(ctx, &again), updated, o.accounts.Delete(ctx, annOf(5))} {
			met, ok := entity.ItemFromError[account](err)
			require.True(t, ok)
			require.Equal(t, a, met)
			_, ok = entity.ItemFromError[note](err)
			require.False(t, ok, "it is no note")
		}
		for _, err := range []error{nil, context.Canceled, o.accounts.Put(ctx, &account{Org: "acme", ID: "bob", Version: 3})} {
			_, ok := entity.ItemFromError[account](err)
			require.False(t, ok)
		}
	})
}
