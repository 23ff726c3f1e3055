package differential

// form is how an operation runs on each engine.
type form int

const (
	plainCall      form = iota
	firstPage           // a read that opens a slot for its next pages
	nextPage            // the next page of a slot's read, on each engine
	deleteAtCursor      // deletes the last item of a slot's last page
	allSegments         // a parallel scan of all segments, to their ends
)

// operation is one operation to run on both engines.
type operation struct {
	form  form
	input any      // pointer to a request of the SDK, never modified
	slot  int      // of a paginated read; 0 is none
	token int      // of a transaction; 0 is none
	fault string   // why the request is invalid; "" if it is valid
	marks []string // what it uses, for the coverage
}
