package write_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/tx"
)

// alterable are the attributes of a record that another program removes or sets to NULL.
var alterable = []string{
	"name", "city", "nick", "alias", "likes", "level", "seat", "open", "done", "at", "data", "tags", "labels", "spot", "sheet", "other", "rank", "unit", "version", "ends",
}

// alter changes a stored record as another program does: attributes are removed, or hold NULL.
func (l *library) alter(ctx context.Context, r *rand.Rand, key map[string]types.AttributeValue) error {
	in := &dynamodb.UpdateItemInput{TableName: &l.name, Key: key, ExpressionAttributeNames: map[string]string{}}
	var set, remove []string
	for i, n := range r.Perm(len(alterable))[:1+r.IntN(6)] {
		name, mark := alterable[n], fmt.Sprintf("#n%d", i)
		switch {
		case name == "ends" && l.declared.Key.Lifetime > 0: // a create would set it
			continue
		case name != "likes" && r.IntN(2) == 0: // likes is the key of an index
			set = append(set, mark+" = :null")
			in.ExpressionAttributeValues = map[string]types.AttributeValue{":null": &types.AttributeValueMemberNULL{Value: true}}
		default:
			remove = append(remove, mark)
		}
		in.ExpressionAttributeNames[mark] = name
	}
	text := ""
	if set != nil {
		text = "SET " + strings.Join(set, ", ")
	}
	if remove != nil {
		text += " REMOVE " + strings.Join(remove, ", ")
	}
	if text == "" {
		return nil
	}
	in.UpdateExpression = &text
	_, err := l.client.UpdateItem(ctx, in)
	return err
}

// repair corrects what follows from the records.
func (l *library) repair(ctx context.Context) error {
	_, keys := maintain.Reindex(ctx, l.table, maintain.Run{}, l.written.Type())
	_, guards := maintain.RepairGuards(ctx, l.table, maintain.Run{})
	_, counts := maintain.RepairCounts(ctx, l.table, maintain.Run{})
	return errors.Join(keys, guards, counts, testchecks.Guards(ctx, l.table))
}

// alterAndRepair alters a record, unless two records would then have the same unique value.
func (l *library) alterAndRepair(ctx context.Context, r *rand.Rand, e record) error {
	key, err := l.records.KeyOf(e)
	if err != nil {
		return err
	}
	before, err := l.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &l.name, Key: key, ConsistentRead: aws.Bool(true)})
	if err != nil {
		return err
	}
	if err := l.alter(ctx, r, key); err != nil {
		return err
	}
	if l.repair(ctx) != nil {
		_, err := l.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &l.name, Item: before.Item})
		return errors.Join(err, l.repair(ctx))
	}
	removed := map[string]bool{}
	for _, name := range alterable {
		removed[name] = true
	}
	l.removed["G#g R#"+e.ID] = removed
	return nil
}

// sendAnyhow sends an operation in one of the ways.
func sendAnyhow[T any](ctx context.Context, r *rand.Rand, o *entity.Op[T]) (err error) {
	token := fmt.Sprintf("token-%d", r.Uint64())
	switch r.IntN(5) {
	case 0:
		_, err = o.Once(token).Do(ctx)
	case 1:
		err = tx.Write(ctx, o)
	case 2:
		err = tx.WriteOnce(ctx, token, o)
	case 3:
		err = entity.WriteMany(ctx, slices.Values([]entity.Operation{o}))
		if left := (*trestle.UnprocessedError)(nil); errors.As(err, &left) {
			err = left.Failures[0].Err
		}
	default:
		_, err = o.Do(ctx)
	}
	return err
}

var anyVerbs = []string{"create", "put", "put", "overwrite", "delete", "update", "update", "update", "upsert", "upsert", "move", "move", "move"}

