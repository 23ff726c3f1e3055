package item

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// randomItem returns an item with one of few keys.
func randomItem(r *rand.Rand) value.Map {
	item := of("pk", fmt.Sprint(r.IntN(2)), "sk", fmt.Sprint(r.IntN(3)))
	for _, a := range of("g", fmt.Sprint(r.IntN(2)), "l", r.IntN(3), "x", r.IntN(3), "y", fmt.Sprint(r.IntN(3)), "n", r.IntN(9)) {
		if r.IntN(2) == 0 {
			item = item.With(a.Name, a.Value)
		}
	}
	return item
}

// randomWrite returns a write, with or without a condition.
func randomWrite(r *rand.Rand) Write {
	item := randomItem(r)
	w := Write{Kind: Kind(1 + r.IntN(3)), TableName: indexed, Item: item, OnFailure: []string{"", "NONE", "ALL_OLD"}[r.IntN(3)]}
	if w.Kind != PutKind {
		w.Item = item.Pick("pk", "sk")
	}
	v := values()
	if w.Kind == UpdateKind {
		w.Update = pointer([]string{"SET x = :x, y = :y REMOVE n", "ADD n :x REMOVE g", "REMOVE x, y", ""}[r.IntN(4)])
	}
	w.Condition = pointer([]string{"", "attribute_exists(pk)", "attribute_not_exists(pk)", "x = :x", "attribute_type(y, :s) OR x < :x"}[r.IntN(5)])
	for _, text := range []*string{w.Update, w.Condition} {
		if text != nil {
			for name, value := range values(":x", r.IntN(3), ":y", fmt.Sprint(r.IntN(3)), ":s", "S") {
				if strings.Contains(*text, name) {
					v[name] = value
				}
			}
		}
	}
	if len(v) > 0 {
		w.Values = v
	}
	return w
}

// model is a table with the expected items.
type model map[string]value.Map

func keyOf(item value.Map) string { return fmt.Sprint(item.Get("pk"), item.Get("sk")) }

// apply applies a write to the model, and reports whether its condition held.
func (m model) apply(w Write) (old, item value.Map, held bool) {
	old = m[keyOf(w.Item)]
	if w.Condition != nil && !meets(old, *w.Condition, w.Values) {
		return old, old, false
	}
	switch w.Kind {
	case PutKind:
		item = w.Item
	case UpdateKind:
		item = updated(old, w)
	}
	delete(m, keyOf(w.Item))
	if item != nil {
		m[keyOf(item)] = item
	}
	return old, item, true
}

func meets(item value.Map, condition string, v map[string]value.Value) bool {
	switch condition {
	case "attribute_exists(pk)":
		return item != nil
	case "attribute_not_exists(pk)":
		return item == nil
	case "x = :x":
		return item.Get("x") != nil && value.Equal(item.Get("x"), v[":x"])
	default:
		less, ok := value.Compare(item.Get("x"), v[":x"])
		return item.Get("y") != nil || item.Get("x") != nil && ok && less < 0
	}
}

func updated(old value.Map, w Write) value.Map {
	item := old
	if item == nil {
		item = w.Item
	}
	switch {
	case w.Update == nil:
	case *w.Update == "REMOVE x, y":
		if old == nil {
			return nil
		}
		item = item.Without("x").Without("y")
	case (*w.Update)[0] == 'A':
		n := w.Values[":x"].(value.Number)
		if before, ok := item.Get("n").(value.Number); ok {
			n.Decimal, _ = n.Add(before.Decimal)
		}
		item = item.With("n", n).Without("g")
	default:
		item = item.With("x", w.Values[":x"]).With("y", w.Values[":y"]).Without("n")
	}
	return item
}

// targets returns the attributes that an update changes.
func targets(w Write) []string {
	switch {
	case w.Update == nil:
		return nil
	case (*w.Update)[0] == 'A':
		return []string{"n", "g"}
	case (*w.Update)[0] == 'R':
		return []string{"x", "y"}
	default:
		return []string{"x", "y", "n"}
	}
}

