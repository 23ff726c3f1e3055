package batch_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/batch"
	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testsize"
)

// newDB returns a database with two tables whose partition key is a string, and no items.
func newDB(t *testing.T) *store.DB {
	t.Helper()
	db := store.NewDB(new(clock.Clock))
	require.NoError(t, db.Update(func(s *store.State) error {
		for _, name := range []string{"aaa", "bbb"} {
			s.AddTable(&store.Table{Name: name, Key: store.KeySchema{Partition: []store.KeyAttribute{{Name: "pk", Kind: value.KindString}}}})
		}
		return nil
	}))
	return db
}

func call(db *store.DB, steer engine.Overrides) *engine.Call {
	return &engine.Call{DB: db, Config: &engine.Config{}, Overrides: steer}
}

func of(key string) value.Map {
	return value.Map{{Name: "pk", Value: value.String(key)}}
}

// contents returns the items of a database by table and key.
func contents(t *testing.T, db *store.DB) map[string]value.Map {
	t.Helper()
	all := map[string]value.Map{}
	require.NoError(t, db.View(func(s *store.State) error {
		for name, table := range s.Tables {
			for _, i := range s.Items(table, s.Now, true).From("") {
				all[name+string(i.Get("pk").(value.String))] = i
			}
		}
		return nil
	}))
	return all
}

// randomWrites returns writes of different items.
func randomWrites(r *rand.Rand) map[string][]api.WriteRequest {
	w := map[string][]api.WriteRequest{}
	for _, table := range []string{"aaa", "bbb"} {
		for _, k := range r.Perm(8)[:r.IntN(8)] {
			if r.IntN(3) == 0 {
				w[table] = append(w[table], api.WriteRequest{DeleteRequest: &api.DeleteRequest{Key: of(fmt.Sprint(k))}})
				continue
			}
			i := of(fmt.Sprint(k)).With("v", value.String(fmt.Sprint(r.IntN(100))))
			w[table] = append(w[table], api.WriteRequest{PutRequest: &api.PutRequest{Item: i}})
		}
	}
	return w
}

func apply(model map[string]value.Map, w map[string][]api.WriteRequest) {
	for table, list := range w {
		for _, request := range list {
			if put := request.PutRequest; put != nil {
				model[table+string(put.Item.Get("pk").(value.String))] = put.Item
			} else {
				delete(model, table+string(request.DeleteRequest.Key.Get("pk").(value.String)))
			}
		}
	}
}

// Exactly the unprocessed writes are reported: a client that resends them until none is left
// completes all writes. A client that does not resend them loses writes.
func TestUnprocessedWritesAreReported(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	lost := false
	for range testsize.Pick(300, 3_000, 10_000) {
		db, naive := newDB(t), newDB(t)
		model := map[string]value.Map{}
		for range 3 {
			w := randomWrites(r)
			if len(w) == 0 {
				continue
			}
			apply(model, w)
			seed := r.Uint64()
			unprocessed := func() engine.Overrides {
				chance := rand.New(rand.NewPCG(seed, 0))
				return engine.Overrides{Unprocessed: func(int) bool { return chance.IntN(3) == 0 }}
			}
			_, err := batch.Write(call(naive, unprocessed()), &api.BatchWriteItemInput{RequestItems: w})
			require.NoError(t, err)
			for steer := unprocessed(); len(w) > 0; {
				before := contents(t, db)
				out, err := batch.Write(call(db, steer), &api.BatchWriteItemInput{RequestItems: w})
				require.NoError(t, err)
				apply(before, without(w, out.UnprocessedItems))
				require.Equal(t, before, contents(t, db))
				w = out.UnprocessedItems
			}
		}
		require.Equal(t, model, contents(t, db))
		lost = lost || !maps.EqualFunc(model, contents(t, naive), value.Map.Equal)
	}
	require.True(t, lost, "a client that sends nothing again would have done")
}

// without returns the writes in w that are not in others.
func without(w, others map[string][]api.WriteRequest) map[string][]api.WriteRequest {
	left := map[string][]api.WriteRequest{}
	for table, list := range w {
		rest := others[table]
		for _, request := range list {
			if len(rest) > 0 && rest[0] == request { // both keep the order of the request
				rest = rest[1:]
				continue
			}
			left[table] = append(left[table], request)
		}
	}
	return left
}

