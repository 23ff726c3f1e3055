package explore_test

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// TestReduction checks that the reduced search of random programs reaches exactly the final states
// that the search of all orders reaches: the items, and all that each client saw.
func TestReduction(t *testing.T) {
	t.Parallel()
	random := testrand.New(t)
	full, reduced := 0, 0
	for range testsize.Sequential(10, 60, 60, 2_000) {
		p := newProgram(random)
		all, n := p.finalStates(t, true)
		some, m := p.finalStates(t, false)
		require.Equal(t, all, some, p)
		full, reduced = full+n, reduced+m
	}
	t.Logf("%d runs of all orders, %d runs with reduction", full, reduced)
	require.Less(t, reduced, full)
}

// TestReductionControl checks that TestReduction notices a wrong reduction: one that ignores that
// reads depend on writes.
func TestReductionControl(t *testing.T) { //nolint:paralleltest // it changes a variable of the package
	testsize.SkipRace(t)
	explore.IgnoreReads(t)
	random := testrand.New(t)
	for range 300 {
		p := newProgram(random)
		all, _ := p.finalStates(t, true)
		some, _ := p.finalStates(t, false)
		if len(some) < len(all) {
			return
		}
	}
	t.Fatal("no program reaches fewer states with a wrong reduction")
}

// program is a random program: a list of requests for each client.
type program struct {
	clients [][]command
	options explore.Options
}

// command sends a request. It may depend on a number that the client read before.
type command struct {
	name string
	run  func(ctx context.Context, c *dynamodb.Client, last int) (saw string, read int)
}

func (p *program) String() string {
	var b strings.Builder
	for i, commands := range p.clients {
		fmt.Fprintf(&b, "client %d:", i)
		for _, c := range commands {
			b.WriteString(" " + c.name + ";")
		}
		b.WriteString("\n")
	}
	return b.String() + fmt.Sprint(p.options.Faults, p.options.MaxFaults)
}

// newProgram returns a program of two clients with up to three requests, or of three clients with
// one or two.
func newProgram(random *rand.Rand) *program {
	p := &program{}
	clients := 2 + random.IntN(2)
	for range clients {
		var commands []command
		for range 1 + random.IntN(5-clients) {
			commands = append(commands, newCommand(random))
		}
		p.clients = append(p.clients, commands)
	}
	p.options = explore.Options{Setup: programTable, Faults: explore.Faults{}, MaxRuns: 30_000}
	if clients == 2 {
		kinds := []explore.Kind{
			explore.LostRequest, explore.LostReply, explore.LateRequest, explore.Throttle, explore.Conflict,
			explore.ServerError, explore.ServerErrorAfter, explore.StaleRead, explore.Crash, explore.Unprocessed, explore.Pause,
		}
		for range random.IntN(3) {
			p.options.Faults[kinds[random.IntN(len(kinds))]]++
		}
		p.options.MaxFaults = 1
		if random.IntN(4) == 0 {
			p.options.Backoff = time.Second
		}
		if p.options.Faults[explore.Pause] > 0 {
			p.options.Pauses = []time.Duration{time.Second}
		}
	}
	return p
}

// programTable has two partitions of two items each.
func programTable(db *ddbtest.DB) {
	collections(programItem("p", "a", 1), programItem("p", "b", 2), programItem("q", "a", 3))(db)
}

func programItem(pk, sk string, n int) item {
	return item{"pk": str(pk), "sk": str(sk), "n": num(n)}
}

