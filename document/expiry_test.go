package document_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/internal/testrand"
)

// All items of a document have the time to live of the root, which is its lifetime if the root has
// none, also in the caller's structs. From that second on, there is no document.
func TestDocumentsExpireAsAWhole(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		ctx := t.Context()
		o := newOrder("one", 1, 2)
		o.Articles[0].Expires = 1
		require.NoError(t, s.orders.Save(ctx, &o))
		end := future.Add(time.Hour)
		require.Equal(t, map[int64]int{end.Unix(): 6}, s.expiries(t), "root, articles, chunk, voucher, guard")
		require.Equal(t, end.Unix(), o.Basket.Expires.Unix())
		require.Equal(t, end.Unix(), o.Articles[0].Expires)
		require.Equal(t, end.Unix(), o.Vouchers[0].Expires.Unix())

		s.clock.advance(time.Hour - time.Nanosecond)
		got, err := s.orders.Read(ctx, orderKey("a"))
		require.NoError(t, err)
		require.Equal(t, goodsOf(&o), goodsOf(&got))

		s.clock.advance(time.Nanosecond)
		for _, options := range [][]document.ReadOption{nil, {document.Strong()}, {document.Unverified()}, {document.Parts("Articles")}} {
			_, err = s.orders.Read(ctx, orderKey("a"), options...)
			require.ErrorIs(t, err, trestle.ErrNotFound)
		}
		require.ErrorIs(t, s.orders.Delete(ctx, orderKey("a")), trestle.ErrNotFound)
		require.NoError(t, s.orders.Clean(ctx, orderKey("a")))
		s.meter.take()
		require.ErrorIs(t, s.orders.Save(ctx, &o), trestle.ErrStale, "although nothing has changed")
		_, requests, _ := s.meter.take()
		require.Zero(t, requests)
	})
}

// A save of a new document begins anew, whatever DynamoDB has deleted of the expired one.
func TestExpiredDocumentsBeginAnew(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		ctx, r := t.Context(), testrand.New(t)
		for range 8 {
			old := newOrder("old", 1, 2, 3)
			old.Vouchers = append(old.Vouchers, voucher{N: "2", Code: "second"})
			require.NoError(t, s.orders.Save(ctx, &old))
			s.clock.advance(2 * time.Hour)
			s.expire(t, r, 0.5)

			fresh := newOrder("new", 2, 4)
			fresh.Vouchers = []voucher{{N: "1", Code: "second"}, {N: "3", Code: "code"}}
			fresh.Basket.Expires = s.clock.now().Add(24 * time.Hour)
			require.NoError(t, s.orders.Save(ctx, &fresh))
			require.Equal(t, int64(1), fresh.Basket.Version)
			for range 2 {
				for _, options := range [][]document.ReadOption{nil, {document.Unverified()}} {
					got, err := s.orders.Read(ctx, orderKey("a"), options...)
					require.NoError(t, err)
					require.Equal(t, goodsOf(&fresh), goodsOf(&got))
				}
				s.expire(t, r, 0.5)
			}
			old.Basket.Name = "late"
			require.ErrorIs(t, s.orders.Save(ctx, &old), trestle.ErrStale)
			require.ErrorIs(t, s.orders.Delete(ctx, old), trestle.ErrStale)
			require.NoError(t, testchecks.Guards(ctx, s.table))
			require.NoError(t, s.orders.Delete(ctx, fresh))
			s.expire(t, r, 1)
			require.Empty(t, s.stored(t))
		}
	})
}

// A save that changes the time of a document rewrites all its items, with new chunks, so DynamoDB
// deletes none of them at the earlier time.
func TestASaveRenewsAllItems(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		ctx := t.Context()
		o := newOrder("one", 1, 2)
		require.NoError(t, s.orders.Save(ctx, &o))
		image := o.Articles[0].Image
		for _, end := range []time.Time{future.Add(5 * time.Hour), future.Add(4 * time.Hour)} {
			o.Basket.Expires = end
			require.NoError(t, s.orders.Save(ctx, &o))
			require.Equal(t, map[int64]int{end.Unix(): 6}, s.expiries(t))
			require.NotEqual(t, image, o.Articles[0].Image, "the value has another reference")
		}
		s.clock.advance(3 * time.Hour)
		s.expire(t, testrand.New(t), 1)
		got, err := s.orders.Read(ctx, orderKey("a"))
		require.NoError(t, err)
		require.Equal(t, goodsOf(&o), goodsOf(&got))

		s.meter.take()
		require.NoError(t, s.orders.Save(ctx, &got))
		_, requests, _ := s.meter.take()
		require.Zero(t, requests, "the time is that of the root already")
		got.Articles[0].Text = "changed"
		require.NoError(t, s.orders.Save(ctx, &got))
		require.Equal(t, image.Value, got.Articles[0].Image.Value)
		require.Equal(t, map[int64]int{future.Add(4 * time.Hour).Unix(): 6}, s.expiries(t))
		got.Basket.Expires = time.Time{}
		require.NoError(t, s.orders.Save(ctx, &got))
		require.Equal(t, map[int64]int{s.clock.now().Add(time.Hour).Unix(): 6}, s.expiries(t), "a lifetime again")
	})
}

