package entity_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// booking has every role except a version.
type booking struct {
	_         entity.Key   `type:"booking" pk:"PLACE#<place>" sk:"BOOKING#<id>"`
	_         entity.Index `name:"by-guest" on:"GSI1" pk:"GUEST#<guest>" sk:"BOOKING#<id>"`
	Place     string       `dynamodbav:"place"`
	ID        string       `dynamodbav:"id"`
	Guest     string       `dynamodbav:"guest,omitempty"`
	Odd       string       `dynamodbav:"odd,omitempty"`
	Stars     int          `dynamodbav:"stars"`
	CreatedAt time.Time    `dynamodbav:"created_at" entity:"created"`
	UpdatedAt time.Time    `dynamodbav:"updated_at" entity:"updated"`
	Expires   time.Time    `dynamodbav:"expires" entity:"ttl"`
}

var bookingStars = attr.Must(func(v *booking) *int { return &v.Stars })

// hotel is an office with bookings.
type hotel struct {
	*office
	schema   *entity.Schema
	Bookings *entity.Type[booking]
	bookings *entity.Repo[booking]
}

func newHotel(t testing.TB, client trestle.Client, name string, change ...func(*entity.Config)) *hotel {
	t.Helper()
	o := &office{clock: &clock{}}
	o.client, _ = client.(*dynamodb.Client)
	c := entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: o.clock.now}
	for _, f := range change {
		f(&c)
	}
	s := entity.NewSchema(c)
	h := &hotel{office: o, schema: s, Bookings: entity.Define[booking](s)}
	o.Accounts, o.Notes = entity.Define[account](s), entity.Define[note](s)
	table, err := s.Open(client, name)
	require.NoError(t, err)
	o.table, o.accounts, o.notes, h.bookings = table, o.Accounts.In(table), o.Notes.In(table), h.Bookings.In(table)
	return h
}

func eachHotel(t *testing.T, f func(t *testing.T, h *hotel)) {
	t.Helper()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		h := newHotel(t, e.Client(t), "hotel")
		require.NoError(t, h.table.Create(t.Context()))
		f(t, h)
	})
}

// expiry is in the future of every engine.
var expiry = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)

// numbered returns n bookings.
func numbered(n int) []*booking {
	list := make([]*booking, n)
	for i := range list {
		list[i] = &booking{Place: "p", ID: fmt.Sprintf("%03d", i), Guest: "ann", Expires: expiry}
	}
	return list
}

// unprocessed returns the batch error that err wraps.
func unprocessed(t testing.TB, err error) *trestle.UnprocessedError {
	t.Helper()
	var e *trestle.UnprocessedError
	require.ErrorAs(t, err, &e)
	return e
}

// indexes returns the positions of the failures.
func indexes(e *trestle.UnprocessedError) (list []int) {
	for _, f := range e.Failures {
		list = append(list, f.Index)
	}
	return list
}

