package main

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
)

// model is the interface of both models: the existing table and the table of this program.
type model interface {
	everything(context.Context) ([]string, error)
	prefix(context.Context, string) ([]string, error)
	profile(context.Context) ([]string, error)
	addresses(context.Context) ([]string, error)
	information(context.Context) ([]string, error)
	wishes(context.Context) ([]string, error)
	public(context.Context) ([]string, error)
	newest(context.Context) ([]string, error)
	during(context.Context, attr.Period) ([]string, error)
}

// newStore reads this program's table with its data access object.
type newStore struct{ Store }

func (s newStore) everything(ctx context.Context) ([]string, error) {
	return rowsOf(s.Everything(ctx, user))
}

func (s newStore) prefix(ctx context.Context, prefix string) ([]string, error) {
	return rowsOf(query.Items(ctx, s.collection(user).Prefix(prefix)))
}

func (s newStore) profile(ctx context.Context) ([]string, error) {
	p, err := s.Profile(ctx, user)
	rows := make([]string, 0, 3)
	for _, a := range p.Addresses {
		rows = append(rows, rowOf(a))
	}
	return append(rows, rowOf(p.Information)), err
}

func (s newStore) addresses(ctx context.Context) ([]string, error) {
	return rowsOf(s.Addresses(ctx, user))
}

func (s newStore) information(ctx context.Context) ([]string, error) {
	i, err := s.Information(ctx, user)
	return []string{rowOf(i)}, err
}

func (s newStore) wishes(ctx context.Context) ([]string, error) { return rowsOf(s.Wishes(ctx, user)) }

func (s newStore) public(ctx context.Context) ([]string, error) {
	return rowsOf(s.WishesSeenBy(ctx, user, Public))
}

func (s newStore) newest(ctx context.Context) ([]string, error) {
	return rowsOf(s.NewestWishes(ctx, user, Public))
}

func (s newStore) during(ctx context.Context, p attr.Period) ([]string, error) {
	return rowsOf(s.WishesDuring(ctx, user, Public, p))
}

// rowOf returns an item of either model as a row of the existing table: its sort key and its value.
func rowOf(item any) string {
	switch v := item.(type) {
	case Information:
		return "U#Information " + v.Name
	case oldInformation:
		return "U#Information " + v.Name
	case Address:
		return "U#Address#" + v.Name + " " + v.Street
	case oldAddress:
		return "U#Address#" + v.Kind + " " + v.Street
	case Account:
		return "M#Account " + v.JoinedAt.Format(time.DateOnly)
	case oldAccount:
		return "M#Account " + v.Joined
	case Wish:
		return fmt.Sprintf("M#WishList#%s#%s %s", v.Visibility, v.AddedAt.Format(time.RFC3339), v.Product)
	case oldWish:
		return fmt.Sprintf("M#WishList#%s#%s %s", v.Seen, v.Added.Format(time.RFC3339), v.Product)
	case Preference:
		return "P#" + v.Name + " " + v.Value
	case oldPreference:
		return "P#" + v.Kind + " " + v.Value
	default:
		return fmt.Sprintf("%T", item)
	}
}

func rowsOf[T any](items iter.Seq2[T, error]) ([]string, error) {
	var rows []string
	for item, err := range items {
		if err != nil {
			return rows, err
		}
		rows = append(rows, rowOf(item))
	}
	return rows, nil
}

const (
	account  = "M#Account 2019-03-01"
	ring     = "M#WishList#Private#2021-12-02T18:30:00Z ring"
	kite     = "M#WishList#Public#2020-12-31T23:59:59Z kite"
	skis     = "M#WishList#Public#2021-11-24T07:20:00Z skis"
	language = "P#Language nb"
	news     = "P#Newsletter weekly"
	theme    = "P#Theme dark"
	delivery = "U#Address#Delivery Kaien 12"
	home     = "U#Address#Home Nygata 5"
	person   = "U#Information Ada Lind"
)

