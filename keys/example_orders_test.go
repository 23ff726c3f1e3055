package keys_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/trestledb/trestle/keys"
)

// A template renders the sort keys of a customer's orders, which sort by time. Prefix returns the
// operand of a begins_with condition for the orders of one status.
func Example_ordersByTime() {
	fields := map[string]keys.Kind{"status": keys.KindText, "placed_at": keys.KindTime, "id": keys.KindText}
	orders, err := keys.Compile("ORDER#<status>#<placed_at:s>#<id>", keys.Options{
		Kind: func(field string) (keys.Kind, bool) { kind, ok := fields[field]; return kind, ok },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	placed := time.Date(2026, 8, 1, 9, 30, 29, 0, time.UTC)
	first, err := orders.Render(keys.Text("open"), keys.Time(placed), keys.Text("a#1"))
	fmt.Println(first, err)
	second, err := orders.Render(keys.Text("open"), keys.Time(placed.Add(time.Second)), keys.Text("7"))
	fmt.Println(second, err)
	fmt.Println(first < second)

	open, err := orders.Prefix(keys.Text("open"))
	fmt.Println(open, err)
	fmt.Println(strings.HasPrefix(first, open))

	_, err = orders.Render(keys.Text("open"), keys.Text("today"), keys.Text("7"))
	fmt.Println(err)
	// Output:
	// ORDER#open#2026-08-01T09:30:29Z#a$H1 <nil>
	// ORDER#open#2026-08-01T09:30:30Z#7 <nil>
	// true
	// ORDER#open# <nil>
	// true
	// keys: template "ORDER#<status>#<placed_at:s>#<id>", field "placed_at", format "s": the value is of kind text, the field of kind time
}
