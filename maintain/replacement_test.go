package maintain_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/maintain"
)

// scroll is read by the index Old, and later by the index New.
type scroll struct {
	_    entity.Key   `type:"scroll" pk:"S#<id>" sk:"S"`
	_    entity.Index `name:"by-shelf" on:"Old" pk:"SHELF#<shelf>" sk:"<id>"`
	ID   string       `dynamodbav:"id"`
	Room string       `dynamodbav:"room"`

	Shelf string `dynamodbav:"shelf"`
}

type movedScroll struct {
	_    entity.Key   `type:"scroll" pk:"S#<id>" sk:"S"`
	_    entity.Index `name:"by-shelf" on:"New" pk:"SHELF#<shelf>" sk:"<id>"`
	ID   string       `dynamodbav:"id"`
	Room string       `dynamodbav:"room"`

	Shelf string `dynamodbav:"shelf"`
}

var (
	oldShelf = entity.IndexConfig{Name: "Old", Partition: []entity.Attribute{entity.S("XPK")}, Sort: []entity.Attribute{entity.S("XSK")}, KeysOnly: true}
	newShelf = entity.IndexConfig{Name: "New", Partition: oldShelf.Partition, Sort: oldShelf.Sort, Include: []string{"room"}}
)

// shelves opens a schema of some indexes on a client.
func shelves[T any](t *testing.T, client *dynamodb.Client, indexes ...entity.IndexConfig) (*entity.Table, *entity.Repo[T]) {
	t.Helper()
	s := entity.NewSchema(entity.Config{Indexes: indexes})
	defined := entity.Define[T](s)
	table, err := s.Open(client, "scrolls")
	require.NoError(t, err)
	return table, defined.In(table)
}

// Each step of the plan is seen when it is done. The schema of each step passes Check, and the new
// index has the items that were stored before it.
func TestReplacementStepByStep(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		first, scrolls := shelves[scroll](t, client, oldShelf)
		require.NoError(t, first.Create(t.Context()))
		require.NoError(t, scrolls.Create(t.Context(), &scroll{ID: "1", Room: "r", Shelf: "s"}))
		_, err := maintain.Replacement(t.Context(), first, "Old", "New")
		require.ErrorIs(t, err, trestle.ErrInvalid, "the schema does not declare it")

		both, scrolls := shelves[scroll](t, client, oldShelf, newShelf)
		require.Error(t, maintain.Check(t.Context(), both))
		step := nextStep(t, both, 0)
		require.NotNil(t, step.Input)
		_, err = client.UpdateTable(t.Context(), step.Input)
		require.NoError(t, err)
		awaitStep(t, both, 2)
		require.NoError(t, maintain.Check(t.Context(), both))
		require.Nil(t, nextStep(t, both, 2).Input, "the programs change")
		require.NoError(t, scrolls.Create(t.Context(), &scroll{ID: "2", Room: "r", Shelf: "s"}), "a program of the earlier build")

		last, _ := shelves[movedScroll](t, client, newShelf)
		require.NoError(t, maintain.Check(t.Context(), last))
		step = nextStep(t, last, 3)
		require.NotNil(t, step.Input)
		out, err := client.Query(t.Context(), &dynamodb.QueryInput{
			TableName: aws.String("scrolls"), IndexName: aws.String("New"), KeyConditionExpression: aws.String("XPK = :s"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":s": avS("SHELF#s")},
		})
		require.NoError(t, err)
		require.Len(t, out.Items, 2)
		require.Contains(t, out.Items[0], "room")
		_, err = client.UpdateTable(t.Context(), step.Input)
		require.NoError(t, err)
		awaitStep(t, last, 4)
		require.NoError(t, maintain.Check(t.Context(), last))
	})
}

// nextStep returns the next step of the replacement of Old by New, which is the one at that index.
func nextStep(t *testing.T, table *entity.Table, at int) maintain.Step {
	t.Helper()
	steps, err := maintain.Replacement(t.Context(), table, "Old", "New")
	require.NoError(t, err)
	require.Len(t, steps, 4)
	for i, s := range steps {
		require.Equal(t, i < at, s.Done, "%d: %s", i, steps)
	}
	if at == 4 {
		return maintain.Step{}
	}
	return steps[at]
}

