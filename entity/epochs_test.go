package entity_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/maintain"
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
		require.NoError(t, testchecks.Items(t.Context(), table, 100))
		_, table = defineTickets(t, client, 0, 7)
		var drift *maintain.Error
		require.ErrorAs(t, testchecks.Items(t.Context(), table, 100), &drift, "no item may be in a shard of 3")
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
				writes := testsize.Sequential(100, 300, 600, 20_000)
				if e.Name == engines.DynamoDBLocal {
					writes = testsize.Sequential(100, 200, 200, 2_000)
				}
				for i := range writes {
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

// Explain says that a write reads all places, and that a new item is checked to be in no other.
func TestExplainAfterAChangeOfShards(t *testing.T) {
	t.Parallel()
	client := ddbtest.Client(t)
	after := openTickets(t, client, 0, 3, 7)
	e := ticket{Board: "b", ID: "t1", Title: "a", State: "open"}
	for name, c := range map[string]struct {
		op   *entity.Op[ticket]
		read float64
		sent bool // as a transaction
	}{
		"create": {after.Op().Create(&e), 2, true},
		"put":    {after.Op().Put(&e), 2, true},
		"update": {after.Op().Update(e, ticketTitle.Set("b")), 2, false},
		"delete": {after.Op().Delete(e), 2, false},
	} {
		x, err := c.op.Explain()
		require.NoError(t, err, name)
		require.True(t, x.ReadsFirst, name)
		require.InDelta(t, c.read, x.Units.Read, 0, name)
		require.Equal(t, c.sent, x.Transaction, name)
	}
	x, err := openTickets(t, client, 0, 3).Op().Put(&e).Explain()
	require.NoError(t, err)
	require.False(t, x.ReadsFirst)
	x, err = query.Of(after, ticket{Board: "b"}).Explain()
	require.NoError(t, err)
	require.Equal(t, "7 shards, merged by sort key", x.Partitions)
	require.InDelta(t, 14, x.Units.Read, 0, "100 items of 1 KB in 7 shards")
}

// entry is an entity with a random shard.
type entry struct {
	_     entity.Key `type:"entry" pk:"LOG#<log>#<shard>" sk:"<id>" shards:"8"`
	Log   string     `dynamodbav:"log"`
	ID    string     `dynamodbav:"id"`
	Shard *int       `dynamodbav:"shard" entity:"shard"`
}

// A random shard is chosen by each method that stores an entity, and is read back.
func TestRandomShards(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	entries := entity.Define[entry](s)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table, err := s.Open(e.Client(t), "entries")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		repo := entries.In(table)
		seen := map[int]bool{}
		for i := range 60 {
			e := entry{Log: "a", ID: fmt.Sprintf("%03d", i)}
			switch i % 3 {
			case 0:
				require.NoError(t, repo.Create(t.Context(), &e))
			case 1:
				require.NoError(t, repo.Put(t.Context(), &e))
			default:
				require.NoError(t, tx.Write(t.Context(), repo.Op().Create(&e)))
			}
			require.NotNil(t, e.Shard)
			seen[*e.Shard] = true
			require.NoError(t, repo.Put(t.Context(), &e), "the same shard again")
			got, err := repo.Strong().Get(t.Context(), e)
			require.NoError(t, err)
			require.Equal(t, e, got)
		}
		require.Len(t, seen, 8)
		all, err := query.Of(repo.Strong(), entry{Log: "a"}).Collect(t.Context())
		require.NoError(t, err)
		require.Len(t, all, 60)
		require.True(t, slices.IsSortedFunc(all, func(a, b entry) int { return strings.Compare(a.ID, b.ID) }))
		for _, e := range all {
			require.NoError(t, repo.Delete(t.Context(), e))
		}
		_, err = repo.Get(t.Context(), entry{Log: "a", ID: "000"})
		require.ErrorIs(t, err, trestle.ErrInvalid, "the shard is not known")

		// No query reads other shards than these, so no item has one.
		for _, n := range []int{-1, 8, 1000} {
			e := entry{Log: "a", ID: "000", Shard: &n}
			_, notRead := query.Of(repo, e).Collect(t.Context())
			_, notGot := repo.Get(t.Context(), e)
			for _, err := range []error{repo.Put(t.Context(), &e), tx.Write(t.Context(), repo.Op().Create(&e)), repo.Delete(t.Context(), e), notRead, notGot} {
				require.ErrorIs(t, err, trestle.ErrInvalid)
			}
		}

		// A write with a token has the same shard each time.
		for range 2 {
			_, err := repo.Op().Put(&entry{Log: "b", ID: "1"}).Once("token-1").Do(t.Context())
			require.NoError(t, err)
		}
		n, err := query.Of(repo.Strong(), entry{Log: "b"}).Count(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, n)
	})
}

// A move in a transaction finds the item in the shard of an earlier number of shards. It reads each
// place once: two for the old item, two for the new one.
func TestMovesOfEarlierShardsInTransactions(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for kind := range 3 {
			ctx, client := t.Context(), e.Client(t)
			earlier, tickets := openTickets(t, client, kind, 3), openTickets(t, client, kind, 7, 3)
			for i := range 8 {
				from := ticket{Board: "b", ID: fmt.Sprint("from", i), Email: fmt.Sprint(i)}
				require.NoError(t, earlier.Create(ctx, &from))
				to, absent := from, from
				to.ID, absent.ID = fmt.Sprint("to", i), "absent"
				moved, err := tx.NewWrite(tx.Move(tickets, from, &to)).Do(ctx)
				require.NoError(t, err)
				require.LessOrEqual(t, moved.Attempts, 5)
				_, err = tickets.Get(ctx, from)
				require.ErrorIs(t, err, trestle.ErrNotFound)
				got, err := tickets.Get(ctx, to)
				require.NoError(t, err)
				require.Equal(t, from.Email, got.Email)
				require.ErrorIs(t, tx.Write(ctx, tx.Move(tickets, from, &absent)), trestle.ErrNotFound)
			}
		}
	})
}