// requests are the access patterns and their rows in order.
var requests = []struct {
	name string
	send func(context.Context, model) ([]string, error)
	want []string
}{
	{"all", func(ctx context.Context, s model) ([]string, error) { return s.everything(ctx) },
		[]string{account, ring, kite, skis, language, news, theme, delivery, home, person}},
	{"begins with U#", func(ctx context.Context, s model) ([]string, error) { return s.prefix(ctx, "U#") },
		[]string{delivery, home, person}},
	{"begins with M#", func(ctx context.Context, s model) ([]string, error) { return s.prefix(ctx, "M#") },
		[]string{account, ring, kite, skis}},
	{"begins with P#", func(ctx context.Context, s model) ([]string, error) { return s.prefix(ctx, "P#") },
		[]string{language, news, theme}},
	{"begins with u#", func(ctx context.Context, s model) ([]string, error) { return s.prefix(ctx, "u#") }, nil},
	{"begins with U#, loaded into a struct", func(ctx context.Context, s model) ([]string, error) { return s.profile(ctx) },
		[]string{delivery, home, person}},
	{"begins with U#Address", func(ctx context.Context, s model) ([]string, error) { return s.prefix(ctx, "U#Address") },
		[]string{delivery, home}},
	{"addresses", func(ctx context.Context, s model) ([]string, error) { return s.addresses(ctx) },
		[]string{delivery, home}},
	{"equals U#Information", func(ctx context.Context, s model) ([]string, error) { return s.information(ctx) },
		[]string{person}},
	{"begins with M#WishList", func(ctx context.Context, s model) ([]string, error) { return s.prefix(ctx, "M#WishList") },
		[]string{ring, kite, skis}},
	{"wishes", func(ctx context.Context, s model) ([]string, error) { return s.wishes(ctx) },
		[]string{ring, kite, skis}},
	{"public, oldest first", func(ctx context.Context, s model) ([]string, error) { return s.public(ctx) },
		[]string{kite, skis}},
	{"public, newest first", func(ctx context.Context, s model) ([]string, error) { return s.newest(ctx) },
		[]string{skis, kite}},
	{"public of 2021", func(ctx context.Context, s model) ([]string, error) { return s.during(ctx, attr.Year(2021)) },
		[]string{skis}},
	{"public of 2020, including its last second", func(ctx context.Context, s model) ([]string, error) { return s.during(ctx, attr.Year(2020)) },
		[]string{kite}},
	{"public of November 2021", func(ctx context.Context, s model) ([]string, error) {
		return s.during(ctx, attr.Month(2021, time.November))
	}, []string{skis}},
	{"begins with M#WishList#Public#2021", func(ctx context.Context, s model) ([]string, error) {
		return s.prefix(ctx, "M#WishList#Public#2021")
	}, []string{skis}},
	{"begins with M#WishList#Public#2020-12", func(ctx context.Context, s model) ([]string, error) {
		return s.prefix(ctx, "M#WishList#Public#2020-12")
	}, []string{kite}},
	{"public of December 2021, which has only a private wish", func(ctx context.Context, s model) ([]string, error) {
		return s.during(ctx, attr.Month(2021, time.December))
	}, nil},
}

// metered counts requests, items and consumed units of queries.
type metered struct {
	*dynamodb.Client
	got *reads
}

type reads struct {
	requests, count, scanned int
	units                    float64
}

func (m metered) Query(ctx context.Context, in *dynamodb.QueryInput, opts ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	in.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
	out, err := m.Client.Query(ctx, in, opts...)
	if err == nil {
		m.got.add(int(out.Count), int(out.ScannedCount), out.ConsumedCapacity)
	}
	return out, err
}

func (m metered) GetItem(ctx context.Context, in *dynamodb.GetItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	in.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
	out, err := m.Client.GetItem(ctx, in, opts...)
	if err == nil {
		m.got.add(1, 1, out.ConsumedCapacity)
	}
	return out, err
}

func (r *reads) add(count, scanned int, c *types.ConsumedCapacity) {
	r.requests, r.count, r.scanned = r.requests+1, r.count+count, r.scanned+scanned
	r.units += *c.CapacityUnits
}

// Both models return exactly these rows in order for every request. Each takes one request that
// reads no other items.
func TestRequestsReadOnlyTheirRows(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, got := e.Client(t), &reads{}
		createExisting(t, client)
		old, err := oldSchema.Open(metered{client, got}, "Users")
		require.NoError(t, err)
		require.NoError(t, maintain.Check(t.Context(), old))
		typed, err := Schema.Open(metered{client, got}, "wishlist")
		require.NoError(t, err)
		require.NoError(t, typed.Create(t.Context()))
		store := NewStore(typed)
		require.NoError(t, fill(t.Context(), store))

		for _, model := range []struct {
			name  string
			shelf model
		}{{"existing", oldStore{old}}, {"typed", newStore{store}}} {
			for _, r := range requests {
				*got = reads{}
				rows, err := r.send(t.Context(), model.shelf)
				require.NoError(t, err, "%s: %s", model.name, r.name)
				require.Equal(t, r.want, rows, "%s: %s", model.name, r.name)
				n := len(r.want)
				require.Equal(t, reads{requests: 1, count: n, scanned: n, units: got.units}, *got, "%s: %s", model.name, r.name)
				if n > 0 {
					require.InDelta(t, 0.5, got.units, 0, "%s: %s", model.name, r.name)
				}
			}
		}
	})
}

// A page reports its cost. All ten items together have less than 4 KB, so they cost half a unit,
// and one unit if the read is strongly consistent.
func TestPagesReportTheirCost(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table, err := Schema.Open(e.Client(t), "wishlist", entity.PlainCursors())
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		s := NewStore(table)
		require.NoError(t, fill(t.Context(), s))

		page, err := s.collection(user).Page(t.Context(), "")
		require.NoError(t, err)
		require.Len(t, page.Items, 10)
		require.Equal(t, []any{10, 1, trestle.Capacity{Read: 0.5}, ""}, []any{page.Scanned, page.Requests, page.Capacity, page.Next})
		strong, err := query.Of(s.informations.Strong(), Information{UserID: user}).Collection().Prefix("U#").Page(t.Context(), "")
		require.NoError(t, err)
		require.Equal(t, []any{3, 1, trestle.Capacity{Read: 1}}, []any{strong.Scanned, strong.Requests, strong.Capacity})
		none, err := query.Of(s.informations, Information{UserID: "6297d15"}).Collection().Page(t.Context(), "")
		require.NoError(t, err)
		require.Empty(t, none.Items, "keys are case-sensitive: this is another user")

		changed, err := s.informations.Op().Update(Information{UserID: user}, Email.Set("lind@example.com")).Return(trestle.AllNew).Do(t.Context())
		require.NoError(t, err)
		require.Equal(t, trestle.Capacity{Write: 1}, changed.Capacity)
	})
}
