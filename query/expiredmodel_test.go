package query_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
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
	"github.com/trestledb/trestle/tx"
)

// pledge expires after 30 seconds, unless it has a time to live.
type pledge struct {
	_       entity.Key `type:"pledge" pk:"FUND#<fund>" sk:"<id>" lifetime:"30s"`
	Fund    string     `dynamodbav:"fund"`
	ID      string     `dynamodbav:"id"`
	Amount  int        `dynamodbav:"amount"`
	Expires int64      `dynamodbav:"expires" entity:"ttl"`
}

var (
	pledgeAmount  = attr.Must(func(p *pledge) *int { return &p.Amount })
	pledgeExpires = attr.Must(func(p *pledge) *int64 { return &p.Expires })
)

// fundModel holds the pledges that a fund must have, also expired ones.
type fundModel struct {
	rnd   *rand.Rand
	now   int64 // ahead of the engine's clock, which therefore deletes none
	repo  *entity.Repo[pledge]
	items map[string]pledge
}

func newFundModel(t *testing.T, client *dynamodb.Client, seed uint64) *fundModel {
	t.Helper()
	m := &fundModel{rnd: rand.New(rand.NewPCG(seed, 1)), now: time.Now().Add(time.Hour).Unix(), items: map[string]pledge{}}
	s := entity.NewSchema(entity.Config{Clock: func() time.Time { return time.Unix(m.now, 0) }})
	pledges := entity.Define[pledge](s)
	table, err := s.Open(client, "fund", entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	m.repo = pledges.In(table)
	return m
}

// live returns a pledge that has not expired.
func (m *fundModel) live(id string) (p pledge, found bool) {
	p, found = m.items[id]
	return p, found && p.Expires > m.now
}

// store stores a whole pledge in the model.
func (m *fundModel) store(p pledge) {
	if p.Expires == 0 {
		p.Expires = m.now + 30
	}
	m.items[p.ID] = p
}

// write sends a random write, and returns an error unless its result is that of the model.
func (m *fundModel) write(ctx context.Context) error {
	m.now += m.rnd.Int64N(5)
	key := pledge{Fund: "f", ID: fmt.Sprint(m.rnd.IntN(6))}
	p := key
	p.Amount, p.Expires = m.rnd.IntN(3), []int64{0, m.now - 1, m.now, m.now + 1, m.now + m.rnd.Int64N(20)}[m.rnd.IntN(5)]
	have, lives := m.live(p.ID)
	var err, want error
	missing := func(is error, done func()) {
		if want = is; lives {
			want = nil
			done()
		}
	}
	method := m.rnd.IntN(10)
	switch given := p; method {
	case 0, 1:
		if err = m.repo.Create(ctx, &given); lives {
			want = trestle.ErrExists
		} else {
			m.store(p)
		}
	case 2:
		err = m.repo.Put(ctx, &given)
		m.store(p)
	case 3:
		err = m.repo.Put(ctx, &given, pledgeAmount.Eq(1))
		if want = trestle.ErrCondition; lives && have.Amount == 1 {
			want = nil
			m.store(p)
		}
	case 4:
		_, err = m.repo.Update(ctx, key, attr.Add(pledgeAmount, 1))
		missing(trestle.ErrNotFound, func() { have.Amount++; m.items[p.ID] = have })
	case 5:
		_, err = m.repo.Update(ctx, key, pledgeExpires.Set(m.now+7))
		missing(trestle.ErrNotFound, func() { have.Expires = m.now + 7; m.items[p.ID] = have })
	case 6:
		var got pledge
		if got, err = m.repo.Upsert(ctx, key, attr.Add(pledgeAmount, 1)); lives {
			key = have
		}
		key.Amount++
		m.store(key)
		if want := m.items[p.ID]; err == nil && got != want {
			return fmt.Errorf("upsert returned %v, not %v", got, want)
		}
	case 7:
		err = m.repo.Delete(ctx, key)
		delete(m.items, p.ID)
	case 8:
		err = m.repo.Delete(ctx, key, pledgeAmount.Exists())
		missing(trestle.ErrNotFound, func() { delete(m.items, p.ID) })
	default:
		err = tx.Write(ctx, m.repo.Op().Check(key), m.repo.Op().Put(&pledge{Fund: "g", ID: "x"}))
		missing(trestle.ErrNotFound, func() {})
	}
	if !errors.Is(err, want) {
		return fmt.Errorf("write %d returned %w, not %w", method, err, want)
	}
	return nil
}

// pledgeReads are the ways in which a fund is read. Each returns its pledges in the order of their
// IDs.
var pledgeReads = map[string]func(ctx context.Context, repo *entity.Repo[pledge]) ([]pledge, error){
	"get": func(ctx context.Context, repo *entity.Repo[pledge]) (list []pledge, err error) {
		for i := range 6 {
			p, err := repo.Get(ctx, pledge{Fund: "f", ID: fmt.Sprint(i)})
			switch {
			case err == nil:
				list = append(list, p)
			case !errors.Is(err, trestle.ErrNotFound):
				return nil, err
			}
		}
		return list, nil
	},
	"query": func(ctx context.Context, repo *entity.Repo[pledge]) ([]pledge, error) {
		return query.Of(repo, pledge{Fund: "f"}).Collect(ctx)
	},
	"pages": func(ctx context.Context, repo *entity.Repo[pledge]) (list []pledge, err error) {
		for cursor := ""; ; {
			page, err := query.Of(repo, pledge{Fund: "f"}).Limit(2).Page(ctx, cursor)
			if err != nil {
				return nil, err
			}
			if list, cursor = append(list, page.Items...), page.Next; cursor == "" {
				return list, nil
			}
		}
	},
	"count": func(ctx context.Context, repo *entity.Repo[pledge]) ([]pledge, error) {
		list, err := query.Of(repo, pledge{Fund: "f"}).Collect(ctx)
		n, errCount := query.Of(repo, pledge{Fund: "f"}).Count(ctx)
		if n != len(list) {
			return nil, fmt.Errorf("counted %d of %d", n, len(list))
		}
		return list, errors.Join(err, errCount)
	},
	"collection": func(ctx context.Context, repo *entity.Repo[pledge]) (list []pledge, err error) {
		for item, err := range query.Items(ctx, query.Of(repo, pledge{Fund: "f"}).Collection()) {
			if err != nil {
				return nil, err
			}
			list = append(list, item.(pledge))
		}
		return list, nil
	},
}

// read reads the fund in every way, and returns an error unless the result is that of the model.
func (m *fundModel) read(ctx context.Context, repo *entity.Repo[pledge]) error {
	var want []pledge
	for _, id := range slices.Sorted(maps.Keys(m.items)) {
		if p, lives := m.live(id); lives {
			want = append(want, p)
		}
	}
	for name, read := range pledgeReads {
		got, err := read(ctx, repo)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("%s returned %v, not %v", name, got, want)
		}
	}
	return nil
}

// Random writes and reads agree with a model in which expired items do not exist. The negative
// control reads the same table without the check for expired items, and must find others.
func TestExpiredItemsAgreeWithModel(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		m, found := newFundModel(t, e.Client(t), seed), false
		writes := testsize.Sequential(100, 200, 400, 20_000)
		if e.Name == engines.DynamoDBLocal {
			writes = testsize.Sequential(100, 100, 150, 5_000)
		}
		for i := range writes {
			require.NoError(t, m.write(t.Context()), "write %d", i)
			require.NoError(t, m.read(t.Context(), m.repo), "after write %d", i)
			found = found || m.read(t.Context(), m.repo.With(entity.ShowExpired())) != nil
		}
		require.True(t, found, "the negative control")
	})
}
