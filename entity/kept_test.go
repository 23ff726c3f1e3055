package entity_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// keptBytes keeps the bytes that its method gets.
type keptBytes struct{ b []byte }

func (b keptBytes) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	return &types.AttributeValueMemberB{Value: b.b}, nil
}

func (b *keptBytes) UnmarshalDynamoDBAttributeValue(av types.AttributeValue) error {
	binary, ok := av.(*types.AttributeValueMemberB)
	if !ok {
		return fmt.Errorf("%T is not B", av)
	}
	b.b = binary.Value
	return nil
}

type keeper struct {
	_    entity.Key `type:"keeper" pk:"KEEPER#<id>" sk:"#"`
	ID   string     `dynamodbav:"id"`
	Blob keptBytes  `dynamodbav:"blob"`
}

// Two results of one item share no memory, also if a type keeps the bytes that its method gets.
func TestResultsShareNoMemory(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		schema := entity.NewSchema(entity.Config{})
		typ := entity.Define[keeper](schema)
		table, err := schema.Open(e.Client(t), "keepers")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		one := keeper{ID: "1", Blob: keptBytes{[]byte("bytes")}}
		require.NoError(t, typ.In(table).Put(t.Context(), &one))
		for _, option := range []entity.CallOption{entity.ShowExpired(), entity.AttributeValues()} {
			repo := typ.In(table).With(option)
			got, err := repo.GetMany(t.Context(), []keeper{{ID: "1"}, {ID: "1"}})
			require.NoError(t, err)
			require.Equal(t, []*keeper{&one, &one}, got)
			clear(got[0].Blob.b)
			require.Equal(t, &one, got[1])

			// The race detector finds shared memory.
			coalesced := repo.With(entity.CoalesceReads(10 * time.Millisecond))
			var calls sync.WaitGroup
			for range 4 {
				calls.Go(func() {
					got, err := coalesced.Get(t.Context(), keeper{ID: "1"})
					if err != nil || string(got.Blob.b) != "bytes" {
						t.Errorf("%q, %v", got.Blob.b, err)
					}
					clear(got.Blob.b)
				})
			}
			calls.Wait()
		}
	})
}
