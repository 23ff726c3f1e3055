package op_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

func number(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }

// TestKind checks the sentinel error of a failed conditional check for each requirement and item.
func TestKind(t *testing.T) {
	t.Parallel()
	key := clause.NoItem{Key: &core.Attribute{Name: "k"}}
	fails := func(p clause.Pred, err error, rank clause.Rank) clause.Clause {
		return clause.Clause{Pred: p, Fails: err, Rank: rank}
	}
	version := func(av types.AttributeValue) clause.Clause {
		return fails(clause.Value("v", av), errs.Stale, clause.Version)
	}
	zero := fails(&clause.State{Attribute: "v", Absent: true, Null: true}, errs.Stale, clause.Version)
	item := fails(clause.AnItem{Key: &core.Attribute{Name: "k"}}, errs.NotFound, clause.Existence)
	var (
		plain     []clause.Clause
		create    = []clause.Clause{fails(key, errs.Exists, clause.Existence)}
		putNew    = []clause.Clause{zero}
		noItem    = []clause.Clause{fails(key, errs.Stale, clause.Read)}
		putKnown  = []clause.Clause{version(number("4"))}
		update    = []clause.Clause{item}
		updateOf  = []clause.Clause{version(number("4")), item}
		unstamped = []clause.Clause{version(nil)} // overwrites an item that was read without a version
		ofType    = []clause.Clause{item, version(number("4")), fails(&clause.State{Attribute: "t", Absent: true}, errs.Exists, clause.OtherType)}
	)
	none, four, five, bare := op.Item(nil), op.Item{"v": number("4")}, op.Item{"v": number("5")}, op.Item{"k": number("1")}
	for _, test := range []struct {
		name string
		why  []clause.Clause
		met  op.Item
		want error
	}{
		{"condition, no item", plain, none, errs.Condition},
		{"condition", plain, four, errs.Condition},
		{"create", create, four, errs.Exists},
		{"put as new", putNew, four, errs.Stale},
		{"put as new, and a condition", putNew, none, errs.Condition},
		{"put as new over an item without a version, and a condition", putNew, bare, errs.Condition},
		{"overwrite of nothing, an item is there", noItem, bare, errs.Stale},
		{"put, gone", putKnown, none, errs.Stale},
		{"put, another version", putKnown, five, errs.Stale},
		{"put, no version", putKnown, bare, errs.Stale},
		{"put, a condition", putKnown, four, errs.Condition},
		{"update, gone", update, none, errs.NotFound},
		{"update, a condition", update, four, errs.Condition},
		{"update of a version, gone", updateOf, none, errs.NotFound},
		{"update of a version, another", updateOf, five, errs.Stale},
		{"update of a version, a condition", updateOf, four, errs.Condition},
		{"overwrite of no version, one is there", unstamped, four, errs.Stale},
		{"overwrite of no version, a condition", unstamped, bare, errs.Condition},
		{"another type and version", ofType, op.Item{"t": number("1")}, errs.Exists},
	} {
		a := op.Action{Clauses: test.why}
		require.Equal(t, test.want, a.Judge(test.met)[0].Kind, test.name)
	}
}

func TestOutcomeText(t *testing.T) {
	t.Parallel()
	require.Equal(t, "unknown", trestle.Unknown.String())
	require.Equal(t, "applied", trestle.Applied.String())
	require.Equal(t, "not applied", trestle.NotApplied.String())
	require.Equal(t, "no write", trestle.NoWrite.String())
	var zero trestle.Outcome
	require.Equal(t, trestle.Unknown, zero, "the zero Outcome")
}

func TestCapacityAdds(t *testing.T) {
	t.Parallel()
	c := trestle.Capacity{Read: 0.5}
	c.Add(trestle.Capacity{Read: 1, Write: 2})
	require.Equal(t, trestle.Capacity{Read: 1.5, Write: 2}, c)
}
