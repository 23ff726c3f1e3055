package query_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// consignment belongs to a tenant, expires, and is on sharded indexes with different projections.
// Its label is unique.
type consignment struct {
	_ entity.Key    `type:"consignment" pk:"T#<tenant>" sk:"P#<id>" lifetime:"60s"`
	_ entity.Index  `name:"all" on:"Whole" pk:"T#<tenant>#<state>#<shard:id>" sk:"<rank:02>#<id>" shards:"3"`
	_ entity.Index  `name:"keys" on:"Keys" pk:"T#<tenant>#<state>#<shard:id>" sk:"<rank:02>#<id>" shards:"3"`
	_ entity.Index  `name:"part" on:"Part" pk:"T#<tenant>#<state>#<shard:id>" sk:"<rank:02>#<id>" shards:"3"`
	_ entity.Unique `name:"label" key:"<label>"`

	Tenant  string `dynamodbav:"tenant" entity:"tenant"`
	ID      string `dynamodbav:"id"`
	State   string `dynamodbav:"state,omitempty"` // absent: the item is not on the indexes
	Rank    int    `dynamodbav:"rank"`
	Label   string `dynamodbav:"label"`
	Note    string `dynamodbav:"note"`
	Expires int64  `dynamodbav:"expires" entity:"ttl"`
}

var (
	consignmentRank  = attr.Must(func(p *consignment) *int { return &p.Rank })
	consignmentNote  = attr.Must(func(p *consignment) *string { return &p.Note })
	consignmentState = attr.Must(func(p *consignment) *string { return &p.State })
)

// The IDs of the tenants are parts of one another.
var consignmentTenants = []string{"a", "a#open", "a#", "ab"}

// depot is a table of consignments, and a model that holds those which it must have, also expired
// ones.
type depot struct {
	rnd    *rand.Rand
	now    int64 // ahead of the engine's clock, which therefore deletes none
	table  *entity.Table
	typ    *entity.Type[consignment]
	stored map[string]consignment // by tenant and ID
}

func newDepot(t *testing.T, client *dynamodb.Client, seed uint64) *depot {
	t.Helper()
	d := &depot{rnd: rand.New(rand.NewPCG(seed, 2)), now: time.Now().Add(time.Hour).Unix(), stored: map[string]consignment{}}
	indexes := projections("", "G")
	indexes[2].Include = []string{"note", "expires"}
	s := entity.NewSchema(entity.Config{Indexes: indexes, Clock: func() time.Time { return time.Unix(d.now, 0) }})
	d.typ = entity.Define[consignment](s)
	var err error
	d.table, err = s.Open(client, "depot", entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, d.table.Create(t.Context()))
	return d
}

func (d *depot) repo(tenant string) *entity.Repo[consignment] {
	return d.typ.In(d.table.Tenant(tenant))
}

func (p consignment) place() string { return p.Tenant + "|" + p.ID }

// live returns a consignment that has not expired.
func (d *depot) live(key consignment) (consignment, bool) {
	p, found := d.stored[key.place()]
	return p, found && p.Expires > d.now
}

// taken reports whether another consignment of the tenant has a label. It may be expired: then a
// write takes its label over.
func (d *depot) taken(p consignment) bool {
	for _, other := range d.stored {
		if other.Tenant == p.Tenant && other.Label == p.Label && other.ID != p.ID && other.Expires > d.now {
			return true
		}
	}
	return false
}

// change sends a random write, and returns an error unless its result is that of the model.
func (d *depot) change(ctx context.Context) error {
	d.now += d.rnd.Int64N(4)
	key := consignment{Tenant: pick(d.rnd, consignmentTenants...), ID: fmt.Sprint(d.rnd.IntN(12))}
	repo := d.repo(key.Tenant)
	p := key
	p.State, p.Rank, p.Note = pick(d.rnd, "open", "open#0", "done", ""), d.rnd.IntN(8), pick(d.rnd, "red", "reddish", "blue")
	p.Label = pick(d.rnd, p.ID, fmt.Sprint(d.rnd.IntN(12)))
	if d.rnd.IntN(2) == 0 {
		p.Expires = d.now + d.rnd.Int64N(80)
	}
	have, lives := d.live(key)
	var err, want error
	switch d.rnd.IntN(6) {
	case 0:
		given := p
		err = repo.Create(ctx, &given)
		switch {
		case lives:
			want = trestle.ErrExists
		case d.taken(p):
			want = trestle.ErrTaken
		default:
			d.store(p)
		}
	case 1, 2:
		given := p
		if err = repo.Put(ctx, &given); d.taken(p) {
			want = trestle.ErrTaken
		} else {
			d.store(p)
		}
	case 3, 4:
		if _, err = repo.Update(ctx, key, consignmentRank.Set(p.Rank), consignmentNote.Set(p.Note), consignmentState.Set(cmp.Or(p.State, "done"))); lives {
			have.Rank, have.Note, have.State = p.Rank, p.Note, cmp.Or(p.State, "done")
			d.stored[key.place()] = have
		} else {
			want = trestle.ErrNotFound
		}
	default:
		err = repo.Delete(ctx, key)
		delete(d.stored, key.place())
	}
	if !errors.Is(err, want) {
		return fmt.Errorf("%+v returned %w, not %w", p, err, want)
	}
	return nil
}

