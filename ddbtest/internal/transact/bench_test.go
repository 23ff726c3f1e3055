package transact_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/transact"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Each transaction has its own token, as with the SDK.
func BenchmarkWrite(b *testing.B) {
	for _, n := range []int{2, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			db := store.NewDB(new(clock.Clock))
			require.NoError(b, db.Update(func(s *store.State) error {
				s.AddTable(&store.Table{Name: texts, Key: store.KeySchema{Partition: []store.KeyAttribute{{Name: "pk", Kind: value.KindString}}}})
				return nil
			}))
			var in api.TransactWriteItemsInput
			for i := range n {
				in.TransactItems = append(in.TransactItems, adding(fmt.Sprint(i), "", 1).TransactItems...)
			}
			i := 0
			for b.Loop() {
				i++
				in.ClientRequestToken = ptr(fmt.Sprint("token", i))
				if _, err := transact.Write(call(db, engine.Overrides{}), &in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
