package lock_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/lock"
	"github.com/trestledb/trestle/tx"
)

// All mistakes are reported before a request is sent.
func TestMistakes(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	ctx := t.Context()
	alice, _ := newPrograms(t, db.Client())
	numbers, err := entity.NewSchema(entity.Config{Partition: entity.N("id")}).Open(db.Client(), "numbers")
	require.NoError(t, err)
	own, err := entity.NewSchema(entity.Config{TTL: "until"}).Open(db.Client(), "own")
	require.NoError(t, err)
	sent := len(db.Requests())
	for name, c := range map[string]struct {
		locks *lock.Locks
		name  string
		kind  error
	}{
		"nil":            {nil, "a", trestle.ErrInvalid},
		"zero":           {new(lock.Locks), "a", trestle.ErrInvalid},
		"no table":       {lock.New(nil, "jobs", lock.Config{}), "a", trestle.ErrInvalid},
		"no family":      {lock.New(alice.table, "", lock.Config{}), "a", trestle.ErrInvalid},
		"family":         {lock.New(alice.table, "\xff", lock.Config{}), "a", trestle.ErrInvalid},
		"no name":        {alice.locks(lock.Config{}), "", trestle.ErrInvalid},
		"name":           {alice.locks(lock.Config{}), "\xff", trestle.ErrInvalid},
		"long name":      {alice.locks(lock.Config{}), strings.Repeat("a", 2048), trestle.ErrLimit},
		"lease":          {alice.locks(lock.Config{Lease: time.Millisecond}), "a", trestle.ErrInvalid},
		"negative lease": {alice.locks(lock.Config{Lease: -1}), "a", trestle.ErrInvalid},
		"long lease":     {alice.locks(lock.Config{Lease: math.MaxInt64}), "a", trestle.ErrInvalid},
		"skew":           {alice.locks(lock.Config{Skew: -1}), "a", trestle.ErrInvalid},
		"long skew":      {alice.locks(lock.Config{Skew: math.MaxInt64}), "a", trestle.ErrInvalid},
		"long poll":      {alice.locks(lock.Config{Poll: math.MaxInt64}), "a", trestle.ErrInvalid},
		"long keep":      {alice.locks(lock.Config{Keep: math.MaxInt64}), "a", trestle.ErrInvalid},
		"poll":           {alice.locks(lock.Config{Poll: -1}), "a", trestle.ErrInvalid},
		"keep":           {alice.locks(lock.Config{Keep: time.Hour}), "a", trestle.ErrInvalid},
		"number key":     {lock.New(numbers, "jobs", lock.Config{}), "a", trestle.ErrInvalid},
		"attribute":      {lock.New(own, "jobs", lock.Config{}), "a", trestle.ErrInvalid},
	} {
		_, err := c.locks.TryAcquire(ctx, c.name)
		require.ErrorIs(t, err, c.kind, name)
		_, err = c.locks.Acquire(ctx, c.name)
		require.ErrorIs(t, err, c.kind, name)
		_, err = c.locks.Read(ctx, c.name)
		require.ErrorIs(t, err, c.kind, name)
		err = c.locks.Do(ctx, c.name, func(context.Context, *lock.Lease) error { t.Error("called"); return nil })
		require.ErrorIs(t, err, c.kind, name)
		err = c.locks.TryDo(ctx, c.name, func(context.Context, *lock.Lease) error { t.Error("called"); return nil })
		require.ErrorIs(t, err, c.kind, name)
	}
	require.ErrorIs(t, alice.locks(lock.Config{}).Do(ctx, "a", nil), trestle.ErrInvalid)
	require.ErrorIs(t, alice.locks(lock.Config{}).TryDo(ctx, "a", nil), trestle.ErrInvalid)
	for _, held := range []*lock.Lease{nil, {}} {
		require.ErrorIs(t, held.Renew(ctx), trestle.ErrInvalid)
		require.ErrorIs(t, held.Release(ctx), trestle.ErrInvalid)
		require.ErrorIs(t, tx.Write(ctx, held.Check()), trestle.ErrInvalid)
		require.False(t, held.Held())
		require.Zero(t, held.Fence())
		require.Zero(t, held.Until())
		require.Empty(t, held.Name())
	}
	require.Len(t, db.Requests(), sent, "nothing is sent")
}

// No error shows a name or a family's key.
func TestErrorsShowNoName(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	ctx := t.Context()
	alice, bob := newPrograms(t, db.Client())
	const secret = "secretName"
	held, err := alice.locks(lock.Config{}).TryAcquire(ctx, secret)
	require.NoError(t, err)
	_, err = bob.locks(lock.Config{}).TryAcquire(ctx, secret)
	require.ErrorIs(t, err, lock.ErrHeld)
	bob.sleeps(time.Hour)
	_, taken := bob.locks(lock.Config{}).TryAcquire(ctx, secret)
	require.NoError(t, taken)
	for _, err := range []error{err, held.Renew(ctx), held.Release(ctx), tx.Write(ctx, held.Check(), alice.pages.In(alice.table).Op().Create(&page{ID: "p"}))} {
		require.Error(t, err)
		require.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, err), secret)
	}
}

// The locks of each tenant are their own.
func TestTenants(t *testing.T) {
	t.Parallel()
	type photo struct {
		_    entity.Key `type:"photo" pk:"TENANT#<user>" sk:"PHOTO#<id>"`
		User string     `dynamodbav:"user" entity:"tenant"`
		ID   string     `dynamodbav:"id"`
	}
	schema := entity.NewSchema(entity.Config{})
	photos := entity.Define[photo](schema)
	table, err := schema.Open(ddbtest.Client(t), "photos")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	for _, user := range []string{"u1", "u2"} {
		locks := lock.New(table.Tenant(user), "jobs", lock.Config{})
		held, err := locks.TryAcquire(t.Context(), "a")
		require.NoError(t, err)
		_, err = locks.TryAcquire(t.Context(), "a")
		require.ErrorIs(t, err, lock.ErrHeld)
		require.NoError(t, held.Renew(t.Context()))
	}
	held, err := lock.New(table, "jobs", lock.Config{}).TryAcquire(t.Context(), "a")
	require.NoError(t, err)
	require.NoError(t, tx.Write(t.Context(), held.Check(), photos.In(table).Op().Create(&photo{User: "u1", ID: "p"})))
	require.ErrorIs(t, tx.Write(t.Context(), held.Check(), photos.In(table.Tenant("u1")).Op().Delete(photo{ID: "p"})), trestle.ErrInvalid)
	require.NoError(t, held.Release(t.Context()))
	held, err = lock.New(table.Tenant("u1"), "jobs", lock.Config{}).TryAcquire(t.Context(), "b")
	require.NoError(t, err)
	require.NoError(t, tx.Write(t.Context(), held.Check(), photos.In(table.Tenant("u1")).Op().Delete(photo{ID: "p"})))
	require.ErrorIs(t, tx.Write(t.Context(), held.Check(), photos.In(table).Op().Create(&photo{User: "u1", ID: "p"})), trestle.ErrInvalid)
}
