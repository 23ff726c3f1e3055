package maintain_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
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
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
)

// pupil is a type to which an index and a unique value are added.
type pupil struct {
	ID      string `dynamodbav:"id"`
	Team    string `dynamodbav:"team,omitempty"`
	Email   string `dynamodbav:"email"`
	Version int64  `dynamodbav:"version"`
}

var (
	pupilTeam  = attr.Must(func(p *pupil) *string { return &p.Team })
	pupilEmail = attr.Must(func(p *pupil) *string { return &p.Email })
)

// pupils returns the type before or after the change, with the template of its table's sort key.
func pupils(after bool, sort string) (*entity.Schema, *entity.Type[pupil]) {
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	spec := entity.Spec{Type: "pupil", Key: entity.KeySpec{PK: "PUPIL#<id>", SK: sort}, Roles: map[string]string{"version": "version"}}
	if after {
		spec.Indexes = []entity.IndexSpec{{Name: "by-team", On: "GSI1", PK: "TEAM#<team>", SK: "<id>"}}
		spec.Uniques = []entity.UniqueSpec{{Name: "email", Key: "<email>"}}
	}
	return s, entity.DefineSpec[pupil](s, spec)
}

// beforeWrites is a client that calls f before each write.
type beforeWrites struct {
	*dynamodb.Client
	f func(ctx context.Context, id string)
}

func (b beforeWrites) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	b.f(ctx, textOf(in.Key["PK"]))
	return b.Client.UpdateItem(ctx, in, o...)
}

func (b beforeWrites) TransactWriteItems(
	ctx context.Context, in *dynamodb.TransactWriteItemsInput, o ...func(*dynamodb.Options),
) (*dynamodb.TransactWriteItemsOutput, error) {
	for _, a := range in.TransactItems {
		switch {
		case a.Update != nil:
			b.f(ctx, textOf(a.Update.Key["PK"]))
		case a.ConditionCheck != nil:
			b.f(ctx, textOf(a.ConditionCheck.Key["PK"]))
		case a.Delete != nil:
			b.f(ctx, textOf(a.Delete.Key["PK"]))
		}
	}
	return b.Client.TransactWriteItems(ctx, in, o...)
}