// newCommand returns a random request.
func newCommand(random *rand.Rand) command {
	pk, sk, n := pick(random, "p", "q"), pick(random, "a", "b"), 10+random.IntN(3)
	k := item{"pk": str(pk), "sk": str(sk)}
	where := pk + sk
	commands := []func() command{
		func() command {
			consistent := random.IntN(2) == 0
			return command{fmt.Sprintf("get %s %t", where, consistent), func(ctx context.Context, c *dynamodb.Client, _ int) (string, int) {
				out, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("items"), Key: k, ConsistentRead: &consistent})
				if err != nil {
					return code(err), 0
				}
				return itemText(out.Item), number(out.Item, "n")
			}}
		},
		func() command {
			return command{"put " + where, func(ctx context.Context, c *dynamodb.Client, last int) (string, int) {
				out, err := c.PutItem(ctx, &dynamodb.PutItemInput{
					TableName: aws.String("items"), Item: programItem(pk, sk, last+n), ReturnValues: types.ReturnValueAllOld,
				})
				if err != nil {
					return code(err), last
				}
				return itemText(out.Attributes), last
			}}
		},
		func() command {
			return command{"add " + where, func(ctx context.Context, c *dynamodb.Client, last int) (string, int) {
				_, err := c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
					TableName: aws.String("items"), Key: k, UpdateExpression: aws.String("ADD n :n"),
					ExpressionAttributeValues: item{":n": num(n)},
				})
				return code(err), last
			}}
		},
		func() command {
			return command{"delete " + where, func(ctx context.Context, c *dynamodb.Client, last int) (string, int) {
				_, err := c.DeleteItem(ctx, &dynamodb.DeleteItemInput{
					TableName: aws.String("items"), Key: k, ConditionExpression: aws.String("n < :n"),
					ExpressionAttributeValues: item{":n": num(n)},
				})
				return code(err), last
			}}
		},
		func() command {
			return command{"query " + where, func(ctx context.Context, c *dynamodb.Client, last int) (string, int) {
				out, err := c.Query(ctx, &dynamodb.QueryInput{
					TableName: aws.String("items"), KeyConditionExpression: aws.String("pk = :pk AND sk >= :sk"),
					ExpressionAttributeValues: item{":pk": str(pk), ":sk": str(sk)},
				})
				if err != nil {
					return code(err), last
				}
				return itemsText(out.Items), last
			}}
		},
		func() command {
			return command{"scan", func(ctx context.Context, c *dynamodb.Client, last int) (string, int) {
				out, err := c.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("items"), Limit: aws.Int32(2)})
				if err != nil {
					return code(err), last
				}
				return itemsText(out.Items), last
			}}
		},
		func() command {
			return command{"batch " + where, func(ctx context.Context, c *dynamodb.Client, last int) (string, int) {
				out, err := c.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"items": {
					{PutRequest: &types.PutRequest{Item: programItem(pk, sk, n)}},
					{DeleteRequest: &types.DeleteRequest{Key: item{"pk": str("p"), "sk": str("c")}}},
				}}})
				if err != nil {
					return code(err), last
				}
				return fmt.Sprint(len(out.UnprocessedItems["items"])), last
			}}
		},
		func() command {
			return command{"transaction " + where, func(ctx context.Context, c *dynamodb.Client, last int) (string, int) {
				_, err := c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
					{Put: &types.Put{TableName: aws.String("items"), Item: programItem(pk, sk, last+n)}},
					{ConditionCheck: &types.ConditionCheck{
						TableName: aws.String("items"), Key: item{"pk": str("p"), "sk": str("c")},
						ConditionExpression: aws.String("attribute_not_exists(pk)"),
					}},
				}})
				return code(err), last
			}}
		},
	}
	if random.IntN(8) == 0 {
		return command{"sleep", func(_ context.Context, _ *dynamodb.Client, last int) (string, int) {
			<-time.After(time.Second)
			return fmt.Sprint(time.Now().Unix()), last
		}}
	}
	return commands[random.IntN(len(commands))]()
}

func pick(random *rand.Rand, texts ...string) string { return texts[random.IntN(len(texts))] }

func code(err error) string {
	var api smithy.APIError
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &api):
		return api.ErrorCode()
	default:
		return "no reply"
	}
}

func itemText(i item) string {
	if len(i) == 0 {
		return "none"
	}
	return fmt.Sprint(itemKey(i), "=", number(i, "n"))
}

func itemsText(items []item) string {
	var b strings.Builder
	for _, i := range items {
		b.WriteString(itemText(i) + " ")
	}
	return b.String()
}

func itemKey(i item) string {
	return i["pk"].(*types.AttributeValueMemberS).Value + i["sk"].(*types.AttributeValueMemberS).Value
}

// finalStates returns the final states, and the number of runs.
func (p *program) finalStates(t *testing.T, all bool) (states []string, runs int) {
	t.Helper()
	found := map[string]bool{}
	o := p.options
	o.NoReduction = all
	r := explore.Search(o, func(w *explore.World) {
		saw := make([]string, len(p.clients))
		for i, commands := range p.clients {
			w.Client(fmt.Sprint("c", i), func(ctx context.Context, c *dynamodb.Client) {
				last := 0
				for _, command := range commands {
					var text string
					text, last = command.run(ctx, c, last)
					saw[i] += text + ";"
				}
			})
		}
		w.Finally(func(db *ddbtest.DB) error {
			hash := db.Hash()
			found[hex.EncodeToString(hash[:4])+" "+strings.Join(saw, " | ")] = true
			return nil
		})
	})
	require.Nil(t, r.Failure, p)
	require.Empty(t, r.CutOff, p)
	for s := range maps.Keys(found) {
		states = append(states, s)
	}
	return sorted(states), r.Runs
}
