package batch_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/batch"
	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

func benchDB(b *testing.B) *store.DB {
	b.Helper()
	db := store.NewDB(new(clock.Clock))
	require.NoError(b, db.Update(func(s *store.State) error {
		s.AddTable(&store.Table{Name: "aaa", Key: store.KeySchema{Partition: []store.KeyAttribute{{Name: "pk", Kind: value.KindString}}}})
		return nil
	}))
	return db
}

func BenchmarkWriteOf25(b *testing.B) {
	db := benchDB(b)
	var list []api.WriteRequest
	for i := range 25 {
		list = append(list, api.WriteRequest{PutRequest: &api.PutRequest{Item: of(fmt.Sprint(i)).With("x", value.String("y"))}})
	}
	in := &api.BatchWriteItemInput{RequestItems: map[string][]api.WriteRequest{"aaa": list}}
	for b.Loop() {
		if _, err := batch.Write(call(db, engine.Overrides{}), in); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGetOf100(b *testing.B) {
	db := benchDB(b)
	of100 := &api.KeysAndAttributes{}
	for i := range 100 {
		of100.Keys = append(of100.Keys, of(fmt.Sprint(i)))
	}
	in := &api.BatchGetItemInput{RequestItems: map[string]*api.KeysAndAttributes{"aaa": of100}}
	for b.Loop() {
		if _, err := batch.Get(call(db, engine.Overrides{}), in); err != nil {
			b.Fatal(err)
		}
	}
}
