package scan

import (
	"strconv"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
)

// A token is the number of problems so far, a dot, and a cursor that is bound to this number. The
// run that continues there reports that number, although it does not find the problems.

// Bound is what tokens of a run are bound to, beside the operation, the table, its keys, the
// segments and the number of problems.
type Bound struct {
	Stages int                  // how often the run scans the table; 0: it has no tokens
	Found  func() int           // the number of problems so far; nil: there are none
	Add    func(cursor.Binding) // may be nil
}

// tokens is the state of a run's tokens.
type tokens struct {
	Bound
	stage   int               // the scan that runs
	from    []cursor.Position // where it begins; nil: at the beginning
	earlier int               // problems of the earlier runs
	token   string            // where another run continues
}

// Open validates the options and opens the token.
func (r *Run) Open(b Bound) error {
	r.tokens.Bound = b
	var wrong errs.Problems
	r.rate.check(&wrong)
	if r.From != "" && r.Cursors == nil {
		wrong.Add("", "the table was opened without cursors, so it has no tokens", "open it with entity.Cursors and a ring of keys, or with entity.PlainCursors")
	}
	if err := wrong.Err(); err != nil {
		return r.Fail(r.Outcome, err)
	}
	if r.tokens.token = r.From; r.From != "" && !r.openToken() {
		return &trestle.OpError{Op: r.Name, Table: r.Config.Table, Outcome: r.Outcome, Kind: errs.Cursor}
	}
	return nil
}

// openToken sets where the run begins. It reports whether the token is valid.
func (r *Run) openToken() bool {
	problems, token, _ := strings.Cut(r.From, ".")
	n, err := strconv.ParseUint(problems, 10, 31)
	if err != nil || problems != strconv.FormatUint(n, 10) {
		return false
	}
	r.tokens.earlier = int(n) //nolint:gosec // 31 bits
	for r.tokens.stage = range r.tokens.Stages {
		from, err := r.Cursors.Wide(r.Concurrency).Open(r.binding(int(n)), r.Schema.Position, token, r.Config.Now()) //nolint:gosec // 31 bits
		if err == nil && r.valid(from) {
			r.tokens.from = from
			return true
		}
	}
	return false
}

// valid reports whether the positions are those of distinct segments. Callers can forge positions
// in plain cursors.
func (r *Run) valid(from []cursor.Position) bool {
	seen := map[int]bool{}
	for _, at := range from {
		if at.Merged || seen[at.Stream] || at.Stream >= r.Concurrency {
			return false
		}
		seen[at.Stream] = true
	}
	return len(from) > 0
}

// binding returns what a token is bound to.
func (r *Run) binding(problems int) cursor.Binding {
	b := cursor.NewBinding()
	b.Text(r.Name)
	b.Text(r.Config.Table)
	b.Texts(r.Schema.Signature())
	b.Number(r.Concurrency)
	b.Number(problems)
	b.Number(r.tokens.stage)
	if r.tokens.Add != nil {
		r.tokens.Add(b)
	}
	return b
}

// seal sets the token to positions. There is none at the end of the table.
func (r *Run) seal(at []cursor.Position) error {
	token := ""
	if len(at) > 0 && r.Cursors != nil && r.tokens.Stages > 0 {
		problems := r.tokens.earlier
		if r.tokens.Found != nil {
			problems += r.tokens.Found()
		}
		sealed, err := r.Cursors.Wide(r.Concurrency).Seal(r.binding(problems), r.Schema.Position, at, r.Config.Now(), r.Config.Random)
		if err != nil {
			return r.Fail(r.Outcome, err)
		}
		token = strconv.Itoa(problems) + "." + sealed
	}
	r.Locked(func() { r.tokens.token = token })
	return nil
}

// Token returns where another run continues, or "".
func (r *Run) Token() (token string) {
	r.Locked(func() { token = r.tokens.token })
	return token
}

// Earlier returns the number of problems of the earlier runs that this run continues.
func (r *Run) Earlier() int { return r.tokens.earlier }

// Stage returns the number of the scan with which the run begins, from 0 on.
func (r *Run) Stage() int { return r.tokens.stage }

// NextStage begins the next scan of the table. The token is at its beginning.
func (r *Run) NextStage() error {
	r.tokens.stage++
	r.tokens.from = nil
	at := make([]cursor.Position, r.Concurrency)
	for i := range at {
		at[i].Stream = i
	}
	return r.seal(at)
}
