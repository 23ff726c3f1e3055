package write_test

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// Seating is embedded by a pointer, and embeds another struct by a pointer.
type Seating struct {
	Seat int    `dynamodbav:"seat"`
	Unit string `dynamodbav:"unit"`
	*Bunk
}

// Bunk exists if its deck is stored, and then so does the seat.
type Bunk struct {
	Deck string `dynamodbav:"deck"`
	Row  int    `dynamodbav:"row"`
}

type crewman struct {
	_       entity.Key    `type:"crewman" pk:"CREW#<id>" sk:"CREW"`
	_       entity.Index  `name:"by-seat" on:"GSI1" pk:"CREW" sk:"<seat:04>"`
	_       entity.Index  `name:"by-row" on:"GSI2" pk:"CREW" sk:"<row:04>"`
	_       entity.Unique `key:"<seat:04>"`
	ID      string        `dynamodbav:"id"`
	Version int64         `dynamodbav:"version" entity:"version"`
	*Seating
}

// TestAChangeBehindANilPointerCreatesItsZeros: a change of one field behind an embedded pointer
// that was nil makes the others 0 for readers, so they are 0 in index keys and unique values too.
func TestAChangeBehindANilPointerCreatesItsZeros(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		schema := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}, {Name: "GSI2"}}})
		crew := entity.Define[crewman](schema)
		table, err := schema.Open(e.Client(t), "crew")
		require.NoError(t, err)
		ctx := t.Context()
		require.NoError(t, table.Create(ctx))
		repo := crew.In(table)
		unit, deck := attr.Named[crewman]("unit").Set("x"), attr.Named[crewman]("deck").Set("A")
		type change = attr.Change[crewman]
		for name, write := range map[string]func(example crewman, c change) error{
			"update":             func(x crewman, c change) error { _, err := repo.Update(ctx, x, c); return err },
			"upsert":             func(x crewman, c change) error { _, err := repo.Upsert(ctx, x, c); return err },
			"update, read first": func(x crewman, c change) error { _, err := repo.With(entity.ReadFirst()).Update(ctx, x, c); return err },
			"update, version":    func(x crewman, c change) error { x.Version = 1; _, err := repo.Update(ctx, x, c); return err },
			"upsert, version, as read": func(x crewman, c change) error {
				x.Version = 1
				_, err := repo.With(entity.AsRead()).Upsert(ctx, x, c)
				return err
			},
			"transaction": func(x crewman, c change) error { return tx.Write(ctx, repo.Op().Update(x, c)) },
		} {
			for _, c := range []struct {
				change change
				rows   int
			}{{unit, 0}, {deck, 1}} {
				a, b := crewman{ID: "a"}, crewman{ID: "b"}
				require.NoError(t, repo.Create(ctx, &crewman{ID: "a"}))
				require.NoError(t, repo.Create(ctx, &crewman{ID: "b"}))
				require.NoError(t, write(a, c.change), name)
				require.ErrorIs(t, write(b, c.change), trestle.ErrTaken, name)
				got, err := repo.Strong().Get(ctx, a)
				require.NoError(t, err)
				require.NotNil(t, got.Seating, name)
				found, err := query.On(repo, "by-seat", crewman{}).Collect(ctx)
				require.NoError(t, err)
				require.Len(t, found, 1, name)
				found, err = query.On(repo, "by-row", crewman{}).Collect(ctx)
				require.NoError(t, err)
				require.Len(t, found, c.rows, name)
				require.NoError(t, errors.Join(testchecks.Items(ctx, table, 100), testchecks.Guards(ctx, table)), name)
				require.NoError(t, errors.Join(repo.Delete(ctx, a), repo.Delete(ctx, b)))
			}
		}
	})
}

// Slot has a number that is in the table's key.
type Slot struct {
	No    int    `dynamodbav:"no"`
	Label string `dynamodbav:"label"`
}

