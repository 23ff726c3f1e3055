package transact_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

const accounts = 5

// transfer moves an amount from one account to another, if the balance is sufficient.
func transfer(t *testing.T, c *client, from, to, amount int) error {
	t.Helper()
	return try(t, c,
		when(update(item("pk", fmt.Sprint(from)), "SET n = n - :n", ":n", amount), "n >= :n"),
		update(item("pk", fmt.Sprint(to)), "SET n = n + :n", ":n", amount),
	)
}

// total returns the sum of all accounts, read in one transaction.
func total(t *testing.T, c *client) int {
	t.Helper()
	var gets []types.TransactGetItem
	for i := range accounts {
		gets = append(gets, types.TransactGetItem{Get: &types.Get{TableName: ptr(texts), Key: item("pk", fmt.Sprint(i))}})
	}
	out, err := c.TransactGetItems(t.Context(), &dynamodb.TransactGetItemsInput{TransactItems: gets})
	require.NoError(t, err)
	sum := 0
	for _, r := range out.Responses {
		sum += balance(t, r.Item)
	}
	return sum
}

func balance(t *testing.T, o object) int {
	t.Helper()
	n, err := strconv.Atoi(o["n"].(*types.AttributeValueMemberN).Value)
	require.NoError(t, err)
	return n
}

// Every concurrent reader sees the same sum, and no transaction conflicts with another.
func TestSerializable(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	for i := range accounts {
		keep(t, c, texts, item("pk", fmt.Sprint(i), "n", 10))
	}
	seed := testrand.Seed(t)
	const workers = 4
	var all sync.WaitGroup
	moved := make([]int, workers)
	for w := range workers {
		all.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(w)))
			for range testsize.Pick(150, 500, 5_000) {
				pair := r.Perm(accounts)[:2]
				err := transfer(t, c, pair[0], pair[1], r.IntN(8))
				var canceled *types.TransactionCanceledException
				switch {
				case err == nil:
					moved[w]++
				case errors.As(err, &canceled):
					if got := *canceled.CancellationReasons[0].Code; got != "ConditionalCheckFailed" {
						t.Errorf("canceled for %s", got)
					}
				default:
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for range testsize.Pick(150, 500, 5_000) {
				if sum := total(t, c); sum != accounts*10 {
					t.Errorf("a reader saw %d in all", sum)
				}
			}
		})
	}
	all.Wait()
	for _, n := range moved {
		require.Positive(t, n)
	}
}

// Negative control: separate reads see half of a transfer between them.
func TestSingleReadsAreNotIsolated(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	for i := range accounts {
		keep(t, c, texts, item("pk", fmt.Sprint(i), "n", 10))
	}
	sum := 0
	for i := range accounts {
		sum += balance(t, stored(t, c, texts, item("pk", fmt.Sprint(i))))
		if i == 1 {
			require.NoError(t, transfer(t, c, 0, 4, 7))
		}
	}
	require.Equal(t, accounts*10+7, sum)
	require.Equal(t, accounts*10, total(t, c))
}
