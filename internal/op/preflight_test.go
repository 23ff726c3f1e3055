package op_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// numbered is a plan whose table has one number as its key.
var numbered = &core.Plan{Schema: &core.Schema{Partition: core.Attribute{Name: "N", Type: keys.N}}}

func at(member int, verb op.Verb, number string) op.Action {
	a := op.Action{Verb: verb, Plan: numbered, Member: member}
	key := op.Item{"N": &types.AttributeValueMemberN{Value: number}}
	if a.Key = key; verb == op.Put {
		a.Key, a.Item = nil, op.NewContent(key)
	}
	return a
}

// positions returns the fields of the problems of an error.
func positions(err error) (list []string) {
	var invalid *errs.ValidationError
	if errors.As(err, &invalid) {
		for _, p := range invalid.Problems {
			list = append(list, p.Field)
		}
	}
	return list
}

// Two actions on one item are found whatever their verbs and however the number in the key is
// written, but not across tables.
func TestTwoActionsOnOneItem(t *testing.T) {
	t.Parallel()
	verbs := []op.Verb{op.Put, op.Update, op.Delete, op.Check}
	for _, one := range verbs {
		for _, two := range verbs {
			for _, spelling := range []string{"10", "1E1", "10.0", "0010"} {
				err := op.CheckTransaction([]op.Action{at(0, one, "10"), at(1, op.Put, "1"), at(2, two, spelling)}, 3, "app")
				require.ErrorIs(t, err, errs.Invalid)
				require.Equal(t, []string{"operations[2]"}, positions(err))
			}
			other := at(2, two, "10")
			other.Table = "other"
			require.NoError(t, op.CheckTransaction([]op.Action{at(0, one, "10"), at(1, two, "11"), other}, 3, "app"))
			other.Table = "app"
			require.ErrorIs(t, op.CheckTransaction([]op.Action{at(0, one, "10"), other}, 3, "app"), errs.Invalid)
		}
	}
	guard := at(1, op.Put, "7")
	guard.Guard = &op.Guard{Unique: "email", Claims: true}
	require.Equal(t, []string{"operations[1]"}, positions(op.CheckTransaction([]op.Action{at(0, op.Put, "7"), guard}, 2, "app")))
}

// The size of an action counts its item or key, its expressions, and each use of a name or value.
func TestTransactionSize(t *testing.T) {
	t.Parallel()
	text := func(n int) types.AttributeValue { return &types.AttributeValueMemberS{Value: strings.Repeat("x", n)} }
	key := 1 + 2 // the name and the number 1
	for name, c := range map[string]struct {
		change func(a *op.Action)
		size   int
	}{
		"a key": {func(*op.Action) {}, key},
		"an item": {func(a *op.Action) {
			a.Verb, a.Item, a.Key = op.Put, op.NewContent(op.Item{"N": a.Key["N"], "x": text(5)}), nil
		}, key + 6},
		"a condition": {func(a *op.Action) {
			*a.Expressions() = op.Expressions{Condition: "exists(#n0)", Names: map[string]string{"#n0": "four"}}
		}, key + 11 + 4},
		"a name twice": {func(a *op.Action) {
			*a.Expressions() = op.Expressions{Condition: "#n0,#n0", Names: map[string]string{"#n0": "four"}}
		}, key + 7 + 8},
		"an update": {func(a *op.Action) {
			*a.Expressions() = op.Expressions{Update: "SET #n0 = :v0", Names: map[string]string{"#n0": "four"}, Values: op.Item{":v0": text(10)}}
		}, key + 13 + 4 + 10},
		"a value in both": {func(a *op.Action) {
			*a.Expressions() = op.Expressions{
				Update: "SET #a = :v", Condition: "#a_b <> :v AND #a=:v1",
				Names: map[string]string{"#a": "a", "#a_b": "long"}, Values: op.Item{":v": text(10), ":v1": text(3)},
			}
		}, key + 11 + 21 + 1 + 10 + 4 + 10 + 1 + 3},
	} {
		a := at(0, op.Update, "1")
		c.change(&a)
		filler := at(1, op.Put, "2")
		for _, over := range []int{0, 1} {
			filler.Item.Map()["x"] = text(trestle.MaxTransactionSize - c.size - key - 1 + over)
			err := op.CheckTransaction([]op.Action{a, filler}, 2, "app")
			if over == 0 {
				require.NoError(t, err, name)
				continue
			}
			require.ErrorIs(t, err, errs.Limit, name)
			var limit *trestle.TransactionLimitError
			require.ErrorAs(t, err, &limit)
			require.Equal(t, trestle.TransactionLimitError{Operations: 2, Actions: 2, Size: trestle.MaxTransactionSize + 1}, *limit)
		}
	}
}