// run runs a write as PutItem, UpdateItem or DeleteItem.
func run(db *store.DB, w Write, returned string) (*api.WriteOutput, error) {
	expressions := api.Expressions{ExpressionAttributeNames: w.Names, ExpressionAttributeValues: w.Values}
	returns := api.Returns{ReturnValues: returned, ReturnValuesOnConditionCheckFailure: w.OnFailure}
	switch w.Kind {
	case PutKind:
		return Put(call(db), &api.PutItemInput{
			TableName: w.TableName, Item: w.Item, ConditionExpression: w.Condition, Expressions: expressions, Returns: returns,
			Expectation: w.Expectation,
		})
	case UpdateKind:
		return Update(call(db), &api.UpdateItemInput{
			TableName: w.TableName, Key: w.Item, UpdateExpression: w.Update, ConditionExpression: w.Condition, Expressions: expressions,
			Returns: returns, Expectation: w.Expectation, AttributeUpdates: w.Updates,
		})
	default:
		return Delete(call(db), &api.DeleteItemInput{
			TableName: w.TableName, Key: w.Item, ConditionExpression: w.Condition, Expressions: expressions, Returns: returns,
			Expectation: w.Expectation,
		})
	}
}

// returned returns the expected Attributes of a reply.
func returned(w Write, mode string, old, item value.Map) (attributes value.Map) {
	switch mode {
	case "ALL_OLD":
		attributes = old
	case "ALL_NEW":
		attributes = item
	case "UPDATED_OLD":
		attributes = old.Pick(targets(w)...)
	case "UPDATED_NEW":
		attributes = item.Pick(targets(w)...)
	}
	if len(attributes) == 0 {
		return nil
	}
	return attributes
}

// TestWritesEqualAModel compares random writes and their replies with a model. A rejected write
// changes nothing. The negative control stores items before it checks the condition.
func TestWritesEqualAModel(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	hasty := 0
	for range testsize.Pick(60, 400, 2000) {
		db, meant, naive := newDB(t), model{}, model{}
		for range 60 {
			w := randomWrite(r)
			mode := []string{"", "NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"}[r.IntN(6)]
			if w.Kind != UpdateKind {
				mode = []string{"", "NONE", "ALL_OLD"}[r.IntN(3)]
			}
			old, item, held := meant.apply(w)
			out, err := run(db, w, mode)
			if held {
				require.NoError(t, err)
				require.Equal(t, returned(w, mode, old, item), out.Attributes, "%+v %s", w, mode)
			} else {
				var refusal *awserr.Error
				require.ErrorAs(t, err, &refusal)
				require.Equal(t, awserr.CodeConditionalFailed, refusal.Code)
				if w.OnFailure != "ALL_OLD" {
					old = nil
				}
				require.Equal(t, old, refusal.Item)
			}
			require.Equal(t, meant[keyOf(w.Item)], stored(t, db, indexed, w.Item))
			unconditional := w
			unconditional.Condition = nil
			naive.apply(unconditional)
		}
		if !equal(meant, naive) {
			hasty++
		}
	}
	require.Positive(t, hasty)
}

func equal(a, b model) bool {
	for key := range a {
		if !value.Equal(a[key], b[key]) {
			return false
		}
	}
	return len(a) == len(b)
}

// TestStepsOfAnAction checks that nothing changes before the last step, so that an action can be
// abandoned until then.
func TestStepsOfAnAction(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	put, err := Parse(Write{Kind: PutKind, TableName: indexed, Item: of("pk", "a", "sk", "b", "n", 1)})
	require.NoError(t, err)
	look, err := Parse(Write{Kind: CheckKind, TableName: indexed, Item: of("pk", "a", "sk", "b"), Condition: pointer("n = :n"), Values: values(":n", 1)})
	require.NoError(t, err)
	stop := errors.New("given up")
	for _, end := range []error{stop, nil} {
		err := db.Update(func(s *store.State) error {
			require.NoError(t, put.Bind(s))
			require.Equal(t, indexed, put.Table().Name)
			require.NoError(t, put.Evaluate())
			require.Nil(t, put.Old())
			require.Equal(t, of("pk", "a", "sk", "b", "n", 1), put.new)
			require.NoError(t, look.Bind(s))
			require.Error(t, look.Evaluate(), "it sees what is there, not what will be")
			if end == nil {
				put.Commit(call(db), s, false)
			}
			return end
		})
		require.ErrorIs(t, err, end)
		require.Equal(t, end == nil, stored(t, db, indexed, of("pk", "a", "sk", "b")) != nil)
	}
	require.NoError(t, db.Update(func(s *store.State) error {
		require.NoError(t, look.Bind(s))
		require.NoError(t, look.Evaluate())
		require.Equal(t, look.Old(), look.new)
		look.Commit(call(db), s, true)
		return nil
	}))
	require.Equal(t, of("pk", "a", "sk", "b", "n", 1), stored(t, db, indexed, of("pk", "a", "sk", "b")))
}