// A change of the time is refused before a request is sent, unless everything was read.
func TestRenewalsNeedTheWholeDocument(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		ctx := t.Context()
		o := newOrder("one", 1)
		require.NoError(t, s.orders.Save(ctx, &o))
		refused := func(o *order) {
			t.Helper()
			s.meter.take()
			require.ErrorIs(t, s.orders.Save(ctx, o), trestle.ErrInvalid)
			_, requests, _ := s.meter.take()
			require.Zero(t, requests)
		}
		some, err := s.orders.Read(ctx, orderKey("a"), document.Parts("Articles"))
		require.NoError(t, err)
		some.Articles[0].Text = "changed"
		require.NoError(t, s.orders.Save(ctx, &some), "without a change of the time")
		some.Basket.Expires = some.Basket.Expires.Add(time.Hour)
		refused(&some)

		o, err = s.orders.Read(ctx, orderKey("a"))
		require.NoError(t, err)
		o.Articles[0], err = s.articles.Get(ctx, article{ID: "a", N: 1})
		require.NoError(t, err)
		o.Articles[0].Text = "unread image"
		require.NoError(t, s.orders.Save(ctx, &o), "without a change of the time")
		o.Articles[0], err = s.articles.Get(ctx, article{ID: "a", N: 1})
		require.NoError(t, err)
		o.Basket.Expires = o.Basket.Expires.Add(time.Hour)
		refused(&o)

		o.Basket.Expires = time.Unix(o.Basket.Expires.UnixMilli(), 0)
		refused(&o)
	})
}

// A time that another repository has changed in the root alone is noticed by the next read, and
// corrected by a save.
func TestAnUpdateOfTheTimeIsNoticed(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		ctx := t.Context()
		o := newOrder("one", 1, 2)
		require.NoError(t, s.orders.Save(ctx, &o))
		root, err := s.baskets.Get(ctx, basket{ID: "a"})
		require.NoError(t, err)
		root.Expires = future.Add(2 * time.Hour)
		require.NoError(t, s.baskets.Put(ctx, &root))
		_, err = s.orders.Read(ctx, orderKey("a"))
		require.ErrorIs(t, err, document.ErrIncomplete)
		o, err = s.orders.Read(ctx, orderKey("a"), document.Unverified())
		require.NoError(t, err)
		require.NoError(t, s.orders.Save(ctx, &o))
		require.Equal(t, map[int64]int{future.Add(2 * time.Hour).Unix(): 6}, s.expiries(t))
		_, err = s.orders.Read(ctx, orderKey("a"))
		require.NoError(t, err)
	})
}

// A deleted document that is created again has the same version, and is another document.
func TestASaveOfADeletedDocumentIsStale(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		u := newUsers(t, e.Client(t))
		ctx := t.Context()
		old := small("a")
		require.NoError(t, u.profiles.Save(ctx, &old))
		require.NoError(t, u.profiles.Delete(ctx, key("a")))
		fresh := small("a")
		fresh.Info.Name, fresh.Notes = "new", nil
		require.NoError(t, u.profiles.Save(ctx, &fresh))
		require.Equal(t, old.Info.Version, fresh.Info.Version)
		old.Info.Name = "late"
		require.ErrorIs(t, u.profiles.Save(ctx, &old), trestle.ErrStale)
		require.ErrorIs(t, u.profiles.Delete(ctx, old), trestle.ErrStale)
		got, err := u.profiles.Read(ctx, key("a"))
		require.NoError(t, err)
		require.Equal(t, contentOf(&fresh), contentOf(&got))
	})
}

// Items that other repositories have stored are hidden from the second they expire, too.
func TestExpiredPartsAreHidden(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		ctx := t.Context()
		require.NoError(t, s.baskets.Put(ctx, &basket{ID: "a", Expires: future.Add(2 * time.Hour)}))
		require.NoError(t, s.articles.Put(ctx, &article{ID: "a", N: 1, Expires: future.Add(time.Hour).Unix()}))
		require.NoError(t, s.articles.Put(ctx, &article{ID: "a", N: 2, Expires: future.Add(2 * time.Hour).Unix()}))
		o, err := s.orders.Read(ctx, orderKey("a"))
		require.NoError(t, err)
		require.Len(t, o.Articles, 2)
		s.clock.advance(time.Hour)
		o, err = s.orders.Read(ctx, orderKey("a"))
		require.NoError(t, err)
		require.Len(t, o.Articles, 1)
		o.Basket.Name = "saved"
		require.NoError(t, s.orders.Save(ctx, &o))
	})
}

