package explored_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/maintain"
)

type avMap = map[string]types.AttributeValue

func avS(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// reindexes runs Reindex of a type once more, from the beginning, and then checks the table.
func reindexes[T any](of *entity.Type[T]) func(*protocolRun) func(*ddbtest.DB) error {
	return func(r *protocolRun) func(*ddbtest.DB) error {
		return func(db *ddbtest.DB) error {
			ctx, table := context.Background(), open(r.w, db.Client(), "check")
			_, err := maintain.Reindex(ctx, table, maintain.Run{Concurrency: 1}, of)
			return errors.Join(err, testchecks.Items(ctx, table, 100), testchecks.Guards(ctx, table))
		}
	}
}

// completed is an invariant of a Reindex that has returned without an error: the items and guards
// are right without another run.
func completed(r *protocolRun, err *error, check func(context.Context, *entity.Table) error) func(*ddbtest.DB) error {
	return func(db *ddbtest.DB) error {
		if *err == nil {
			return check(context.Background(), open(r.w, db.Client(), "check"))
		}
		return nil // it is not complete
	}
}

var errNotRun = errors.New("not run")

// reindexIndex: the index keys of a listing are missing, while it is changed and deleted.
var reindexIndex = protocol{
	name: "reindex: an index",
	foreign: func() (avMap, error) {
		item, err := listings.Encode(&listing{ID: "1", City: "paris", Color: "red"})
		delete(item, "GSI1PK")
		delete(item, "GSI1SK")
		return item, err
	},
	clients: func(r *protocolRun) {
		err := errNotRun
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			_, err = maintain.Reindex(ctx, table, maintain.Run{Concurrency: 1}, listings)
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			_, _ = listings.In(table).Update(ctx, listing{ID: "1"}, listingCity.Set("rome"), listingColor.Set("blue"))
			_ = listings.In(table).Delete(ctx, listing{ID: "1"}, listingCity.Eq("paris"))
		})
		r.w.Always(everyItemHasType)
		r.w.Finally(completed(r, &err, func(ctx context.Context, t *entity.Table) error { return testchecks.Items(ctx, t, 100) }))
		r.w.Finally(reindexes(listings)(r))
	},
}

// reindexUnique: the guard of a user is missing, while the user is renamed and deleted.
var reindexUnique = protocol{
	name: "reindex: a unique value",
	foreign: func() (avMap, error) {
		return users.Encode(&user{ID: "1", Email: "x", Version: 1})
	},
	clients: func(r *protocolRun) {
		err := errNotRun
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			_, err = maintain.Reindex(ctx, table, maintain.Run{Concurrency: 1}, users)
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			_, _ = users.In(table).Update(ctx, user{ID: "1"}, userEmail.Set("y"))
			_ = users.In(table).Delete(ctx, user{ID: "1"})
			_ = users.In(table).Create(ctx, &user{ID: "2", Email: "x"})
		})
		r.w.Finally(completed(r, &err, testchecks.Guards))
		r.w.Finally(reindexes(users)(r))
	},
}

// reindexMove: a purse is under an older key, where another program changes it, while a
// purse is created under the new key.
var reindexMove = protocol{
	name: "reindex: a move",
	foreign: func() (avMap, error) {
		item, err := purses.Encode(&purse{ID: "1", Sum: 1})
		item["SK"] = avS("OLD")
		return item, err
	},
	clients: func(r *protocolRun) {
		var changed, created bool
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			_, _ = maintain.Reindex(ctx, table, maintain.Run{Concurrency: 1}, purses)
		})
		r.w.Client("bob", func(ctx context.Context, c *dynamodb.Client) {
			key, exists := avMap{"PK": avS("PURSE#1"), "SK": avS("OLD")}, aws.String("attribute_exists(PK)")
			_, err := c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
				TableName: aws.String(tableName), Key: key, UpdateExpression: aws.String("SET #sum = :s"), ConditionExpression: exists,
				ExpressionAttributeNames: map[string]string{"#sum": "sum"}, ExpressionAttributeValues: avMap{":s": &types.AttributeValueMemberN{Value: "5"}},
			})
			changed = err == nil
		})
		r.client("carol", func(ctx context.Context, table *entity.Table) {
			created = purses.In(table).Create(ctx, &purse{ID: "1", Sum: 9}) == nil
		})
		r.w.Finally(func(db *ddbtest.DB) error {
			list, err := items(db, purses)
			sums := map[int64]bool{}
			for _, p := range list {
				sums[p.Sum] = true
			}
			switch {
			case err != nil:
				return err
			case created && !sums[9]:
				return errors.New("a created purse is lost")
			case changed && !sums[5]:
				return errors.New("a change is lost")
			case len(list) > 2:
				return fmt.Errorf("%d purses", len(list))
			}
			return nil
		})
	},
}

var reindexProtocols = []protocol{reindexIndex, reindexUnique, reindexMove}

// Reindex beside a writer and a deleter, in every order, with crashes and lost replies: it is
// complete, and a run after a crash completes it.
func TestReindexProtocols(t *testing.T) {
	t.Parallel()
	for _, p := range reindexProtocols {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			o := explore.Options{Faults: explore.Faults{explore.Crash: 1, explore.LostReply: 1}, MaxFaults: 1}
			if testsize.Sequential(0, 1, 1) == 0 {
				o = explore.Options{Faults: explore.Faults{}}
			}
			r := p.search(t, o)
			requireProof(t, r)
			t.Logf("%s, %.1f s", r, r.Elapsed.Seconds())
		})
	}
}

// Each condition that Reindex sends is needed: without it a search finds a defect.
func TestReindexMutants(t *testing.T) {
	t.Parallel()
	if testsize.Race {
		t.Skip("the search itself has no concurrency, and is slow under the race detector")
	}
	for _, p := range reindexProtocols {
		// The conditions of Reindex alone.
		g := &conditions{found: map[string]bool{}}
		alone := p
		alone.clients = func(r *protocolRun) {
			r.client("alice", func(ctx context.Context, table *entity.Table) {
				_, _ = maintain.Reindex(ctx, table, maintain.Run{Concurrency: 1}, listings)
				_, _ = maintain.Reindex(ctx, table, maintain.Run{Concurrency: 1}, users)
				_, _ = maintain.Reindex(ctx, table, maintain.Run{Concurrency: 1}, purses)
			})
			r.w.Always(everyItemHasType)
		}
		requireProof(t, alone.search(t, explore.Options{Faults: explore.Faults{}}, g.option))
		require.NotEmpty(t, g.found)
		for _, guard := range slices.Sorted(maps.Keys(g.found)) {
			if strings.Contains(guard, "$U#unique") {
				continue // TestMutants has the condition of a claim
			}
			t.Run(guard, func(t *testing.T) {
				t.Parallel()
				t.Log(mutant(t, guard, []protocol{p}))
			})
		}
	}
}