type locker struct {
	_ entity.Key   `type:"locker" pk:"LOCKERS" sk:"<no:04>"`
	_ entity.Index `name:"by-no" on:"GSI1" pk:"NO" sk:"<no:04>"`
	*Slot
}

// TestAChangeBehindAKnownPointerReadsNothing: the version shows that the pointer of the example is
// that of the item, and the table's key has its fields.
func TestAChangeBehindAKnownPointerReadsNothing(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		schema := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}, {Name: "GSI2"}}})
		crew := entity.Define[crewman](schema)
		lockers := entity.Define[locker](schema)
		table, err := schema.Open(e.Client(t), "crew")
		require.NoError(t, err)
		_, err = lockers.In(table).Op().Update(locker{Slot: &Slot{No: 1}}, attr.Named[locker]("label").Set("x")).Input()
		require.NoError(t, err)
		unit := attr.Named[crewman]("unit").Set("x")
		known := crewman{ID: "a", Version: 1, Seating: &Seating{}}
		_, err = crew.In(table).Op().Update(known, unit).Input()
		require.NoError(t, err)
		for _, unknown := range []crewman{{ID: "a", Version: 1}, {ID: "a", Seating: &Seating{}}} {
			_, err = crew.In(table).Op().Update(unknown, unit).Input()
			require.ErrorIs(t, err, trestle.ErrInvalid)
		}
	})
}

// sailor has another index whose key has a field behind the embedded pointer.
type sailor struct {
	_    entity.Key    `type:"sailor" pk:"CREW#<id>" sk:"CREW"`
	_    entity.Index  `name:"by-name" on:"GSI1" pk:"NAME#<name>" sk:"<seat:04>"`
	_    entity.Unique `key:"<seat:04>"`
	ID   string        `dynamodbav:"id"`
	Name string        `dynamodbav:"name"`
	*Seating
}

// TestReadsBeforeWritesSeeEmbeddedPointers: an item of another program has a field behind an
// embedded pointer and not the others, which are 0 for readers. A write that reads only a part of
// the item must see these zeros too: it releases their unique values and keeps their index keys.
func TestReadsBeforeWritesSeeEmbeddedPointers(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		schema := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		sailors := entity.Define[sailor](schema)
		client := e.Client(t)
		table, err := schema.Open(client, "crew")
		require.NoError(t, err)
		ctx := t.Context()
		require.NoError(t, table.Create(ctx))
		repo := sailors.In(table)
		name := attr.Must(func(s *sailor) *string { return &s.Name })
		unit := attr.Named[sailor]("unit")
		a := sailor{ID: "a"}
		for verb, w := range map[string]struct {
			write func() error
			holds string // the item that has seat 0 afterwards
		}{
			"delete":      {func() error { return repo.Delete(ctx, a) }, ""},
			"put":         {func() error { return repo.Put(ctx, &sailor{ID: "a"}) }, ""},
			"overwrite":   {func() error { return repo.Overwrite(ctx, &sailor{ID: "a"}) }, ""},
			"move":        {func() error { return tx.Write(ctx, tx.Move(repo, a, &sailor{ID: "b"})) }, ""},
			"move it":     {func() error { return tx.Write(ctx, tx.Move(repo, a, &sailor{ID: "b", Seating: &Seating{}})) }, "b"},
			"transaction": {func() error { return tx.Write(ctx, repo.Op().Delete(a), repo.Op().Create(&sailor{ID: "c"})) }, ""},
			"update": {func() error {
				_, err := repo.With(entity.ReadFirst()).Update(ctx, a, name.Set("y"))
				return err
			}, "a"},
			"update of a field behind it": {func() error { _, err := repo.Update(ctx, a, unit.Set("y")); return err }, "a"},
			"update that removes it":      {func() error { _, err := repo.Update(ctx, a, unit.Remove()); return err }, "a"},
			"upsert": {func() error {
				_, err := repo.With(entity.ReadFirst()).Upsert(ctx, a, name.Set("y"))
				return err
			}, "a"},
		} {
			item, err := sailors.Encode(&sailor{ID: "a", Name: "x", Seating: &Seating{Unit: "x"}})
			require.NoError(t, err)
			for _, attribute := range []string{"seat", "GSI1PK", "GSI1SK"} {
				delete(item, attribute)
			}
			_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("crew"), Item: item})
			require.NoError(t, err)
			_, err = maintain.Reindex(ctx, table, maintain.Run{}, repo.Type())
			require.NoError(t, err)
			_, err = maintain.RepairGuards(ctx, table, maintain.Run{})
			require.NoError(t, err)
			require.ErrorIs(t, repo.Create(ctx, &sailor{ID: "d", Seating: &Seating{}}), trestle.ErrTaken)

			require.NoError(t, w.write(), verb)
			require.NoError(t, errors.Join(testchecks.Items(ctx, table, 100), testchecks.Guards(ctx, table)), verb)
			err = repo.Create(ctx, &sailor{ID: "d", Seating: &Seating{}})
			if w.holds == "" {
				require.NoError(t, err, verb)
			} else {
				require.ErrorIs(t, err, trestle.ErrTaken, verb)
			}
			for _, id := range []string{"a", "b", "c", "d"} {
				require.NoError(t, repo.Delete(ctx, sailor{ID: id}))
			}
		}

		// Without the pointer, there is nothing that the removal could keep.
		require.NoError(t, repo.Create(ctx, &a))
		_, err = repo.Update(ctx, a, unit.Remove())
		require.NoError(t, err)
		got, err := repo.Strong().Get(ctx, a)
		require.NoError(t, err)
		require.Nil(t, got.Seating)
	})
}

