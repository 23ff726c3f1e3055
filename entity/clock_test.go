package entity_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/lock"
	"github.com/trestledb/trestle/tx"
)

// A table opened with a clock uses it for lifetimes, expired items and leases. Another table of the
// same schema, opened without one or with nil, keeps the schema's clock.
func TestClockOfATable(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		schemas := time.Now().Truncate(time.Second)
		own := schemas.Add(24 * time.Hour)
		s := entity.NewSchema(entity.Config{Clock: func() time.Time { return schemas }})
		vouchers := entity.Define[voucher](s)
		client := e.Client(t)
		table, err := s.Open(client, "things", entity.Clock(func() time.Time { return own }))
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		v := voucher{ID: "a"}
		require.NoError(t, vouchers.In(table).Create(ctx, &v))
		require.True(t, own.Add(time.Hour).Equal(v.Expires))
		held, err := lock.New(table, "l", lock.Config{Lease: time.Minute}).TryAcquire(ctx, "a")
		require.NoError(t, err)
		require.True(t, own.Add(time.Minute).Equal(held.Until()))

		own = own.Add(time.Hour)
		_, err = vouchers.In(table).Get(ctx, voucher{ID: "a"})
		require.ErrorIs(t, err, trestle.ErrNotFound)
		for _, options := range [][]entity.TableOption{nil, {entity.Clock(nil)}} {
			control, err := s.Open(client, "things", options...)
			require.NoError(t, err)
			_, err = vouchers.In(control).Get(ctx, voucher{ID: "a"})
			require.NoError(t, err)
			first, second := voucher{ID: "1"}, voucher{ID: "2"}
			require.NoError(t, tx.Write(ctx, vouchers.In(control).Op().Put(&first), vouchers.In(table).Op().Put(&second)))
			require.True(t, schemas.Add(time.Hour).Equal(first.Expires))
			require.True(t, schemas.Add(time.Hour).Equal(second.Expires), "a transaction has one time")
		}
	})
}

// In a bubble, the library and the database have one clock without an option, until the test
// advances that of the database.
func TestClockInABubble(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, db := t.Context(), ddbtest.Start(t, ddbtest.Options{TTLDelay: 48 * time.Hour})
		s := entity.NewSchema(entity.Config{})
		vouchers := entity.Define[voucher](s)
		table, err := s.Open(db.Client(), "things")
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		follows, err := s.Open(db.Client(), "things", entity.Clock(db.Now))
		require.NoError(t, err)
		get := func(in *entity.Table) error {
			_, err := vouchers.In(in).Get(ctx, voucher{ID: "a"})
			return err
		}
		require.NoError(t, vouchers.In(table).Create(ctx, &voucher{ID: "a"}))
		require.NoError(t, get(table))
		time.Sleep(time.Hour) //nolint:forbidigo // it is the time of a bubble
		require.ErrorIs(t, get(table), trestle.ErrNotFound)

		require.NoError(t, vouchers.In(table).Create(ctx, &voucher{ID: "a"}))
		db.Advance(time.Hour)
		require.NoError(t, get(table), "time.Now did not move")
		require.ErrorIs(t, get(follows), trestle.ErrNotFound)
	})
}