// anyWrite sends a random write, and checks the table. An item may have been altered before.
func (l *library) anyWrite(ctx context.Context, r *rand.Rand, seen map[string]int) error {
	example, repo := record{Group: "g", ID: string("xyz"[r.IntN(3)])}, l.written
	before, err := repo.Strong().Get(ctx, example)
	if err == nil && r.IntN(3) == 0 {
		if err := l.alterAndRepair(ctx, r, example); err != nil {
			return err
		}
		seen["altered"]++
		before, err = repo.Strong().Get(ctx, example)
	}
	alive := err == nil
	switch n := r.IntN(6); {
	case n == 0 && alive:
		repo, example = repo.With(entity.AsRead()), before
	case n < 3 && alive:
		example = before
	case n < 5:
		repo = repo.With(entity.ReadFirst())
	}
	e := l.randomRecord(r, example.ID)
	if l.hasExpiry && r.IntN(4) == 0 {
		e.Ends = l.now.Add(-time.Hour)
	}
	if r.IntN(4) > 0 {
		e.Version = before.Version
	}
	var conds []attr.Cond[record]
	if r.IntN(6) == 0 {
		conds = append(conds, attr.Named[record]("likes").Eq(before.Likes))
	}
	verb := anyVerbs[r.IntN(len(anyVerbs))]
	stored, removed := "G#g R#"+example.ID, map[string]bool{}
	switch verb {
	case "create":
		err = sendAnyhow(ctx, r, repo.Op().Create(&e))
	case "put":
		err = sendAnyhow(ctx, r, repo.Op().Put(&e, conds...))
	case "overwrite":
		err = sendAnyhow(ctx, r, repo.Op().Overwrite(&e))
	case "delete":
		err = sendAnyhow(ctx, r, repo.Op().Delete(example, conds...))
	case "move":
		e.ID, e.Version = string("xyz"[r.IntN(3)]), 0
		stored, err = "G#g R#"+e.ID, tx.Write(ctx, tx.Move(repo, example, &e))
	default:
		var list []attr.Change[record]
		list, removed = l.changes(r)
		o := repo.Op().Update(example, list[0], list[1:]...)
		if verb == "upsert" {
			o = repo.Op().Upsert(example, list[0], list[1:]...)
		}
		if err = sendAnyhow(ctx, r, o); alive {
			maps.Copy(removed, l.removed[stored])
			removed["rank"], removed["unit"] = true, true // a change of one makes the other exist
		}
	}
	if err == nil {
		seen[verb]++
		l.removed[stored] = removed
	} else if !slices.ContainsFunc(refusals, func(refusal error) bool { return errors.Is(err, refusal) }) {
		return err
	}
	if err := l.check(ctx); err != nil {
		return fmt.Errorf("after %s: %w", verb, err)
	}
	return nil
}

// refusals are the errors of writes that the table refuses.
var refusals = []error{trestle.ErrInvalid, trestle.ErrTaken, trestle.ErrCondition, trestle.ErrStale, trestle.ErrNotFound, trestle.ErrExists}

// TestAnyWriteLeavesWhatCreatesWould: after random writes, also of items that another program has
// altered, and of expired ones, the table is as if each of its entities had been created.
func TestAnyWriteLeavesWhatCreatesWould(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r, client, seen := testrand.New(t), e.Client(t), map[string]int{}
		for round := range e.Size(20, 60, 1000) {
			l := newLibrary(t, client, r, round)
			for step := range 25 {
				if err := l.anyWrite(t.Context(), r, seen); err != nil {
					t.Fatalf("round %d, step %d of %+v: %v", round, step, l.declared, err)
				}
			}
		}
		t.Logf("%v", seen)
		for _, name := range append(slices.Clone(anyVerbs), "altered") {
			require.Positive(t, seen[name], name)
		}
	})
}

// TestAlteredRecordsAreDetected is the negative control: what another program alters is not
// repaired.
func TestAlteredRecordsAreDetected(t *testing.T) {
	t.Parallel()
	r, client := testrand.New(t), engines.Engine{Name: engines.InProcess}.Client(t)
	for round := range 50 {
		l := newLibrary(t, client, r, round)
		e := record{Group: "g", ID: "x", Base: &Base{Rank: 1}, Name: "a", Likes: 1}
		require.NoError(t, l.written.Create(t.Context(), &e))
		require.NoError(t, l.check(t.Context()))
		key, err := l.records.KeyOf(e)
		require.NoError(t, err)
		l.removed["G#g R#x"] = map[string]bool{}
		for _, name := range alterable {
			l.removed["G#g R#x"][name] = true
		}
		require.NoError(t, l.alter(t.Context(), r, key))
		if l.check(t.Context()) != nil {
			return
		}
	}
	t.Fatal("no difference is found")
}