// PutMany stores what Put stores, in requests of 25, and stamps the entities after they are stored.
func TestPutManyStoresWhatPutStores(t *testing.T) {
	t.Parallel()
	eachHotel(t, func(t *testing.T, h *hotel) {
		ctx := t.Context()
		h.clock.forward()
		list := numbered(130)
		var progress []entity.BatchProgress
		require.NoError(t, h.bookings.PutMany(ctx, slices.Values(list), entity.Progress(func(p entity.BatchProgress) { progress = append(progress, p) })))
		require.Len(t, progress, 6)
		last := progress[5]
		require.Equal(t, entity.BatchProgress{Consumed: 130, Applied: 130, Requests: 6, Capacity: last.Capacity}, last)
		require.InDelta(t, 260, last.Capacity.Write, 0, "each item costs a unit, and one for its index entry")
		for _, v := range list {
			require.Equal(t, h.clock.now(), v.CreatedAt)
			require.Equal(t, h.clock.now(), v.UpdatedAt)
		}
		single := booking{Place: "q", ID: "000", Guest: "ann", Expires: expiry}
		require.NoError(t, h.bookings.Put(ctx, &single))
		want := h.storedBooking(t, "q", "000")
		for _, name := range []string{"place", "PK"} {
			delete(want, name)
		}
		got := h.storedBooking(t, "p", "000")
		for name, av := range want {
			require.Equal(t, av, got[name], name)
		}
		require.Len(t, got, len(want)+2)
		require.Equal(t, avS("booking"), got["_type"])
		require.Equal(t, avS("GUEST#ann"), got["GSI1PK"])

		created := h.clock.now()
		h.clock.forward()
		require.NoError(t, h.bookings.PutMany(ctx, slices.Values(list[:1])))
		require.Equal(t, created, list[0].CreatedAt)
		require.Equal(t, h.clock.now(), list[0].UpdatedAt)

		gone := func(yield func(booking) bool) {
			for _, v := range list[:60] {
				if !yield(booking{Place: v.Place, ID: v.ID}) {
					return
				}
			}
		}
		require.NoError(t, h.bookings.DeleteMany(ctx, gone))
		require.Nil(t, h.storedBooking(t, "p", "059"))
		require.NotNil(t, h.storedBooking(t, "p", "060"))
		require.NoError(t, h.bookings.DeleteMany(ctx, gone), "deleting again is no error")

		require.NoError(t, h.bookings.PutMany(ctx, nil))
		require.NoError(t, h.bookings.PutMany(ctx, slices.Values[[]*booking](nil), nil))
	})
}

func (h *hotel) storedBooking(t testing.TB, place, id string) map[string]types.AttributeValue {
	t.Helper()
	key, err := h.Bookings.KeyOf(booking{Place: place, ID: id})
	require.NoError(t, err)
	return stored(t, h.client, h.table.Name(), key)
}

// Puts of a versioned type check their versions. A failure of one does not affect the others.
func TestPutManyChecksVersions(t *testing.T) {
	t.Parallel()
	eachHotel(t, func(t *testing.T, h *hotel) {
		ctx := t.Context()
		var list []*account
		for i := range 30 {
			list = append(list, &account{Org: "acme", ID: fmt.Sprint(i), Status: "new"})
		}
		require.NoError(t, h.accounts.PutMany(ctx, slices.Values(list)))
		for _, a := range list {
			require.EqualValues(t, 1, a.Version)
		}
		stale := *list[7]
		require.NoError(t, h.accounts.Put(ctx, list[7]))
		again := slices.Clone(list)
		again[7] = &stale
		again[9] = &account{Org: "acme", ID: "9"}
		err := h.accounts.PutMany(ctx, slices.Values(again), entity.Concurrency(3))
		requireOutcome(t, err, trestle.ErrStale, trestle.NotApplied)
		e := unprocessed(t, err)
		require.Equal(t, []int{7, 9}, indexes(e))
		require.Equal(t, []*account{&stale, again[9]}, trestle.Unprocessed[*account](err))
		require.Equal(t, 30, e.Consumed)
		for _, f := range e.Failures {
			require.ErrorIs(t, f.Err, trestle.ErrStale)
			require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(f.Err))
			met, ok := entity.ItemFromError[account](f.Err)
			require.True(t, ok)
			require.Equal(t, fmt.Sprint(f.Index), met.ID)
		}
		require.EqualValues(t, 1, stale.Version, "not stamped")
		require.EqualValues(t, 2, list[0].Version)
		require.EqualValues(t, 2, list[7].Version)

		err = h.accounts.DeleteMany(ctx, slices.Values([]account{*list[0], {Org: "acme", ID: "1"}, stale, {Org: "acme"}}))
		require.ErrorIs(t, err, trestle.ErrStale)
		require.ErrorIs(t, err, trestle.ErrInvalid)
		require.Equal(t, []int{2, 3}, indexes(unprocessed(t, err)))
		require.Nil(t, h.storedAccount(t, "acme", "0"))
		require.Nil(t, h.storedAccount(t, "acme", "1"))
		require.NotNil(t, h.storedAccount(t, "acme", "7"))
	})
}

// patron has a unique value.
type patron struct {
	_    entity.Key `type:"patron" pk:"PATRON#<id>" sk:"PATRON"`
	ID   string     `dynamodbav:"id"`
	Mail string     `dynamodbav:"mail" entity:"unique"`
}

