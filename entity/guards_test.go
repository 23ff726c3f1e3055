package entity_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
)

// putItem stores an item as another program would, with these changes; a nil value removes an
// attribute.
func (c *club) putItem(t testing.TB, item, changes avMap) {
	t.Helper()
	item = maps.Clone(item)
	for name, av := range changes {
		if item[name] = av; av == nil {
			delete(item, name)
		}
	}
	_, err := c.client.PutItem(context.WithoutCancel(t.Context()), &dynamodb.PutItemInput{TableName: aws.String("club"), Item: item})
	require.NoError(t, err)
}

// deleteItem deletes the item with a partition key as another program would.
func (c *club) deleteItem(t testing.TB, partition string) {
	t.Helper()
	item := c.item(t, partition)
	_, err := c.client.DeleteItem(context.WithoutCancel(t.Context()), &dynamodb.DeleteItemInput{
		TableName: aws.String("club"), Key: avMap{"PK": item["PK"], "SK": item["SK"]},
	})
	require.NoError(t, err)
}

// item returns the stored item with a partition key.
func (c *club) item(t testing.TB, partition string) avMap {
	t.Helper()
	items := c.scan(t)
	i := slices.IndexFunc(items, func(item avMap) bool { return textOf(item["PK"]) == partition })
	require.GreaterOrEqual(t, i, 0, partition)
	return items[i]
}

// moveItem replaces the item with a partition key by one with other attributes.
func (c *club) moveItem(t testing.TB, partition string, changes avMap) {
	t.Helper()
	item := c.item(t, partition)
	c.deleteItem(t, partition)
	c.putItem(t, item, changes)
}

func ownerAV(partition, sort string) types.AttributeValue {
	return &types.AttributeValueMemberM{Value: avMap{"PK": avS(partition), "SK": avS(sort)}}
}

const phoneGuard = "$U#unique#guest#phone#"

// furnish stores three members and two guests.
func (c *club) furnish(t testing.TB) {
	t.Helper()
	ctx := t.Context()
	c.clock.seconds.Store(50 * 365 * 24 * 3600) // the engine's clock must not delete the items
	for _, m := range []member{
		{ID: "ann", Email: "ann@example.com", Login: "ann", Club: "chess", Seat: "A"},
		{ID: "bob", Email: "Bob@example.com", Login: "bob", Club: "chess", Seat: "B"},
		{ID: "eve", Email: "eve@example.com", Login: "eve", Club: "chess", Seat: "C"},
	} {
		require.NoError(t, c.members.Create(ctx, &m))
	}
	for i, id := range []string{"gus", "zoe"} {
		require.NoError(t, c.guests.Create(ctx, &guest{ID: id, Phone: int64(1 + i), Expires: c.clock.now().Add(time.Hour)}))
	}
}