// naiveReindex is what a program does that does not expect other writers: it updates the index keys
// that follow from the items that it has read.
func naiveReindex(ctx context.Context, client trestle.Client, all []pupil) error {
	for _, p := range all {
		if p.Team == "" {
			continue
		}
		_, err := client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: aws.String("things"), Key: avMap{"PK": avS("PUPIL#" + p.ID), "SK": avS("PUPIL")},
			UpdateExpression:          aws.String("SET GSI1PK = :p, GSI1SK = :s"),
			ExpressionAttributeValues: avMap{":p": avS("TEAM#" + p.Team), ":s": avS(p.ID)},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// incomplete returns what is wrong with the index keys and the guards of a table.
func incomplete(ctx context.Context, table *entity.Table, repo *entity.Repo[pupil]) error {
	var list []error
	teams := map[string]int{}
	for p, err := range query.Scan(repo).Strong().All(ctx) {
		list = append(list, err)
		if p.Team != "" {
			teams[p.Team]++
		}
	}
	for team, n := range teams {
		found, err := query.On(repo, "by-team", pupil{Team: team}).Count(ctx)
		list = append(list, err)
		if found != n {
			list = append(list, fmt.Errorf("a team of %d has %d items in the index", n, found))
		}
	}
	list = append(list, testchecks.Items(ctx, table, 1_000_000), testchecks.Guards(ctx, table))
	return errors.Join(list...)
}

// stored stores pupils with the schema before the change, and returns a table with the one after
// it, on a client whose writes a writer changes or deletes items before.
func storedPupils(t *testing.T, client *dynamodb.Client, n int) (table *entity.Table, all []pupil, hooked beforeWrites) {
	t.Helper()
	ctx := t.Context()
	before, old := pupils(false, "PUPIL")
	oldTable, err := before.Open(client, "things")
	require.NoError(t, err)
	require.NoError(t, oldTable.Create(ctx))
	for i := range n {
		p := pupil{ID: fmt.Sprint(i), Email: fmt.Sprintf("%d@example.com", i), Version: 0}
		if i%10 > 0 {
			p.Team = fmt.Sprint("t", i%7)
		}
		require.NoError(t, old.In(oldTable).Create(ctx, &p))
		all = append(all, p)
	}
	after, now := pupils(true, "PUPIL")
	table, err = after.Open(client, "things")
	require.NoError(t, err)
	repo := now.In(table)
	rnd, mu, writes := testrand.New(t), sync.Mutex{}, 0
	hooked = beforeWrites{client, func(ctx context.Context, key string) {
		mu.Lock()
		defer mu.Unlock()
		writes++
		at := pupil{ID: key[len("PUPIL#"):]}
		if rnd.IntN(4) > 0 {
			return
		}
		disturb(ctx, t, rnd, repo, at, writes)
	}}
	return table, all, hooked
}

// disturb changes or deletes an item, or creates another one.
func disturb(ctx context.Context, t *testing.T, rnd *rand.Rand, repo *entity.Repo[pupil], at pupil, n int) {
	t.Helper()
	var err error
	switch rnd.IntN(4) {
	case 0:
		err = repo.Delete(ctx, at)
	case 1:
		_, err = repo.With(entity.ReadFirst()).Update(ctx, at, pupilTeam.Set(fmt.Sprint("t", rnd.IntN(7))))
	case 2:
		_, err = repo.Update(ctx, at, pupilEmail.Set(fmt.Sprintf("new%d@example.com", n)))
	default:
		err = repo.Create(ctx, &pupil{ID: fmt.Sprint("c", n), Team: "t1", Email: fmt.Sprintf("c%d@example.com", n)})
	}
	if err != nil && !errors.Is(err, trestle.ErrNotFound) {
		t.Error(err)
	}
}

// An index and a unique value that are added to a type are complete after Reindex, while other
// writers change and delete its items. A program that updates what it has read fails this test.
func TestReindexCompletesAnIndexAndAUniqueValue(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		n := e.Size(150, 300, 10_000)
		for _, naive := range []bool{false, true} {
			ctx := t.Context()
			table, all, hooked := storedPupils(t, e.Client(t), n)
			after, of := pupils(true, "PUPIL")
			beside, err := after.Open(hooked, "things")
			require.NoError(t, err)
			if naive {
				require.NoError(t, naiveReindex(ctx, hooked, all))
				_, err := maintain.RepairGuards(ctx, table, maintain.Run{})
				require.NoError(t, err)
				require.Error(t, incomplete(ctx, beside, of.In(beside)))
				continue
			}
			report, err := maintain.Reindex(ctx, beside, maintain.Run{}, of)
			require.NoError(t, err)
			require.GreaterOrEqual(t, report.Items, n*9/10)
			require.Greater(t, report.Updated, n/2)
			require.Greater(t, report.Created, n/2)
			require.NoError(t, incomplete(ctx, beside, of.In(beside)))
			again, err := maintain.Reindex(ctx, beside, maintain.Run{}, of)
			require.NoError(t, err)
			require.Zero(t, again.Updated+again.Moved+again.Created)
			require.Zero(t, again.Capacity.Write)
		}
	})
}

