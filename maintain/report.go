package maintain

import "github.com/trestledb/trestle"

// Report is the progress or the result of a run. A dry run counts what a run would change.
type Report struct {
	// Items is the number of items that were read: of [Copy] all, otherwise those of the types that
	// the run is for. An item that [Reindex] moves may be read twice.
	Items    int
	ByType   map[string]int // Items by the name of their type, of Copy also of others, such as $U#unique; "" for no type
	Guards   int            // the guards of unique values that [RepairGuards] checked
	Counting int            // the counting items that [RepairCounts] checked

	Updated   int // items whose index keys or type attribute were changed
	Moved     int // items that were moved to another key
	Created   int // guards that were missing
	Corrected int // guards that named another item or expired at another time; items whose counts were corrected
	Deleted   int // guards whose value no item has
	// Left is the number of problems: those that were found, or that remain after a repair. It does
	// not include those of the earlier runs that the run continues.
	Left int

	// Token is where another run continues, or "" at the end of the table, for a table without
	// cursors, and for RepairCounts. It contains a key: it is encrypted unless the table has plain
	// cursors.
	Token string
	// Capacity is what all requests consumed, for Copy in both tables. It includes an estimate for
	// the writes of Reindex whose condition failed because of another writer, and for those without
	// a reply: DynamoDB does not report what they consumed.
	Capacity trestle.Capacity
}
