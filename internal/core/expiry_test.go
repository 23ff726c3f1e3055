package core_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// An item has expired from the second in its time to live on, unless DynamoDB ignores the value.
func TestExpired(t *testing.T) {
	t.Parallel()
	p := &core.Plan{FieldRoles: core.FieldRoles{TTL: &codec.Field{Name: "ttl"}}}
	number := func(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }
	now := time.Unix(1_800_000_000, 999_999_999)
	for _, c := range []struct {
		name    string
		ttl     types.AttributeValue
		expired bool
	}{
		{"absent", nil, false},
		{"this second", number("1800000000"), true},
		{"the next second", number("1800000001"), false},
		{"a fraction of the next second", number("1800000000.5"), false},
		{"a fraction of this second", number("1799999999.5"), true},
		{"another spelling", number("18e8"), true},
		{"five years ago", number("1642320000"), true},
		{"more than five years ago", number("1642319999"), false},
		{"zero", number("0"), false},
		{"negative", number("-1800000000"), false},
		{"in milliseconds", number("1800000000000"), false},
		{"too large for an int64", number("18000000000000000000000"), false},
		{"a text", &types.AttributeValueMemberS{Value: "1800000000"}, false},
		{"NULL", &types.AttributeValueMemberNULL{Value: true}, false},
		{"not a number", number("soon"), false},
	} {
		row := core.NewRow(map[string]types.AttributeValue{"ttl": c.ttl})
		require.Equal(t, c.expired, core.ExpiryAt(now).Expired(p, row), c.name)
		require.False(t, core.Expiry{}.Expired(p, row), c.name)
		require.False(t, core.ExpiryAt(now).Expired(&core.Plan{}, row), c.name)
		require.False(t, core.ExpiryAt(now).Expired(nil, row), c.name)
	}
	require.True(t, core.ExpiryOf(&core.Plan{}, nil).IsZero())
}

// DynamoDB ignores a time to live that is no number, is more than five years in the past, or is in
// milliseconds. No other value is ignored.
func TestIgnoredTimesToLive(t *testing.T) {
	t.Parallel()
	number := func(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }
	now := core.ExpiryAt(time.Unix(1_800_000_000, 999_999_999))
	for _, c := range []struct {
		name    string
		ttl     types.AttributeValue
		ignored bool
	}{
		{"absent", nil, false},
		{"this second", number("1800000000"), false},
		{"the next second", number("1800000001"), false},
		{"a fraction", number("1800000000.5"), false},
		{"another spelling", number("18e8"), false},
		{"five years ago", number("1642320000"), false},
		{"more than five years ago", number("1642319999"), true},
		{"a fraction more than five years ago", number("1642319999.5"), true},
		{"zero", number("0"), true},
		{"negative", number("-1800000000"), true},
		{"the year 5138", number("99999999999"), false},
		{"after the year 5138", number("100000000000"), true},
		{"a fraction after it", number("99999999999.5"), true},
		{"in milliseconds", number("1800000000000"), true},
		{"in milliseconds, in another spelling", number("18e11"), true},
		{"too large for an int64", number("18000000000000000000000"), true},
		{"a text", &types.AttributeValueMemberS{Value: "1800000001"}, true},
		{"NULL", &types.AttributeValueMemberNULL{Value: true}, false},
	} {
		require.Equal(t, c.ignored, now.Ignores(c.ttl), c.name)
	}
}

// The check of a whole number allocates nothing. The test is not parallel, because it counts the
// allocations of the program.
func TestIgnoredTimesToLiveAllocateNothing(t *testing.T) { //nolint:paralleltest // counts allocations
	now := core.ExpiryAt(time.Unix(1_800_000_000, 0))
	for _, n := range []string{"1800000001", "1800000000000", "0"} {
		ttl := &types.AttributeValueMemberN{Value: n}
		require.Zero(t, testing.AllocsPerRun(10, func() { now.Ignores(ttl) }), n)
	}
}
