package entity_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/tx"
)

// voucher lives for an hour, unless it has a time to live.
type voucher struct {
	_       entity.Key `type:"voucher" pk:"VOUCHER#<id>" sk:"VOUCHER" lifetime:"1h"`
	ID      string     `dynamodbav:"id"`
	Text    string     `dynamodbav:"text"`
	Expires time.Time  `dynamodbav:"expires" entity:"ttl"`
}

// coupon is a voucher whose time to live is a number, declared by a spec.
type coupon struct {
	ID      string `dynamodbav:"id"`
	Text    string `dynamodbav:"text"`
	Expires int64  `dynamodbav:"expires"`
}

var (
	voucherText    = attr.Must(func(v *voucher) *string { return &v.Text })
	voucherExpires = attr.Must(func(v *voucher) *time.Time { return &v.Expires })
	couponText     = attr.Must(func(c *coupon) *string { return &c.Text })
	couponExpires  = attr.Must(func(c *coupon) *int64 { return &c.Expires })
)

// A write that stores a whole item sets its time to live if it has none, to the second that the
// caller gets too. A time to live that is set stays.
func TestLifetime(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		now := time.Now().UTC().Add(time.Hour)
		s := entity.NewSchema(entity.Config{Clock: func() time.Time { return now }})
		voucherType := entity.Define[voucher](s)
		couponType := entity.DefineSpec[coupon](s, entity.Spec{
			Type: "coupon", Key: entity.KeySpec{PK: "COUPON#<id>", SK: "COUPON", Lifetime: time.Hour}, Roles: map[string]string{"expires": "ttl"},
		})
		table, err := s.Open(e.Client(t), "shop")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		vouchers, coupons := voucherType.In(table), couponType.In(table)
		ctx, end := t.Context(), now.Add(time.Hour).Truncate(time.Second)
		for name, write := range map[string]func(*voucher) error{
			"create":      func(v *voucher) error { return vouchers.Create(ctx, v) },
			"put":         func(v *voucher) error { return vouchers.Put(ctx, v) },
			"overwrite":   func(v *voucher) error { return vouchers.Overwrite(ctx, v) },
			"put many":    func(v *voucher) error { return vouchers.PutMany(ctx, slices.Values([]*voucher{v})) },
			"transaction": func(v *voucher) error { return tx.Write(ctx, vouchers.Op().Put(v)) },
			"move": func(v *voucher) error {
				require.NoError(t, vouchers.Put(ctx, &voucher{ID: "old", Expires: end.Add(time.Minute)}))
				return tx.Write(ctx, tx.Move(vouchers, voucher{ID: "old"}, v))
			},
		} {
			for id, given := range map[string]time.Time{name: {}, name + ", given": end.Add(time.Minute)} {
				v, want := voucher{ID: id, Expires: given}, given
				if given.IsZero() {
					want = end
				}
				require.NoError(t, write(&v), id)
				require.True(t, want.Equal(v.Expires), id)
				stored, err := vouchers.Get(ctx, voucher{ID: id})
				require.NoError(t, err)
				require.True(t, want.Equal(stored.Expires), id)
			}
		}
		v, err := vouchers.Upsert(ctx, voucher{ID: "up"}, voucherText.Set("a"))
		require.NoError(t, err)
		require.True(t, end.Equal(v.Expires))
		now = now.Add(time.Minute)
		v, err = vouchers.Upsert(ctx, voucher{ID: "up"}, voucherText.Set("b"))
		require.NoError(t, err)
		require.True(t, end.Equal(v.Expires), "an upsert of an existing item keeps its time to live")
		v, err = vouchers.Upsert(ctx, voucher{ID: "up"}, voucherExpires.Set(end.Add(time.Hour)))
		require.NoError(t, err)
		require.True(t, end.Add(time.Hour).Equal(v.Expires))
		now = end.Add(time.Hour)
		v, err = vouchers.Upsert(ctx, voucher{ID: "up"}, voucherText.Set("anew"))
		require.NoError(t, err)
		require.True(t, now.Add(time.Hour).Truncate(time.Second).Equal(v.Expires), "an expired item begins anew")

		c := coupon{ID: "c"}
		require.NoError(t, coupons.Create(ctx, &c))
		require.Equal(t, now.Add(time.Hour).Unix(), c.Expires)
		up, err := coupons.Upsert(ctx, coupon{ID: "up"}, couponText.Set("a"))
		require.NoError(t, err)
		require.Equal(t, c.Expires, up.Expires)

		// A time to live in milliseconds is rejected before a request is sent.
		for _, ms := range []int64{now.UnixMilli(), 100_000_000_000} {
			require.ErrorIs(t, coupons.Put(ctx, &coupon{ID: "ms", Expires: ms}), trestle.ErrInvalid)
			_, err = coupons.Update(ctx, coupon{ID: "c"}, couponExpires.Set(ms))
			require.ErrorIs(t, err, trestle.ErrInvalid)
			for _, change := range []attr.Change[coupon]{couponExpires.Set(ms), couponExpires.SetIfAbsent(ms), attr.Add(couponExpires, ms)} {
				for _, r := range []*entity.Repo[coupon]{coupons, coupons.With(entity.ReadFirst())} {
					_, err = r.Upsert(ctx, coupon{ID: "ms"}, change)
					requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
				}
			}
		}
		later, err := coupons.Update(ctx, coupon{ID: "c"}, attr.Add(couponExpires, 60))
		require.NoError(t, err)
		require.Equal(t, c.Expires+60, later.Expires)
		later, err = coupons.Update(ctx, coupon{ID: "c"}, attr.Add(couponExpires, -60))
		require.NoError(t, err)
		require.Equal(t, c.Expires, later.Expires)
		require.NoError(t, coupons.Put(ctx, &coupon{ID: "late", Expires: 99_999_999_999}))
		_, err = coupons.Get(ctx, coupon{ID: "late"})
		require.NoError(t, err)
	})
}

// A lifetime ends at a whole second, which is rounded down, also if it is set with a fraction.
func TestLifetimesAreRoundedDown(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		second := time.Now().Add(time.Hour).Truncate(time.Second)
		now := second.Add(900 * time.Millisecond)
		s := entity.NewSchema(entity.Config{Clock: func() time.Time { return now }})
		vouchers := entity.Define[voucher](s)
		_, table := open(t, e, s)
		for _, v := range []voucher{{ID: "lifetime"}, {ID: "given", Expires: now.Add(time.Hour)}} {
			now = second.Add(900 * time.Millisecond)
			require.NoError(t, vouchers.In(table).Create(ctx, &v))
			stored, err := vouchers.In(table).Get(ctx, v)
			require.NoError(t, err)
			require.True(t, second.Add(time.Hour).Equal(stored.Expires), v.ID)
			now = second.Add(time.Hour - 1)
			_, err = vouchers.In(table).Get(ctx, v)
			require.NoError(t, err)
			now = second.Add(time.Hour)
			_, err = vouchers.In(table).Get(ctx, v)
			require.ErrorIs(t, err, trestle.ErrNotFound, "0.9 s before the lifetime has passed")
		}
	})
}
