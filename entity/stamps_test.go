package entity_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// Every kind of write increments the version by one, and sets it in the entity of a put.
func TestEveryWriteIncrementsTheVersion(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		ctx := t.Context()
		a := ann()
		want := 0
		steps := []struct {
			name string
			do   func() (int64, error)
		}{
			{"create", func() (int64, error) { err := o.accounts.Create(ctx, &a); return a.Version, err }},
			{"put", func() (int64, error) { err := o.accounts.Put(ctx, &a); return a.Version, err }},
			{"update", func() (int64, error) {
				got, err := o.accounts.Update(ctx, annKey(), accLogins.Set(1))
				return got.Version, err
			}},
			{"update, checked", func() (int64, error) {
				got, err := o.accounts.Update(ctx, annOf(int64(want-1)), attr.Add(accLogins, 1))
				return got.Version, err
			}},
			{"upsert", func() (int64, error) {
				got, err := o.accounts.Upsert(ctx, annKey(), accLogins.Set(2))
				return got.Version, err
			}},
			{"update, reading first", func() (int64, error) {
				got, err := o.accounts.With(entity.ReadFirst()).Update(ctx, annKey(), accStatus.Set("away"))
				return got.Version, err
			}},
			{"overwrite", func() (int64, error) {
				b := ann()
				err := o.accounts.Overwrite(ctx, &b)
				return b.Version, err
			}},
		}
		for _, step := range steps {
			want++
			got, err := step.do()
			require.NoError(t, err, step.name)
			require.EqualValues(t, want, got, step.name)
			require.Equal(t, avN(strconv.Itoa(want)), o.storedAccount(t, "acme", "ann")["version"], step.name)
		}

		// An upsert of a new item starts at 1.
		got, err := o.accounts.Upsert(ctx, bobKey(), accLogins.Set(1))
		require.NoError(t, err)
		require.EqualValues(t, 1, got.Version)
	})
}

func TestCreatedAndUpdatedTimes(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		ctx := t.Context()
		created := o.clock.now()
		a := ann()
		require.NoError(t, o.accounts.Create(ctx, &a))
		require.Equal(t, created, a.CreatedAt)
		require.Equal(t, created, a.UpdatedAt)

		for name, write := range map[string]func() (account, error){
			"put":    func() (account, error) { err := o.accounts.Put(ctx, &a); return a, err },
			"update": func() (account, error) { return o.accounts.Update(ctx, annKey(), accLogins.Set(1)) },
			"upsert": func() (account, error) { return o.accounts.Upsert(ctx, annKey(), accLogins.Set(1)) },
		} {
			now := o.clock.forward()
			got, err := write()
			require.NoError(t, err, name)
			require.Equal(t, created, got.CreatedAt, name)
			require.Equal(t, now, got.UpdatedAt, name)
			a.Version = got.Version
		}
		now := o.clock.forward()
		b, err := o.accounts.Upsert(ctx, bobKey(), accLogins.Set(1))
		require.NoError(t, err)
		require.Equal(t, now, b.CreatedAt)
		require.Equal(t, now, b.UpdatedAt)
	})
}

// A write that was not applied does not change the caller's struct.
func TestEntityIsStampedOnSuccessOnly(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		ctx := t.Context()
		a := ann()
		require.NoError(t, o.accounts.Create(ctx, &a))
		o.clock.forward()
		for name, write := range map[string]func(e *account) error{
			"create":    func(e *account) error { return o.accounts.Create(ctx, e) },
			"put":       func(e *account) error { return o.accounts.Put(ctx, e) },
			"overwrite": func(e *account) error { return o.accounts.Overwrite(ctx, e, accStatus.Eq("gone")) },
			"invalid":   func(e *account) error { e.Status = "\xff"; return o.accounts.Put(ctx, e) },
		} {
			e := ann()
			require.Error(t, write(&e), name)
			require.Zero(t, e.Version, name)
			require.True(t, e.CreatedAt.IsZero(), name)
			require.True(t, e.UpdatedAt.IsZero(), name)
		}
	})
}

// audit is embedded by pointer, so a shallow copy of an entity shares it.
type audit struct {
	Version   uint64     `dynamodbav:"v" entity:"version"`
	CreatedAt *time.Time `dynamodbav:"c" entity:"created"`
	UpdatedAt time.Time  `dynamodbav:"u,unixtime" entity:"updated"`
}

type audited struct {
	_  entity.Key `type:"audited" pk:"A#<id>" sk:"A#<id>"`
	ID string     `dynamodbav:"id"`
	*Audit
}

// Audit is exported, because an embedded pointer must be.
type Audit = audit

func TestStampsInEmbeddedStructs(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		c := &clock{}
		s := entity.NewSchema(entity.Config{Clock: func() time.Time { return c.now().Add(123456789) }})
		things := entity.Define[audited](s)
		table, err := s.Open(e.Client(t), "things")
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		repo := things.In(table)

		shared := &Audit{}
		x := audited{ID: "x", Audit: shared}
		require.NoError(t, repo.Create(ctx, &x))
		require.Same(t, shared, x.Audit, "what the caller embeds stays his")
		require.EqualValues(t, 1, x.Version)
		require.Equal(t, c.now(), x.UpdatedAt.UTC(), "as the table gives it back: in seconds")
		before := *shared

		c.forward()
		stale := audited{ID: "x", Audit: shared}
		requireOutcome(t, repo.Create(ctx, &stale), trestle.ErrExists, trestle.NotApplied)
		require.Equal(t, before, *shared)

		y := audited{ID: "y"}
		require.NoError(t, repo.Put(ctx, &y))
		require.EqualValues(t, 1, y.Version)
		got, err := repo.Get(ctx, audited{ID: "y"})
		require.NoError(t, err)
		require.Equal(t, y.Version, got.Version)
		require.True(t, y.CreatedAt.Equal(*got.CreatedAt))
		require.True(t, y.UpdatedAt.Equal(got.UpdatedAt))
	})
}

// A zero TTL is absent; any other is a number of seconds.
func TestTimeToLive(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		ctx := t.Context()
		a := ann()
		require.NoError(t, o.accounts.Create(ctx, &a))
		require.NotContains(t, o.storedAccount(t, "acme", "ann"), "expires")
		a.Expires = time.Now().AddDate(1, 0, 0).Truncate(time.Second).UTC()
		require.NoError(t, o.accounts.Put(ctx, &a))
		require.Equal(t, avN(strconv.FormatInt(a.Expires.Unix(), 10)), o.storedAccount(t, "acme", "ann")["expires"])
		got, err := o.accounts.Get(ctx, annKey())
		require.NoError(t, err)
		require.True(t, a.Expires.Equal(got.Expires))
	})
}