// Berth has a field that is stored in the key of an index only.
type Berth struct {
	Deck string `dynamodbav:"deck" entity:"key"`
	Row  int    `dynamodbav:"row"`
}

type passenger struct {
	_  entity.Key   `type:"passenger" pk:"PASSENGER#<id>" sk:"PASSENGER"`
	_  entity.Index `name:"by-deck" on:"GSI1" pk:"DECK#<deck>" sk:"<id>"`
	_  entity.Index `name:"by-row" on:"GSI2" pk:"ROWS" sk:"<row:04>"`
	ID string       `dynamodbav:"id"`
	*Berth
}

// TestAFieldInAKeyOnlyShowsItsEmbeddedPointer: a pointer also exists because of a field that only
// the key of an index holds.
func TestAFieldInAKeyOnlyShowsItsEmbeddedPointer(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		schema := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}, {Name: "GSI2"}}})
		passengers := entity.Define[passenger](schema)
		client := e.Client(t)
		table, err := schema.Open(client, "ship")
		require.NoError(t, err)
		ctx := t.Context()
		require.NoError(t, table.Create(ctx))
		repo := passengers.In(table)
		deck, a := attr.Named[passenger]("deck"), passenger{ID: "a"}
		rows := func() int {
			require.NoError(t, testchecks.Items(ctx, table, 10))
			found, err := query.On(repo, "by-row", passenger{}).Collect(ctx)
			require.NoError(t, err)
			return len(found)
		}
		require.NoError(t, repo.Create(ctx, &a))
		require.Zero(t, rows())
		_, err = repo.Update(ctx, a, deck.Remove())
		require.NoError(t, err)
		require.Zero(t, rows())
		_, err = repo.Update(ctx, a, deck.Set("A"))
		require.NoError(t, err)
		require.Equal(t, 1, rows())

		_, err = client.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // as an older program stored it
			TableName: aws.String("ship"), UpdateExpression: aws.String("REMOVE #r"), ExpressionAttributeNames: map[string]string{"#r": "row"},
			Key: map[string]types.AttributeValue{"PK": &types.AttributeValueMemberS{Value: "PASSENGER#a"}, "SK": &types.AttributeValueMemberS{Value: "PASSENGER"}},
		})
		require.NoError(t, err)
		_, err = repo.Update(ctx, a, deck.Remove())
		require.NoError(t, err)
		require.Equal(t, 1, rows())
	})
}