// Puts and deletes of a type with unique values keep their guards. Of several entities with one
// value, the first gets it.
func TestPutManyKeepsUniqueValues(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{})
		all := entity.Define[patron](s)
		table, err := s.Open(e.Client(t), "patrons")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		patrons := all.In(table)
		var list []*patron
		for i := range 40 {
			list = append(list, &patron{ID: fmt.Sprint(i), Mail: fmt.Sprintf("m%d@example.com", i%30)})
		}
		err = patrons.PutMany(t.Context(), slices.Values(list), entity.Concurrency(8))
		requireOutcome(t, err, trestle.ErrTaken, trestle.NotApplied)
		require.Equal(t, list[30:], trestle.Unprocessed[*patron](err))
		require.ErrorIs(t, unprocessed(t, err).Err, trestle.ErrTaken, "the same reason for all")

		var gone []patron
		for _, m := range list[:30] {
			gone = append(gone, patron{ID: m.ID})
		}
		require.NoError(t, patrons.DeleteMany(t.Context(), slices.Values(gone)))
		require.NoError(t, patrons.PutMany(t.Context(), slices.Values(list[30:])), "the values are free again")
	})
}

// storedAccount reads from the table of the hotel.
func (h *hotel) storedAccount(t testing.TB, org, id string) map[string]types.AttributeValue {
	t.Helper()
	key, err := h.Accounts.KeyOf(account{Org: org, ID: id})
	require.NoError(t, err)
	return stored(t, h.client, h.table.Name(), key)
}

// operations returns a sequence of operations.
func operations(list ...entity.Operation) iter.Seq[entity.Operation] { return slices.Values(list) }

// WriteMany sends every kind of write, of several types and tables. Operations that cannot be sent
// are reported and do not stop it.
func TestWriteManyOfEveryVerb(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		h, second := newHotel(t, client, "hotel"), newHotel(t, client, "second")
		other := newHotel(t, canned(refuses(400, "AccessDeniedException", "m")), "hotel")
		require.NoError(t, h.table.Create(t.Context()))
		require.NoError(t, second.table.Create(t.Context()))
		ctx := t.Context()
		require.NoError(t, h.notes.PutMany(ctx, slices.Values([]*note{{ID: "old"}, {ID: "add", Count: 1}, {ID: "checked", Count: 4}, {ID: "gone", Count: 1}})))
		a := ann()
		first := &booking{Place: "p", ID: "1"}
		list := []entity.Operation{
			0:  h.bookings.Op().Put(first),
			1:  h.notes.Op().Create(&note{ID: "new", Text: "x"}),
			2:  h.notes.Op().Create(&note{ID: "old", Text: "x"}),
			3:  h.notes.Op().Delete(note{ID: "gone"}, noteCount.Eq(1)),
			4:  h.notes.Op().Update(note{ID: "add"}, attr.Add(noteCount, 2)),
			5:  h.notes.Op().Upsert(note{ID: "upserted"}, noteText.Set("u")),
			6:  h.notes.Op().Check(note{ID: "checked"}, noteCount.Eq(4)),
			7:  h.notes.Op().Check(note{ID: "checked"}, noteCount.Eq(5)),
			8:  h.accounts.Op().Overwrite(&a),
			9:  second.bookings.Op().Put(&booking{Place: "q", ID: "2"}),
			10: second.notes.Op().Put(&note{ID: "second"}).Once("token-1"),
			11: h.notes.Op().Get(note{ID: "old"}),
			12: other.notes.Op().Put(&note{ID: "other"}),
			13: nil,
			14: (*entity.Op[note])(nil),
			15: h.notes.Op().Put(nil),
			16: h.notes.Op().Put(&note{ID: "long", Text: strings.Repeat("x", 500_000)}),
			17: h.notes.Op().Put(&note{ID: "back", Text: "y"}).Return(trestle.AllOld),
			18: h.bookings.Op().Update(booking{Place: "p", ID: "1"}, bookingStars.Set(5)),
		}
		err := entity.WriteMany(ctx, operations(list...))
		got := unprocessed(t, err)
		require.Equal(t, []int{2, 7, 11, 12, 13, 14, 15, 16}, indexes(got))
		for _, f := range got.Failures {
			want := trestle.ErrInvalid
			switch f.Index {
			case 2:
				want = trestle.ErrExists
			case 7:
				want = trestle.ErrCondition
			case 16:
				want = trestle.ErrLimit
			}
			require.ErrorIs(t, f.Err, want, f.Index)
			require.Equal(t, list[f.Index], f.Argument())
			if f.Index != 11 {
				require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(f.Err), f.Index)
			}
		}
		require.Len(t, trestle.Unprocessed[entity.Operation](err), 7, "without the nil operation")
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))

		for id, want := range map[string]*note{
			"old": {ID: "old"}, "new": {ID: "new", Text: "x"}, "gone": nil, "add": {ID: "add", Count: 3}, "upserted": {ID: "upserted", Text: "u"},
			"checked": {ID: "checked", Count: 4}, "back": {ID: "back", Text: "y"}, "long": nil, "other": nil,
		} {
			n, err := h.notes.Strong().Get(ctx, note{ID: id})
			if want == nil {
				require.ErrorIs(t, err, trestle.ErrNotFound, id)
				continue
			}
			require.NoError(t, err, id)
			require.Equal(t, *want, n)
		}
		require.EqualValues(t, 1, a.Version)
		require.NotNil(t, h.storedAccount(t, "acme", "ann"))
		require.NotNil(t, second.storedBooking(t, "q", "2"))
		require.Nil(t, second.storedBooking(t, "p", "1"))
		require.Equal(t, avN("5"), h.storedBooking(t, "p", "1")["stars"], "after the put of the same item")
		_, err = second.notes.Get(ctx, note{ID: "second"})
		require.NoError(t, err)
	})
}

