package op

import "github.com/trestledb/trestle/internal/errs"

// Counting describes an action that only changes counts.
type Counting struct {
	Label string // the counts
	// More are the members of the operation whose items become counted: the counting item must
	// exist. Fewer are those whose items are no longer counted, where it exists: its counts must
	// not become negative.
	More, Fewer []int
}

// definite returns the meaning of a failed conditional check. A counting item that does not exist
// counts no items that are no longer counted: they are planned again.
func (c *Counting) definite(met Item) (Verdict, error) {
	switch {
	case met != nil:
		return Depends, errs.Condition
	case len(c.More) > 0:
		return Failed, errs.NotFound
	default:
		return Changed, nil
	}
}

// failed returns the members because of which a conditional check failed, or nil.
func (c *Counting) failed(met Item) []int {
	switch {
	case c == nil:
		return nil
	case met == nil && len(c.More) > 0:
		return c.More
	default:
		return c.Fewer
	}
}
