package maintain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/maintain"
)

// cart and sled share their keys. Only a cart has a unique value.
type (
	cart struct {
		_      entity.Key `type:"cart" pk:"T#<tenant>" sk:"PLACE#<id>" shared:"yes"`
		Tenant string     `dynamodbav:"tenant" entity:"tenant"`
		ID     string     `dynamodbav:"id"`
		Number string     `dynamodbav:"number" entity:"unique"`
	}
	sled struct {
		_      entity.Key `type:"sled" pk:"T#<tenant>" sk:"PLACE#<id>" shared:"yes"`
		Tenant string     `dynamodbav:"tenant" entity:"tenant"`
		ID     string     `dynamodbav:"id"`
	}
)

// An item that is replaced by one of another type after it was read is deleted as the type that it
// is then, with its guards. An item of a type that the program does not know is one of these.
func TestRemove_otherType(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for name, kinds := range map[string][2]string{
			"a sled becomes a cart": {"sled", "cart"}, "a cart becomes a sled": {"cart", "sled"}, "a boat becomes a cart": {"boat", "cart"},
		} {
			ctx, h := t.Context(), &deleteHook{}
			s := newTenants(t, e.Client(t, h.option))
			types := entity.NewSchema(entity.Config{TenantIndex: entity.None})
			carts, sleds := entity.Define[cart](types), entity.Define[sled](types)
			table, err := types.Open(s.client, "tenants")
			require.NoError(t, err)
			store := map[string]func() error{
				"cart": func() error { return carts.In(table).Create(ctx, &cart{Tenant: "1", ID: "a", Number: "x"}) },
				"sled": func() error { return sleds.In(table).Create(ctx, &sled{Tenant: "1", ID: "a"}) },
				"boat": func() error {
					s.load(t, avMap{"PK": avS("T#1"), "SK": avS("PLACE#a"), "_type": avS("boat")})
					return nil
				},
			}
			require.NoError(t, store[kinds[0]](), name)
			h.f = func() {
				if kinds[0] == "cart" {
					require.NoError(t, carts.In(table).Delete(ctx, cart{Tenant: "1", ID: "a"}), name)
				} else {
					s.unload(t, avMap{"PK": avS("T#1"), "SK": avS("PLACE#a")})
				}
				require.NoError(t, store[kinds[1]](), name)
			}
			report, err := maintain.RemoveTenant(ctx, table, "1", maintain.Run{})
			require.NoError(t, err, name)
			require.Equal(t, map[string]int{kinds[1]: 1}, report.ByType, name)
			require.Empty(t, s.dump(t), name)
		}
	})
}