// awaitStep reads the plan until the steps before at are done.
func awaitStep(t *testing.T, table *entity.Table, at int) {
	t.Helper()
	for range 2000 {
		steps, err := maintain.Replacement(t.Context(), table, "Old", "New")
		require.NoError(t, err)
		if steps[at-1].Done {
			return
		}
	}
	require.Fail(t, "DynamoDB does not end the step")
}

// While DynamoDB creates or deletes an index, no request is due.
func TestReplacementWaits(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t, ddbtest.Options{TableDelay: time.Minute})
	client := db.Client()
	input := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{oldShelf}}).Definition("scrolls")
	_, err := client.CreateTable(t.Context(), input)
	require.NoError(t, err)
	db.Advance(time.Hour)
	both, _ := shelves[scroll](t, client, oldShelf, newShelf)
	_, err = client.UpdateTable(t.Context(), nextStep(t, both, 0).Input)
	require.NoError(t, err)
	require.Nil(t, nextStep(t, both, 1).Input)
	db.Advance(time.Hour)
	require.Nil(t, nextStep(t, both, 2).Input)
	last, _ := shelves[movedScroll](t, client, newShelf)
	_, err = client.UpdateTable(t.Context(), nextStep(t, last, 3).Input)
	require.NoError(t, err)
	require.Nil(t, nextStep(t, last, 3).Input)
	db.Advance(time.Hour)
	nextStep(t, last, 4)
}

// Indexes that cannot replace each other are refused, and a table that has other ones is a
// difference.
func TestReplacementsThatAreRefused(t *testing.T) {
	t.Parallel()
	client := ddbtest.Client(t)
	first, _ := shelves[scroll](t, client, oldShelf)
	require.NoError(t, first.Create(t.Context()))
	same, otherKey := newShelf, newShelf
	same.Include, same.KeysOnly = nil, true
	otherKey.Partition = []entity.Attribute{entity.S("YPK")}
	local := entity.IndexConfig{Name: "New", Kind: entity.LocalIndex}
	for name, x := range map[string]entity.IndexConfig{"the same projection": same, "another key": otherKey, "a local index": local} {
		table, _ := shelves[scroll](t, client, oldShelf, x)
		_, err := maintain.Replacement(t.Context(), table, "Old", "New")
		require.ErrorIs(t, err, trestle.ErrInvalid, name)
	}
	both, _ := shelves[scroll](t, client, oldShelf, newShelf)
	_, err := maintain.Replacement(t.Context(), both, "Old", "Old")
	require.ErrorIs(t, err, trestle.ErrInvalid)
	_, err = client.UpdateTable(t.Context(), nextStep(t, both, 0).Input)
	require.NoError(t, err)
	whole := newShelf
	whole.Include = nil
	other, _ := shelves[scroll](t, client, oldShelf, whole)
	_, err = maintain.Replacement(t.Context(), other, "Old", "New")
	var drift *maintain.Error
	require.ErrorAs(t, err, &drift)
	require.Len(t, drift.Problems, 1)
}

// Keys among the included attributes of the new index are no difference, as for Check.
func TestReplacementWithKeysAmongIncludedAttributes(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		withKeys := newShelf
		withKeys.Include = []string{"room", "PK", "XSK"}
		in := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{oldShelf, newShelf}}).Definition("scrolls")
		in.GlobalSecondaryIndexes[1].Projection.NonKeyAttributes = withKeys.Include
		_, err := client.CreateTable(t.Context(), in)
		require.NoError(t, err)
		for _, index := range []entity.IndexConfig{newShelf, withKeys} {
			both, _ := shelves[scroll](t, client, oldShelf, index)
			_, err := maintain.Replacement(t.Context(), both, "Old", "New")
			require.NoError(t, err)
		}
	})
}