// Reindex moves items of an older template with their guards, and keeps their versions. It lists
// the items that it cannot move, and the values that other items have.
func TestReindexMovesItems(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, client := t.Context(), e.Client(t)
		before, old := pupils(true, "PUPIL")
		oldTable, err := before.Open(client, "things")
		require.NoError(t, err)
		require.NoError(t, oldTable.Create(ctx))
		for _, id := range []string{"1", "2", "3"} {
			p := pupil{ID: id, Team: "t", Email: id}
			require.NoError(t, old.In(oldTable).Create(ctx, &p))
			require.NoError(t, old.In(oldTable).Put(ctx, &p))
		}
		after, now := pupils(true, "P#<team>")
		table, err := after.Open(client, "things", entity.PlainCursors())
		require.NoError(t, err)
		repo := now.In(table)
		require.NoError(t, repo.Create(ctx, &pupil{ID: "3", Team: "t", Email: "other"}), "under the key of another item")
		_, err = repo.Get(ctx, pupil{ID: "1", Team: "t"})
		require.ErrorIs(t, err, trestle.ErrNotFound)
		twice, err := now.Encode(&pupil{ID: "4", Team: "t", Email: "1"})
		require.NoError(t, err)
		broken, err := now.Encode(&pupil{ID: "5", Team: "t", Email: "5"})
		require.NoError(t, err)
		broken["email"] = &types.AttributeValueMemberBOOL{}
		for _, item := range []avMap{twice, broken} {
			_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: item})
			require.NoError(t, err)
		}

		dry, err := maintain.Reindex(ctx, table, maintain.Run{DryRun: true}, repo.Type())
		var predicted, failed *maintain.Error
		require.ErrorAs(t, err, &predicted)
		require.Zero(t, dry.Capacity.Write)
		report, err := maintain.Reindex(ctx, table, maintain.Run{}, repo.Type())
		require.ErrorAs(t, err, &failed)
		places := func(list []maintain.Problem) (texts []string) {
			for _, p := range list {
				texts = append(texts, p.String()+textOf(p.Item["PK"])+textOf(p.Other["PK"]))
			}
			return texts
		}
		require.ElementsMatch(t, places(failed.Problems), places(predicted.Problems))
		requireSameCounts(t, report, dry)
		for _, p := range failed.Problems {
			switch p.Kind {
			case maintain.KeyTaken:
				require.Equal(t, avMap{"PK": avS("PUPIL#3"), "SK": avS("P#t")}, p.Other)
			case maintain.ValueTaken:
				require.Equal(t, avS("PUPIL#1"), p.Other["PK"])
			default:
				require.Nil(t, p.Other)
			}
		}
		kinds := map[maintain.Kind]string{}
		for _, p := range failed.Problems {
			kinds[p.Kind] += textOf(p.Item["PK"]) + p.Name
		}
		require.Equal(t, map[maintain.Kind]string{
			maintain.KeyTaken: "PUPIL#3", maintain.ValueTaken: "PUPIL#4email", maintain.Undecodable: "PUPIL#5",
		}, kinds)
		require.Equal(t, []int{2, 0, 3}, []int{report.Moved, report.Updated, report.Left})

		p, err := repo.Get(ctx, pupil{ID: "1", Team: "t"})
		require.NoError(t, err)
		require.EqualValues(t, 2, p.Version)
		p.Email = "new"
		require.NoError(t, repo.Put(ctx, &p), "the version that was read before the move")
		_, err = old.In(oldTable).Get(ctx, pupil{ID: "1"})
		require.ErrorIs(t, err, trestle.ErrNotFound)
		require.NoError(t, repo.Create(ctx, &pupil{ID: "6", Team: "t", Email: "6"}))
		requireOutcome(t, repo.Create(ctx, &pupil{ID: "7", Team: "t", Email: "2"}), trestle.ErrTaken, trestle.NotApplied)
	})
}

// requireSameCounts requires that a dry run has counted what a run has changed.
func requireSameCounts(t *testing.T, run, dry maintain.Report) {
	t.Helper()
	counts := func(r maintain.Report) []int { return []int{r.Items, r.Updated, r.Moved, r.Created, r.Left} }
	require.Equal(t, counts(run), counts(dry))
}

