package trestle

import (
	"encoding/json"
	"fmt"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs an error must not log its keys
	"maps"
	"slices"
	"strings"
	"time"
)

// RemovalReport is the progress or the result of RemoveTenant or PruneTenant of a table.
type RemovalReport struct {
	Items  int            // the items that were deleted, without guards and entries
	ByType map[string]int // the items by type name; "" for items of unregistered types
	Guards int            // the guards of unique values that were deleted
	// Partitions is the number of recorded partitions. Left is the number of those that stay
	// recorded, because a program may still write to them. Their items are deleted; only the
	// entries stay that name them. Again is the time at which to call RemoveTenant again, which
	// then deletes these entries. It is zero if Left is 0. PruneTenant deletes no items: Left is
	// the number of those that have items or may get some, and Again is zero.
	Partitions, Left int
	Again            time.Time
	Capacity         Capacity
}

// TenantItemsError reports that a table has items of a tenant. CheckTenantRemoved of a table
// returns it. Its text contains no key and no tenant.
type TenantItemsError struct {
	Table string
	Items int
	// ByType is the number of items by type name. The name is "" for items of unregistered types,
	// and starts with $U for items of the library: $U#partitions are entries that name partitions.
	ByType map[string]int
}

// Error lists the number of items by type.
func (e TenantItemsError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s has %d items of the tenant:", e.Table, e.Items)
	for _, name := range slices.Sorted(maps.Keys(e.ByType)) {
		shown := name
		if shown == "" {
			shown = "unregistered types"
		}
		fmt.Fprintf(&b, " %s %d,", shown, e.ByType[name])
	}
	return strings.TrimRight(b.String(), ",:")
}

// LogValue returns the table and the numbers.
func (e TenantItemsError) LogValue() slog.Value { return slog.StringValue(e.Error()) }

// MarshalJSON returns the text of Error as JSON.
func (e TenantItemsError) MarshalJSON() ([]byte, error) { return json.Marshal(e.Error()) }
