package entity_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
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

// ticket is an entity whose table key has a computed shard, and whose number of shards changes.
type ticket struct {
	Board   string `dynamodbav:"board"`
	ID      string `dynamodbav:"id"`
	Title   string `dynamodbav:"title"`
	State   string `dynamodbav:"state"`
	Email   string `dynamodbav:"email,omitempty"`
	Count   int64  `dynamodbav:"count"`
	Version int64  `dynamodbav:"version"`
}

var (
	ticketTitle = attr.Must(func(t *ticket) *string { return &t.Title })
	ticketState = attr.Must(func(t *ticket) *string { return &t.State })
	ticketCount = attr.Must(func(t *ticket) *int64 { return &t.Count })
	ticketEmail = attr.Must(func(t *ticket) *string { return &t.Email })
)

// openTickets opens a table of tickets with some numbers of shards. The kinds differ in their
// roles.
func openTickets(t *testing.T, client *dynamodb.Client, kind int, shards ...int) *entity.Repo[ticket] {
	t.Helper()
	tickets, table := defineTickets(t, client, kind, shards...)
	return tickets.In(table)
}

func defineTickets(t *testing.T, client *dynamodb.Client, kind int, shards ...int) (*entity.Type[ticket], *entity.Table) {
	t.Helper()
	spec := entity.Spec{
		Type: "ticket", Key: entity.KeySpec{PK: "B#<board>#<shard:id>", SK: "T#<id>", Shards: shards},
		Indexes: []entity.IndexSpec{{Name: "by-state", On: "GSI1", PK: "S#<state>#<shard>", SK: "<id>", Shards: shards}},
	}
	switch kind {
	case 1:
		spec.Roles = map[string]string{"version": "version"}
	case 2:
		spec.Roles = map[string]string{"email": "unique"}
	default:
	}
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	tickets := entity.DefineSpec[ticket](s, spec)
	table, err := s.Open(client, "tickets")
	require.NoError(t, err)
	var exists *types.ResourceInUseException
	if err := table.Create(t.Context()); !errors.As(err, &exists) && !errors.Is(err, trestle.ErrExists) {
		require.NoError(t, err)
	}
	return tickets, table
}

// Keys of an earlier number of shards are not reported as stale.
func TestCheckItemsAcceptsEarlierShards(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		before := openTickets(t, client, 0, 3)
		for i := range 20 {
			require.NoError(t, before.Put(t.Context(), &ticket{Board: "b", ID: fmt.Sprint(i), State: "open"}))
		}
		_, table := defineTickets(t, client, 0, 3, 7)
		require.NoError(t, table.CheckItems(t.Context(), 100))
		_, table = defineTickets(t, client, 0, 7)
		var drift *trestle.DriftError
		require.ErrorAs(t, table.CheckItems(t.Context(), 100), &drift, "no item may be in a shard of 3")
	})
}

// After a change of the number of shards, every method finds the items that were stored before it,
// and no item is ever stored twice.
func TestRandomWritesAfterAChangeOfShards(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	for kind, name := range []string{"plain", "versioned", "unique"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engines.Each(t, func(t *testing.T, e engines.Engine) {
				r := rand.New(rand.NewPCG(seed, uint64(kind)))
				client := e.Client(t)
				before := openTickets(t, client, kind, 3)
				between := openTickets(t, client, kind, 7, 3) // reads 7, writes 3
				after := openTickets(t, client, kind, 3, 7)
				m := &ticketModel{t: t, r: r, items: map[string]ticket{}}
				for i := range testsize.Sequential(100, 300, 600, 20_000) {
					repos := [][]*entity.Repo[ticket]{{before, between}, {between, after}}[min(1, i/100)]
					m.step(repos[r.IntN(2)])
					if i%50 == 49 {
						m.compare(after)
					}
				}
				m.compare(after)
			})
		})
	}
}

