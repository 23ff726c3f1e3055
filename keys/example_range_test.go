package keys_test

import (
	"fmt"
	"time"

	"github.com/trestledb/trestle/keys"
)

// A template renders the sort key of an order. Range returns the range of keys of the orders of one
// month.
func Example_ordersOfAMonth() {
	fields := map[string]keys.Kind{"placed_at": keys.KindTime, "id": keys.KindText}
	orders, err := keys.Compile("ORDER#<placed_at:s>#<id>", keys.Options{
		Kind: func(field string) (keys.Kind, bool) { kind, ok := fields[field]; return kind, ok },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	placed := time.Date(2026, 8, 1, 9, 30, 29, 0, time.UTC)
	key, err := orders.Render(keys.Time(placed), keys.Text("a#1"))
	fmt.Println(key, err)

	first, next := time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)
	august, err := orders.Range(nil, keys.During, keys.Time(first), keys.Time(next))
	fmt.Println(august.Shape, august.Lo, august.Hi, err)
	fmt.Println(august.Contains(key))

	_, err = orders.Range(nil, keys.Lt, keys.Time(first.Add(-1)))
	fmt.Println(err)
	// Output:
	// ORDER#2026-08-01T09:30:29Z#a$H1 <nil>
	// within ORDER#2026-08-01T00:00:00Z ORDER#2026-09-01T00:00:00Z <nil>
	// true
	// keys: template "ORDER#<placed_at:s>#<id>", field "placed_at", format "s": the format cannot hold the operand; round it down or up to a whole second
}
