package generations

import (
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/hooks"
)

// settings is what a Repo needs apart from its types.
type settings struct {
	entity      string // the name of the pointer item's type
	table       string
	now         func() time.Time
	text        func() (string, error) // returns random letters and digits
	writeTime   time.Duration
	concurrency int
	err         error // why the Repo cannot be used
}

// newSettings checks the two repositories, which may be nil.
func newSettings(pointers, parts any, writeTime time.Duration, concurrency int) settings {
	from, to := hooks.SourceOf(pointers), hooks.SourceOf(parts)
	var wrong errs.Problems
	wrong.AddAt("pointers", from.Err)
	wrong.AddAt("parts", to.Err)
	if wrong != nil {
		return settings{err: wrong.Err()}
	}
	s := settings{
		entity: from.Plan.Name, table: from.Config.Table, now: from.Config.Now, text: from.Config.Random.Text,
		writeTime: writeTime, concurrency: concurrency,
	}
	if from.Config.Tenant.ID() != to.Config.Tenant.ID() {
		wrong.Add("parts", "they are not of the tenant of the pointer items", "use handles of one tenant for both, or none")
	}
	if from.Plan.TTL != nil {
		wrong.Add(from.Plan.TTL.Name, "a type of pointer items has no time to live", "DynamoDB would delete the item without its parts")
	}
	const own = "a generation is stored and deleted as a whole, next to others"
	p := to.Plan
	if p.Version != nil {
		wrong.Add(p.Version.Name, "a type of parts has no version", own)
	}
	if p.TTL != nil {
		wrong.Add(p.TTL.Name, "a type of parts has no time to live", own)
	}
	if len(p.Uniques) > 0 {
		wrong.Add("", "a type of parts has no unique values", own)
	}
	if len(p.Counted) > 0 {
		wrong.Add("", "the items of a type of parts are not counted", own)
	}
	s.err = wrong.Err()
	return s
}

// old reports whether no program writes a generation any more, and its parts can no longer arrive.
func (s *settings) old(id string) bool { return s.now().Sub(timeOf(id))/2 >= s.writeTime }

// failed returns the error of an operation that failed because of err.
func (s *settings) failed(op string, outcome trestle.Outcome, err error, hint string) error {
	e := &trestle.OpError{Op: op, Entity: s.entity, Table: s.table, Outcome: outcome, Kind: sentinel(err), Err: cause{err}, Hint: hint}
	if outcome == trestle.Unknown {
		e.Kind, e.Err = errs.Unknown, err
	}
	return e
}