// Targets are numbered by table name first, and then in the order of the request.
func TestUnprocessedByIndex(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	in := &api.BatchWriteItemInput{RequestItems: map[string][]api.WriteRequest{
		"bbb": {{PutRequest: &api.PutRequest{Item: of("3")}}, {DeleteRequest: &api.DeleteRequest{Key: of("4")}}},
		"aaa": {{PutRequest: &api.PutRequest{Item: of("1")}}, {PutRequest: &api.PutRequest{Item: of("2")}}},
	}}
	require.Equal(t, []engine.Target{
		{Table: "aaa", Key: of("1"), Write: true}, {Table: "aaa", Key: of("2"), Write: true},
		{Table: "bbb", Key: of("3"), Write: true}, {Table: "bbb", Key: of("4"), Write: true},
	}, batch.WriteTargets(in))
	out, err := batch.Write(call(db, engine.Overrides{Unprocessed: func(i int) bool { return i == 1 || i == 3 }}), in)
	require.NoError(t, err)
	require.Equal(t, map[string][]api.WriteRequest{"aaa": in.RequestItems["aaa"][1:], "bbb": in.RequestItems["bbb"][1:]}, out.UnprocessedItems)
	require.Equal(t, map[string]value.Map{"aaa1": of("1"), "bbb3": of("3")}, contents(t, db))

	get := &api.BatchGetItemInput{RequestItems: map[string]*api.KeysAndAttributes{
		"bbb": {Keys: []value.Map{of("3"), of("5")}, ConsistentRead: true},
		"aaa": {Keys: []value.Map{of("1"), of("2")}},
	}}
	require.Equal(t, []engine.Target{
		{Table: "aaa", Key: of("1")}, {Table: "aaa", Key: of("2")}, {Table: "bbb", Key: of("3")}, {Table: "bbb", Key: of("5")},
	}, batch.GetTargets(get))
	read, err := batch.Get(call(db, engine.Overrides{Unprocessed: func(i int) bool { return i == 0 || i == 3 }}), get)
	require.NoError(t, err)
	require.Equal(t, map[string][]value.Map{"aaa": {}, "bbb": {of("3")}}, read.Responses)
	require.Equal(t, map[string]*api.KeysAndAttributes{
		"aaa": {Keys: []value.Map{of("1")}},
		"bbb": {Keys: []value.Map{of("5")}, ConsistentRead: true},
	}, read.UnprocessedKeys)
	require.Len(t, get.RequestItems["bbb"].Keys, 2, "the request stays as it was: it may be applied again")
}

// A batch is not a transaction. An operation between two writes reads the first write and not the
// second. The second write overwrites what the operation writes.
func TestOtherWritesBetweenThoseOfABatch(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	var seen map[string]value.Map
	between := func(i int) bool {
		if i == 1 {
			seen = contents(t, db)
			_, err := item.Put(call(db, engine.Overrides{}), &api.PutItemInput{TableName: "aaa", Item: of("2").With("v", value.String("other"))})
			require.NoError(t, err)
		}
		return false
	}
	_, err := batch.Write(call(db, engine.Overrides{Unprocessed: between}), &api.BatchWriteItemInput{RequestItems: map[string][]api.WriteRequest{
		"aaa": {{PutRequest: &api.PutRequest{Item: of("1")}}, {PutRequest: &api.PutRequest{Item: of("2")}}},
	}})
	require.NoError(t, err)
	require.Equal(t, map[string]value.Map{"aaa1": of("1")}, seen)
	require.Equal(t, map[string]value.Map{"aaa1": of("1"), "aaa2": of("2")}, contents(t, db))
}

// Deleting a table between two writes fails the batch. Earlier writes remain applied.
func TestTableDeletedDuringABatch(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	_, err := batch.Write(call(db, engine.Overrides{Unprocessed: func(i int) bool {
		if i == 1 {
			require.NoError(t, db.Update(func(s *store.State) error { delete(s.Tables, "bbb"); return nil }))
		}
		return false
	}}), &api.BatchWriteItemInput{RequestItems: map[string][]api.WriteRequest{
		"aaa": {{PutRequest: &api.PutRequest{Item: of("1")}}}, "bbb": {{PutRequest: &api.PutRequest{Item: of("1")}}},
	}})
	requireServiceError(t, "ResourceNotFoundException", err)
	require.Equal(t, map[string]value.Map{"aaa1": of("1")}, contents(t, db))
}