// A dry run counts what a run changes if two items get the same key or the same unique value.
func TestReindexDryRunSeesClashes(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, client := t.Context(), e.Client(t)
		after, now := pupils(true, "P#<team>")
		table, err := after.Open(client, "things")
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		store := func(p pupil, sort string) {
			item, err := now.Encode(&p)
			require.NoError(t, err)
			if sort != "" {
				item["SK"] = avS(sort)
			}
			_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: item})
			require.NoError(t, err)
		}
		store(pupil{ID: "1", Team: "t", Email: "same"}, "")
		store(pupil{ID: "2", Team: "t", Email: "same"}, "")
		store(pupil{ID: "3", Team: "t", Email: "3"}, "OLD")
		store(pupil{ID: "3", Team: "t", Email: "4"}, "OLDER")
		store(pupil{ID: "5", Team: "t", Email: "5"}, "OLD")

		for _, concurrency := range []int{1, 4} {
			dry, err := maintain.Reindex(ctx, table, maintain.Run{DryRun: true, Concurrency: concurrency}, now)
			var failed *maintain.Error
			require.ErrorAs(t, err, &failed)
			require.Equal(t, 2, dry.Left)
			require.Equal(t, []int{5, 0, 2, 3}, []int{dry.Items, dry.Updated, dry.Moved, dry.Created})
		}
		dry, err := maintain.Reindex(ctx, table, maintain.Run{DryRun: true}, now)
		require.Error(t, err)
		report, err := maintain.Reindex(ctx, table, maintain.Run{}, now)
		require.Error(t, err)
		requireSameCounts(t, report, dry)
	})
}

// A run continues from the token of another one. The tokens of other types, tables and options are
// rejected before a request is sent.
func TestReindexContinuesFromAToken(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, client := t.Context(), e.Client(t)
		_, _, _ = storedPupils(t, client, 60)
		after, of := pupils(true, "PUPIL")
		other := entity.DefineSpec[mate](after, entity.Spec{Type: "mate", Key: entity.KeySpec{PK: "MATE#<id>", SK: "MATE"}})
		table, err := after.Open(client, "things", entity.PlainCursors())
		require.NoError(t, err)
		repo := of.In(table)
		run := maintain.Run{Concurrency: 2, Budget: 1}
		var first, all maintain.Report
		runs := 0
		for {
			runs++
			require.Less(t, runs, 10)
			run.From = first.Token
			report, err := maintain.Reindex(ctx, table, run, of)
			all.Items += report.Items
			all.Updated += report.Updated
			first = report
			if report.Token == "" {
				require.NoError(t, err)
				break
			}
			require.ErrorIs(t, err, query.ErrBudget)
			for _, wrong := range []maintain.Run{{Concurrency: 3}, {Concurrency: 2, Shards: true}, {Concurrency: 2, DryRun: true}} {
				wrong.From = report.Token
				_, err = maintain.Reindex(ctx, table, wrong, of)
				requireOutcome(t, err, query.ErrCursor, map[bool]trestle.Outcome{true: trestle.NoWrite, false: trestle.NotApplied}[wrong.DryRun])
			}
			_, err = maintain.Reindex(ctx, table, maintain.Run{Concurrency: 2, From: report.Token}, other)
			requireOutcome(t, err, query.ErrCursor, trestle.NotApplied)
		}
		require.Equal(t, 2, runs, "each segment has a page")
		require.Equal(t, 60, all.Items, "no item is read twice")
		require.Equal(t, 54, all.Updated)
		require.NoError(t, incomplete(ctx, table, repo))

		closed, err := after.Open(client, "things")
		require.NoError(t, err)
		_, err = maintain.Reindex(ctx, closed, maintain.Run{From: "x", Rate: -1}, of)
		requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
	})
}

// The rate limits the units per second.
func TestReindexRate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		db := ddbtest.Start(t)
		_, _, _ = storedPupils(t, db.Client(), 50)
		after, of := pupils(true, "PUPIL")
		table, err := after.Open(db.Client(), "things")
		require.NoError(t, err)
		for _, c := range []struct{ rate float64 }{{20}, {0}} {
			began := time.Now()
			report, err := maintain.Reindex(ctx, table, maintain.Run{Rate: c.rate, Concurrency: 1}, of)
			require.NoError(t, err)
			if c.rate == 0 {
				require.Less(t, time.Since(began), time.Second)
				break
			}
			expected := time.Duration((report.Capacity.Read + report.Capacity.Write) / c.rate * float64(time.Second))
			require.InDelta(t, expected.Seconds(), time.Since(began).Seconds(), 1)
			require.Greater(t, expected, 5*time.Second)
		}
	})
}

