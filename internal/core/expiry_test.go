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
