package trestle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs an error must not log its keys
	"maps"
	"slices"
	"strings"
)

// RemovalReport is the progress or the result of RemoveTenant of a table.
type RemovalReport struct {
	Items    int            // the items that were deleted, without guards
	ByType   map[string]int // the items by type name; "" for items of unregistered types
	Guards   int            // the guards of unique values that were deleted
	Capacity Capacity
}

// TenantItemsError reports that a table has items of a tenant. CheckTenantRemoved of a table
// returns it. Its text contains no key and no tenant.
type TenantItemsError struct {
	Table string
	Items int
	// ByType is the number of items by type name. The name is "" for items of unregistered types,
	// and starts with $U for items of the library.
	ByType map[string]int
}

// Error lists the number of items by type, and says how to delete them.
func (e TenantItemsError) Error() string {
	items := "items"
	if e.Items == 1 {
		items = "item"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "trestle: table %q has %d %s of the tenant", e.Table, e.Items, items)
	for i, name := range slices.Sorted(maps.Keys(e.ByType)) {
		fmt.Fprintf(&b, "%c %s %d", ":,"[min(i, 1)], cmp.Or(name, "unregistered types"), e.ByType[name])
	}
	b.WriteString(" (call RemoveTenant again)")
	return b.String()
}

// LogValue returns the table and the numbers.
func (e TenantItemsError) LogValue() slog.Value { return slog.StringValue(e.Error()) }

// MarshalJSON returns the text of Error as JSON.
func (e TenantItemsError) MarshalJSON() ([]byte, error) { return json.Marshal(e.Error()) }
