package trestle

// CopyReport is the progress or the result of a copy of a table.
type CopyReport struct {
	Items int // items that were copied, also those of the library
	// Token is where another run continues, or "" at the end of the table and for a table without
	// cursors. It contains a key: it is encrypted unless the table has plain cursors.
	Token string
	// Capacity is what both tables consumed.
	Capacity Capacity
}