// Writes whose condition fails count for the rate and the capacity: updates, transactions with
// guards, and moves.
func TestReindexCountsFailedWrites(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		guarded bool
		sort    string
	}{{true, "PUPIL"}, {false, "PUPIL"}, {false, "P#<team>"}} {
		synctest.Test(t, func(t *testing.T) {
			ctx, db := t.Context(), ddbtest.Start(t)
			before, old := pupils(c.guarded, "PUPIL")
			oldTable, err := before.Open(db.Client(), "things")
			require.NoError(t, err)
			require.NoError(t, oldTable.Create(ctx))
			changes := map[string]int{}
			change := func(ctx context.Context, id string) { // as another program does
				if changes[id]++; changes[id] > 4 {
					return
				}
				out, err := db.Client().GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("things"), Key: avMap{"PK": avS(id), "SK": avS("PUPIL")}})
				require.NoError(t, err)
				out.Item["team"] = avS(fmt.Sprint("t", changes[id]))
				_, err = db.Client().PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: out.Item})
				require.NoError(t, err)
			}
			for i := range 20 {
				p := pupil{ID: fmt.Sprint(i), Team: "t", Email: fmt.Sprint(i, strings.Repeat("x", 100*i))}
				require.NoError(t, old.In(oldTable).Create(ctx, &p))
				change(ctx, "PUPIL#"+p.ID)
			}
			after, now := pupils(true, c.sort)
			table, err := after.Open(beforeWrites{db.Client(), change}, "things")
			require.NoError(t, err)
			const rate = 10
			earlier, began := len(db.Requests()), time.Now()
			report, err := maintain.Reindex(ctx, table, maintain.Run{Rate: rate, Concurrency: 1}, now)
			require.NoError(t, err)
			units := 0.0
			for _, r := range db.Requests()[earlier:] {
				if r.Operation == "UpdateItem" || r.Operation == "TransactWriteItems" {
					units += r.WriteUnits
				}
			}
			require.Greater(t, units, 100.0)
			require.InDelta(t, units, report.Capacity.Write, 0)
			require.GreaterOrEqual(t, time.Since(began).Seconds(), (units-20)/rate)
		})
	}
}

type gauge struct {
	Device string `dynamodbav:"device"`
	N      int    `dynamodbav:"n"`
}

// Items in the shards of an earlier number of shards stay, unless they are to be moved.
func TestReindexOfShards(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, client := t.Context(), e.Client(t)
		open := func(shards ...int) (*entity.Table, *entity.Repo[gauge]) {
			s := entity.NewSchema(entity.Config{})
			of := entity.DefineSpec[gauge](s, entity.Spec{Type: "gauge", Key: entity.KeySpec{PK: "R#<device>#<shard:n>", SK: "<n:06>", Shards: shards}})
			table, err := s.Open(client, "things")
			require.NoError(t, err)
			return table, of.In(table)
		}
		table, first := open(3)
		require.NoError(t, table.Create(ctx))
		for i := range 30 {
			require.NoError(t, first.Put(ctx, &gauge{Device: "d", N: i}))
		}
		table, both := open(3, 7)
		report, err := maintain.Reindex(ctx, table, maintain.Run{}, both.Type())
		require.NoError(t, err)
		require.Zero(t, report.Moved)
		report, err = maintain.Reindex(ctx, table, maintain.Run{Shards: true}, both.Type())
		require.NoError(t, err)
		require.Greater(t, report.Moved, 15)
		_, last := open(7)
		for i := range 30 {
			_, err := last.Get(ctx, gauge{Device: "d", N: i})
			require.NoError(t, err)
		}
	})
}
