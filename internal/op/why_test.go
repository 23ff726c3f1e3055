package op_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
)

func number(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }

// TestKind checks the sentinel error of a failed conditional check for each requirement and item.
func TestKind(t *testing.T) {
	t.Parallel()
	var (
		plain     = op.Why{}
		create    = op.Why{MustNot: true}
		putNew    = op.Why{Stale: true, Version: "v"}
		noItem    = op.Why{Stale: true}
		putKnown  = op.Why{Stale: true, Version: "v", Expect: number("4")}
		update    = op.Why{MustExist: true}
		updateOf  = op.Why{MustExist: true, Stale: true, Version: "v", Expect: number("4")}
		unstamped = putNew // overwrites an item that was read without a version
	)
	none, four, five, bare := op.Item(nil), op.Item{"v": number("4")}, op.Item{"v": number("5")}, op.Item{"k": number("1")}
	for _, test := range []struct {
		name string
		why  op.Why
		met  op.Item
		want error
	}{
		{"condition, no item", plain, none, fail.Condition},
		{"condition", plain, four, fail.Condition},
		{"create", create, four, fail.Exists},
		{"put as new", putNew, four, fail.Stale},
		{"put as new, and a condition", putNew, none, fail.Condition},
		{"put as new over an item without a version, and a condition", putNew, bare, fail.Condition},
		{"overwrite of nothing, an item is there", noItem, bare, fail.Stale},
		{"put, gone", putKnown, none, fail.Stale},
		{"put, another version", putKnown, five, fail.Stale},
		{"put, no version", putKnown, bare, fail.Stale},
		{"put, a condition", putKnown, four, fail.Condition},
		{"update, gone", update, none, fail.NotFound},
		{"update, a condition", update, four, fail.Condition},
		{"update of a version, gone", updateOf, none, fail.NotFound},
		{"update of a version, another", updateOf, five, fail.Stale},
		{"update of a version, a condition", updateOf, four, fail.Condition},
		{"overwrite of no version, one is there", unstamped, four, fail.Stale},
		{"overwrite of no version, a condition", unstamped, bare, fail.Condition},
	} {
		require.Equal(t, test.want, test.why.Kind(test.met), test.name)
	}
}

func TestOutcomeText(t *testing.T) {
	t.Parallel()
	require.Equal(t, "unknown", op.Unknown.String())
	require.Equal(t, "applied", op.Applied.String())
	require.Equal(t, "not applied", op.NotApplied.String())
	require.Equal(t, "no write", op.NoWrite.String())
	var zero op.Outcome
	require.Equal(t, op.Unknown, zero, "what nobody has judged is unknown")
}

func TestCapacityAdds(t *testing.T) {
	t.Parallel()
	c := op.Capacity{Read: 0.5}
	c.Add(op.Capacity{Read: 1, Write: 2})
	require.Equal(t, op.Capacity{Read: 1.5, Write: 2}, c)
}