// If DynamoDB rejects a request because of one item, the other items are stored, and only that one
// is reported.
func TestPutManyFindsTheInvalidItem(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		h := newHotel(t, e.Client(t), "hotel")
		in := h.schema.Definition("hotel")
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: aws.String("odd"), AttributeType: types.ScalarAttributeTypeN})
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName: aws.String("odd"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
			KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("odd"), KeyType: types.KeyTypeHash}},
		})
		_, err := h.client.CreateTable(t.Context(), in)
		require.NoError(t, err)
		list := numbered(60)
		list[11].Odd, list[40].Odd, list[59].Odd = "text", "text", "text"
		err = h.bookings.PutMany(t.Context(), slices.Values(list))
		got := unprocessed(t, err)
		require.Equal(t, []int{11, 40, 59}, indexes(got))
		var failed *trestle.OpError
		require.ErrorAs(t, got.Failures[0].Err, &failed)
		require.Equal(t, "put", failed.Op)
		require.Equal(t, "booking", failed.Entity)
		require.Equal(t, avS("BOOKING#011"), failed.Key["SK"])
		require.NotEmpty(t, failed.Hint)
		require.Equal(t, trestle.NotApplied, failed.Outcome)
		for i, v := range list {
			require.Equal(t, v.Odd != "", h.storedBooking(t, "p", v.ID) == nil, i)
			require.Equal(t, v.Odd != "", v.CreatedAt.IsZero(), "stamped if it is stored")
		}
	})
}

// A repository that cannot be used is an error of the call, and nothing is taken from the sequence.
func TestPutManyOfAnUnboundRepository(t *testing.T) {
	t.Parallel()
	h := newHotel(t, canned(says(200, `{}`)), "hotel")
	stranger := entity.Define[booking](entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}}))
	for _, repo := range []*entity.Repo[booking]{nil, {}, stranger.In(h.table)} {
		err := repo.PutMany(t.Context(), func(func(*booking) bool) { t.Error("taken") })
		requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
		require.NotErrorAs(t, err, new(*trestle.UnprocessedError))
		requireOutcome(t, repo.DeleteMany(t.Context(), nil), trestle.ErrInvalid, trestle.NotApplied)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := h.bookings.PutMany(ctx, func(func(*booking) bool) { t.Error("taken") })
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, unprocessed(t, err).Consumed)
}