// The intent of a save lives as long as the chunks that it lists, and until the save is given up.
func TestIntentsExpire(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		ctx := t.Context()
		crash := func(o *order) (expires int64) {
			t.Helper()
			w := &testfaults.Wire{Decide: testfaults.CrashAt(2, testfaults.Drop)}
			require.Error(t, s.process(t, w.Client(s.client, 1)).orders.Save(ctx, o))
			for _, item := range s.stored(t) {
				if item["doc_state"] != nil {
					expires = expiryOf(item)
				}
			}
			s.clock.advance(2 * writeTime)
			require.NoError(t, s.orders.Clean(ctx, orderKey("a")))
			return expires
		}
		o := newOrder("one", 1)
		o.Basket.Expires = future.Add(time.Second)
		require.Greater(t, crash(&o), future.Add(2*writeTime).Unix())
		o.Basket.Expires = future.Add(5 * time.Hour)
		require.Equal(t, future.Add(5*time.Hour).Unix(), crash(&o))
		require.NoError(t, s.orders.Save(ctx, &o))
		o.Basket.Expires = future.Add(time.Hour)
		require.Equal(t, future.Add(5*time.Hour).Unix(), crash(&o), "the former chunks")
		require.Equal(t, map[int64]int{future.Add(5 * time.Hour).Unix(): 5}, s.expiries(t))
	})
}

// The reply to a save is lost. When the save reads the root, the document has expired, and another
// one has the version that the save has stored. Whether it was applied is unknown.
func TestALostReplyBeforeAnotherDocument(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		ctx := t.Context()
		o := newOrder("old", 1)
		require.NoError(t, s.orders.Save(ctx, &o))
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "TransactWriteItems" {
				return testfaults.Lose
			}
			return testfaults.Pass
		}}
		w.Then = func() {
			w.Then = nil
			s.clock.advance(2 * time.Hour)
			fresh := newOrder("new", 1)
			require.NoError(t, s.orders.Save(ctx, &fresh))
			fresh.Basket.Name = "newer"
			require.NoError(t, s.orders.Save(ctx, &fresh))
		}
		o.Articles[0].Text = "changed"
		err := s.process(t, w.Client(s.client, 1)).orders.Save(ctx, &o)
		require.ErrorIs(t, err, trestle.ErrUnknown)
	})
}

// A save by a log makes the time of an order earlier and crashes before the log is applied, so
// articles with a later time are left when the order has expired. They are not of the next order,
// which has that time.
func TestItemsOfAnEarlierDocumentStayHidden(t *testing.T) {
	t.Parallel()
	s := newShop(t, ddbtest.Client(t))
	ctx := t.Context()
	later := future.Add(10 * time.Hour)
	old := newOrder("old", 1, 2)
	old.Basket.Expires, old.Vouchers = later, nil
	require.NoError(t, s.orders.Save(ctx, &old))
	old.Basket.Expires, old.Articles = future.Add(time.Hour), nil
	for n := range 120 {
		old.Articles = append(old.Articles, article{N: 10 + n, Text: "old"})
	}
	crash := testfaults.Pass
	w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
		defer func() {
			if operation == "TransactWriteItems" {
				crash = testfaults.Drop
			}
		}()
		return crash
	}}
	err := s.process(t, w.Client(s.client, 1)).orders.Save(ctx, &old)
	require.Equal(t, trestle.Applied, trestle.OutcomeOf(err))
	s.clock.advance(2 * time.Hour)
	fresh := newOrder("new", 3)
	fresh.Basket.Expires = later
	require.NoError(t, s.orders.Save(ctx, &fresh))
	require.Equal(t, 2+4+2, s.expiries(t)[later.Unix()]-1, "articles and a chunk are left")
	for _, options := range [][]document.ReadOption{nil, {document.Unverified()}} {
		got, err := s.orders.Read(ctx, orderKey("a"), options...)
		require.NoError(t, err)
		require.Equal(t, goodsOf(&fresh), goodsOf(&got))
	}
}

// A document that expires while its chunks are read has expired.
func TestDocumentsExpireBeforeTheirChunksArrive(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		o := newOrder("one", 1, 2)
		require.NoError(t, s.orders.Save(t.Context(), &o))
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "BatchGetItem" {
				s.clock.advance(2 * time.Hour)
			}
			return testfaults.Pass
		}}
		_, err := s.process(t, w.Client(s.client, 1)).orders.Read(t.Context(), orderKey("a"))
		require.ErrorIs(t, err, trestle.ErrNotFound)
	})
}
