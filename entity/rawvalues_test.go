package entity_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/engines"
)

// The contents of a rest field are validated before sending, and the service accepts what passes.
func TestRestIsChecked(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		o := newOffice(t, e.Client(t))
		require.NoError(t, o.table.Create(t.Context()))
		for name, c := range map[string]struct {
			rest map[string]types.AttributeValue
			kind error
		}{
			"an empty set":    {map[string]types.AttributeValue{"x": &types.AttributeValueMemberSS{}}, trestle.ErrInvalid},
			"a value twice":   {map[string]types.AttributeValue{"x": &types.AttributeValueMemberNS{Value: []string{"1", "1.0"}}}, trestle.ErrInvalid},
			"no number":       {map[string]types.AttributeValue{"x": avN("one")}, trestle.ErrInvalid},
			"39 digits":       {map[string]types.AttributeValue{"x": avN(strings.Repeat("1", 39))}, trestle.ErrLimit},
			"no name":         {map[string]types.AttributeValue{"": avS("x")}, trestle.ErrInvalid},
			"no name, nested": {map[string]types.AttributeValue{"x": &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"": avS("x")}}}, trestle.ErrInvalid},
			"nothing wrong":   {map[string]types.AttributeValue{"x": &types.AttributeValueMemberNS{Value: []string{"1", "2"}}, "y": avS("")}, nil},
		} {
			a := ann()
			a.ID, a.Rest = name, c.rest
			outcome := trestle.NotApplied
			if c.kind == nil {
				outcome = trestle.Applied
			}
			requireOutcome(t, o.accounts.Create(t.Context(), &a), c.kind, outcome)
			set := attr.Named[account]("x").Set(c.rest["x"])
			if name == "no name" {
				set = attr.Named[account]("").Set(avS("x"))
			}
			_, err := o.accounts.Upsert(t.Context(), account{Org: "acme", ID: "up " + name}, set)
			requireOutcome(t, err, c.kind, outcome)
		}
	})
}