// ticketModel holds the tickets that a table must have.
type ticketModel struct {
	t     *testing.T
	r     *rand.Rand
	items map[string]ticket
}

// step runs a random method and compares its result with the model.
func (m *ticketModel) step(repo *entity.Repo[ticket]) {
	ctx, r := m.t.Context(), m.r
	id := fmt.Sprintf("t%d", r.IntN(12))
	have, exists := m.items[id]
	own := ticket{Board: "b", ID: id, Title: fmt.Sprint(r.IntN(100)), State: []string{"open", "done"}[r.IntN(2)], Email: id, Version: have.Version}
	key := ticket{Board: "b", ID: id}
	missing := func(err error) {
		if exists {
			require.NoError(m.t, err)
		} else {
			require.ErrorIs(m.t, err, trestle.ErrNotFound)
		}
	}
	store := func(e ticket) {
		if got, err := repo.Strong().Get(ctx, key); err == nil {
			e.Version = got.Version
		}
		m.items[id] = e
	}
	switch r.IntN(10) {
	case 0:
		err := repo.Create(ctx, &own)
		if exists {
			require.ErrorIs(m.t, err, trestle.ErrExists)
			return
		}
		require.NoError(m.t, err)
		store(own)
	case 1:
		require.NoError(m.t, repo.Put(ctx, &own))
		store(own)
	case 2:
		require.NoError(m.t, repo.Overwrite(ctx, &own))
		store(own)
	case 3:
		got, err := repo.Update(ctx, key, ticketTitle.Set("new"), ticketState.Set("open"))
		if missing(err); exists {
			have.Title, have.State = "new", "open"
			store(have)
			require.Equal(m.t, m.items[id], got)
		}
	case 4:
		got, err := repo.With(entity.ReadFirst()).Upsert(ctx, key, attr.Add(ticketCount, 1), ticketEmail.Set(id))
		require.NoError(m.t, err)
		have.Board, have.ID, have.Email, have.Count = "b", id, id, have.Count+1
		store(have)
		require.Equal(m.t, m.items[id], got)
	case 5:
		require.NoError(m.t, repo.Delete(ctx, key))
		delete(m.items, id)
	case 6:
		err := tx.Write(ctx, repo.Op().Update(key, attr.Add(ticketCount, 1)))
		if missing(err); exists {
			have.Count++
			store(have)
		}
	case 7:
		var got *ticket
		require.NoError(m.t, tx.Read(ctx, tx.Get(repo, key, &got)))
		require.Equal(m.t, exists, got != nil)
		if exists {
			require.Equal(m.t, have, *got)
		}
	case 8:
		got, err := repo.Strong().Get(ctx, key)
		missing(err)
		require.Equal(m.t, have, got)
	default:
		missing(tx.Write(ctx, repo.Op().Check(key)))
	}
}

// compare compares all tickets of the table with the model.
func (m *ticketModel) compare(repo *entity.Repo[ticket]) {
	all, err := query.Of(repo.Strong(), ticket{Board: "b"}).Collect(m.t.Context())
	require.NoError(m.t, err)
	var want, examples []ticket
	for _, e := range m.items {
		want = append(want, e)
	}
	require.ElementsMatch(m.t, want, all)
	for i := range 12 {
		examples = append(examples, ticket{Board: "b", ID: fmt.Sprintf("t%d", i)})
	}
	many, err := repo.Strong().GetMany(m.t.Context(), examples)
	require.NoError(m.t, err)
	for i, e := range many {
		have, exists := m.items[examples[i].ID]
		require.Equal(m.t, exists, e != nil)
		if exists {
			require.Equal(m.t, have, *e)
		}
	}
	for _, state := range []string{"open", "done"} {
		got, err := query.On(repo, "by-state", ticket{State: state}).Count(m.t.Context())
		require.NoError(m.t, err)
		require.Equal(m.t, len(slices.DeleteFunc(slices.Clone(want), func(e ticket) bool { return e.State != state })), got)
	}
}