// store stores a whole consignment in the model.
func (d *depot) store(p consignment) {
	if p.Expires == 0 {
		p.Expires = d.now + 60
	}
	d.stored[p.place()] = p
}

// consignmentQuery is a random query of the consignments of a tenant in a state.
type consignmentQuery struct {
	tenant, state, note string
	low, high, limit    int
	desc                bool
}

func (d *depot) randomQuery() consignmentQuery {
	q := consignmentQuery{
		tenant: pick(d.rnd, consignmentTenants...), state: pick(d.rnd, "open", "open#0", "done"), note: pick(d.rnd, "", "red"),
		low: d.rnd.IntN(4), limit: 1 + d.rnd.IntN(4), desc: d.rnd.IntN(2) == 0,
	}
	q.high = q.low + d.rnd.IntN(8)
	return q
}

// on returns the query of an index.
func (q consignmentQuery) on(repo *entity.Repo[consignment], index string) query.Query[consignment] {
	found := query.On(repo, index, consignment{Tenant: q.tenant, State: q.state}).Where(consignmentRank.Between(q.low, q.high)).Fetch().Limit(q.limit)
	if q.note != "" {
		found = found.Filter(attr.BeginsWith(consignmentNote, q.note))
	}
	if q.desc {
		found = found.Desc()
	}
	return found
}

// want returns what the query must find.
func (d *depot) want(q consignmentQuery) (list []consignment) {
	for _, p := range d.stored {
		if p.Tenant == q.tenant && p.State == q.state && p.Expires > d.now && q.low <= p.Rank && p.Rank <= q.high && (q.note == "" || p.Note != "blue") {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b consignment) int {
		if q.desc {
			a, b = b, a
		}
		return cmp.Or(a.Rank-b.Rank, cmp.Compare(a.ID, b.ID))
	})
	return list
}

// read reads all pages of a query on an index, and returns an error unless it is that of the model.
func (d *depot) read(ctx context.Context, q consignmentQuery, index string, o ...entity.CallOption) error {
	var got []consignment
	for cursor := ""; ; {
		page, err := q.on(d.repo(q.tenant).With(o...), index).Page(ctx, cursor)
		if err != nil {
			return err
		}
		if len(page.Items) > q.limit || page.Gone > 0 {
			return fmt.Errorf("%d of %d items, %d are gone", len(page.Items), q.limit, page.Gone)
		}
		if got, cursor = append(got, page.Items...), page.Next; cursor == "" {
			break
		}
	}
	if want := d.want(q); !slices.Equal(got, want) {
		return fmt.Errorf("%+v on %s returned %v, not %v", q, index, got, want)
	}
	if index == "keys" {
		return nil // a count does not fetch, so it is refused
	}
	n, err := q.on(d.repo(q.tenant), index).Count(ctx)
	if err == nil && n != min(len(got), q.limit) {
		err = fmt.Errorf("counted %d of %d", n, len(got))
	}
	return err
}

// Tenants, lifetimes, unique values, shards, projections and Fetch together agree with a model. The
// negative control reads without the check for expired items, and must find others.
func TestCombinedFeaturesAgreeWithModel(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		d, caught, items := newDepot(t, e.Client(t), seed), 0, 0
		writes := testsize.Sequential(100, 200, 400, 10_000)
		if e.Name == engines.DynamoDBLocal {
			writes = testsize.Sequential(100, 100, 150, 5_000)
		}
		for i := range writes {
			require.NoError(t, d.change(t.Context()), "write %d", i)
			q := d.randomQuery()
			index := pick(d.rnd, "all", "keys", "part")
			require.NoError(t, d.read(t.Context(), q, index), "after write %d", i)
			if d.read(t.Context(), q, index, entity.ShowExpired()) != nil {
				caught++
			}
			items += len(d.want(q))
		}
		require.Positive(t, items)
		require.Positive(t, caught, "the negative control")
	})
}
