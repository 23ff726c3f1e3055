package differential

// form is how an operation is run on each engine.
type form int

const (
	plainCall      form = iota
	firstPage           // a read that opens a slot for the pages to follow
	nextPage            // the read of a slot, from where that engine's last page ended
	deleteAtCursor      // deletes the item where a slot's last page ended
	allSegments         // a parallel scan, of all segments to their ends
)

// operation is one thing to do on both engines.
type operation struct {
	form  form
	input any      // a pointer to a request of the SDK, which no run changes
	slot  int      // of the pages of one read; 0 is none
	token int      // of a transaction; 0 is none
	fault string   // what is wrong with the request on purpose
	marks []string // what it uses that must be met often enough
}