// CheckGuards finds every kind of problem. RepairGuards repairs all except those that need a
// decision.
func TestGuardsAreCheckedAndRepaired(t *testing.T) {
	t.Parallel()
	eachClub(t, func(t *testing.T, c *club) {
		ctx := t.Context()
		c.furnish(t)
		require.NoError(t, testchecks.Guards(ctx, c.table))
		require.Empty(t, c.problems(t))

		c.deleteItem(t, emailGuard+"ann@example.com")
		c.putItem(t, c.item(t, loginGuard+"ann"), avMap{"_owner": ownerAV("M#eve", "M")})
		c.putItem(t, c.item(t, seatGuard+"chess#00#A"), avMap{"_owner": nil})
		c.putItem(t, c.item(t, emailGuard+"bob@example.com"), avMap{"_owner": ownerAV("M#none", "M")})
		c.moveItem(t, loginGuard+"bob", avMap{"PK": avS(loginGuard + "old")})
		c.putItem(t, c.item(t, loginGuard+"eve"), avMap{"PK": avS(loginGuard + "other type"), "_owner": ownerAV("G#gus", "G")})
		c.moveItem(t, seatGuard+"chess#00#B", avMap{"SK": avS("another spelling")})
		c.deleteItem(t, phoneGuard+"1")
		c.putItem(t, c.item(t, "G#gus"), avMap{"PK": avS("G#gus2")})
		c.putItem(t, c.item(t, phoneGuard+"2"), avMap{"expires": avN("99999999999")})
		c.putItem(t, c.item(t, "M#eve"), avMap{"PK": avS("M#eve2"), "login": nil, "email": avS("EVE@example.com")})
		c.putItem(t, c.item(t, "M#eve"), avMap{"PK": avS("M#broken"), "n": avS("text"), "seat": nil, "email": nil, "login": nil})
		c.putItem(t, c.item(t, "M#eve"), avMap{"PK": avS("M#long"), "seat": nil, "email": avS(strings.Repeat("x", 2048)), "login": avS("long")})
		c.putItem(t, c.item(t, loginGuard+"eve"), avMap{"PK": avS("$U#unique#visitor#pass#1")})
		c.putItem(t, c.item(t, loginGuard+"eve"), avMap{"PK": avS("$U#unique#member#nick#eve")})
		remain := []string{
			"guest phone: two items have the same value G#gus G#gus2",
			"member : an item cannot be decoded M#broken",
			"member : the keys of an item cannot be rendered M#long",
			"member email: two items have the same value M#eve M#eve2",
			"member seat: two items have the same value M#eve M#eve2",
		}
		want := append([]string{
			"guest phone: a guard expires at another time than its item G#zoe",
			"guest phone: an item has no guard for its value ",
			"member : no item has the value of a guard $U#unique#member#nick#eve",
			"member email: an item has no guard for its value M#ann",
			"member email: the guard of an item's value names another item M#bob",
			"member login: an item has no guard for its value M#bob",
			"member login: an item has no guard for its value M#long",
			"member login: no item has the value of a guard " + loginGuard + "old",
			"member login: no item has the value of a guard " + loginGuard + "other type",
			"member login: the guard of an item's value names another item M#ann",
			"member seat: an item has no guard for its value M#bob",
			"member seat: no item has the value of a guard " + seatGuard + "chess#00#B",
			"member seat: the guard of an item's value names another item M#ann",
		}, remain...)
		slices.Sort(want)
		err := testchecks.Guards(ctx, c.table)
		require.Equal(t, want, listed(t, err))
		require.ErrorIs(t, err, trestle.ErrLimit, "the value that is too long")

		report, err := maintain.RepairGuards(ctx, c.table, maintain.Run{})
		require.Equal(t, remain, listed(t, err))
		report.Capacity = trestle.Capacity{}
		require.Equal(t, maintain.Report{Items: 9, ByType: map[string]int{"guest": 3, "member": 6}, Guards: 16, Created: 5, Corrected: 4, Deleted: 4, Left: len(remain)}, report)
		require.Equal(t, remain, listed(t, testchecks.Guards(ctx, c.table)))
		require.NotEmpty(t, c.item(t, "$U#unique#visitor#pass#1"), "of a type of another program")

		for _, partition := range []string{"G#gus2", "M#eve2", "M#broken", "M#long"} {
			c.deleteItem(t, partition)
		}
		_, err = maintain.RepairGuards(ctx, c.table, maintain.Run{})
		require.NoError(t, err)
		require.NoError(t, testchecks.Guards(ctx, c.table))
		require.Equal(t, []string{"visitor pass: no item has the value of a guard $U#unique#visitor#pass#1"}, c.problems(t))
	})
}

// Expired items and their guards are no problem, whichever of them DynamoDB deletes first. If an
// item takes the value of an expired item, its guard is repaired.
func TestExpiredGuardsAreNoProblem(t *testing.T) {
	t.Parallel()
	eachClub(t, func(t *testing.T, c *club) {
		ctx := t.Context()
		c.furnish(t)
		for range 2 * 3600 {
			c.clock.forward()
		}
		require.NoError(t, testchecks.Guards(ctx, c.table))
		require.NoError(t, c.guests.Create(ctx, &guest{ID: "new", Phone: 1, Expires: c.clock.now().Add(time.Hour)}))
		require.NoError(t, testchecks.Guards(ctx, c.table), "the value of an expired item is free")
		c.putItem(t, c.item(t, phoneGuard+"1"), avMap{"_owner": ownerAV("G#gus", "G")})
		require.Equal(t, []string{"guest phone: the guard of an item's value names another item G#new"}, listed(t, testchecks.Guards(ctx, c.table)))
		_, err := maintain.RepairGuards(ctx, c.table, maintain.Run{})
		require.NoError(t, err)
		c.deleteItem(t, "G#zoe")
		require.NoError(t, testchecks.Guards(ctx, c.table), "a guard whose item was deleted first")
		c.deleteItem(t, phoneGuard+"2")
		c.putItem(t, c.item(t, "G#gus"), avMap{"PK": avS("G#zoe"), "phone": avN("2")})
		require.NoError(t, testchecks.Guards(ctx, c.table), "an item whose guard was deleted first")
	})
}

// A check ends after 1,000 problems. A repair repairs all.
func TestManyProblems(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	c := newClub(t, ddbtest.Client(t))
	ctx := t.Context()
	require.NoError(t, c.table.Create(ctx))
	var writes []types.WriteRequest
	const n = 1100
	for i := range n {
		id := string(rune('a'+i%26)) + strings.Repeat("x", i/26)
		item, err := c.members.Type().Encode(&member{ID: id, Email: id + "@example.com"})
		require.NoError(t, err)
		writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
	}
	for batch := range slices.Chunk(writes, 25) {
		out, err := c.client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"club": batch}})
		require.NoError(t, err)
		require.Empty(t, out.UnprocessedItems)
	}
	err := testchecks.Guards(ctx, c.table)
	var e *maintain.Error
	require.ErrorAs(t, err, &e)
	require.Len(t, e.Problems, 1000)
	require.True(t, e.More)

	pages, last := 0, maintain.Report{}
	report, err := maintain.RepairGuards(ctx, c.table, maintain.Run{Concurrency: 8, Progress: func(r maintain.Report) {
		pages++
		require.GreaterOrEqual(t, r.Created, last.Created)
		last = r
	}})
	require.NoError(t, err)
	require.Equal(t, n, report.Items)
	require.Equal(t, n, report.Created)
	require.GreaterOrEqual(t, report.Guards, n)
	require.GreaterOrEqual(t, pages, 16, "two scans of eight segments")
	require.Equal(t, report.Created, last.Created)
	require.GreaterOrEqual(t, report.Capacity.Write, 2.0*n, "of each guard; DynamoDB also charges the condition checks")
	require.NoError(t, testchecks.Guards(ctx, c.table))
}

// A budget, an ended context and a failing table end the check and the repair.
func TestGuardChecksEnd(t *testing.T) {
	t.Parallel()
	eachClub(t, func(t *testing.T, c *club) {
		ctx := t.Context()
		c.furnish(t)
		c.deleteItem(t, emailGuard+"ann@example.com")
		repair := func(ctx context.Context, run maintain.Run) error {
			_, err := maintain.RepairGuards(ctx, c.table, run)
			return err
		}
		for _, dry := range []bool{true, false} {
			require.ErrorIs(t, repair(ctx, maintain.Run{DryRun: dry, Budget: 1}), query.ErrBudget)
			var e *trestle.OpError
			ended, cancel := context.WithCancel(t.Context())
			err := repair(ended, maintain.Run{DryRun: dry, Progress: func(maintain.Report) { cancel() }})
			require.ErrorIs(t, err, context.Canceled)
			require.ErrorAs(t, err, &e)
		}
		require.NoError(t, repair(ctx, maintain.Run{}))
		require.NoError(t, repair(ctx, maintain.Run{DryRun: true, Budget: 1e6}))
		require.NoError(t, testchecks.Guards(ctx, c.table))
		_, err := c.client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String("club")})
		require.NoError(t, err)
		var missing *types.ResourceNotFoundException
		require.ErrorAs(t, testchecks.Guards(ctx, c.table), &missing)
		require.ErrorAs(t, repair(ctx, maintain.Run{}), &missing)
		var none *entity.Table
		require.ErrorIs(t, testchecks.Guards(ctx, none), trestle.ErrInvalid)
		_, err = maintain.RepairGuards(ctx, none, maintain.Run{})
		require.ErrorIs(t, err, trestle.ErrInvalid)
		require.NotErrorIs(t, err, context.Canceled)
	})
}
