package table

import (
	"strconv"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
)

// A token of Reindex is the number of problems so far, a dot, and a cursor that is bound to this
// number. The run that continues there reports the problems, although it does not find them.

// openToken sets where the scan begins, and the number of earlier problems.
func (r *reindexRun) openToken() error {
	if r.options.Token == "" {
		return nil
	}
	problems, token, _ := strings.Cut(r.options.Token, ".")
	earlier, err := strconv.ParseUint(problems, 10, 31)
	valid := err == nil && problems == strconv.FormatUint(earlier, 10)
	from, err := r.cursors.Wide(r.Concurrency).Open(r.binding(int(earlier)), r.Schema.Position, token, r.Config.Now()) //nolint:gosec // 31 bits
	if !valid || err != nil || !r.validFrom(from) {
		return &trestle.OpError{Op: r.name, Entity: r.plan.Name, Table: r.Config.Table, Outcome: trestle.NotApplied, Kind: errs.Cursor}
	}
	r.from, r.earlier = from, int(earlier) //nolint:gosec // 31 bits
	return nil
}

// validFrom reports whether the positions are those of distinct segments. Callers can forge
// positions in plain cursors.
func (r *reindexRun) validFrom(from []cursor.Position) bool {
	seen := map[int]bool{}
	for _, at := range from {
		if at.Merged || seen[at.Stream] || at.Stream >= r.Concurrency {
			return false
		}
		seen[at.Stream] = true
	}
	return len(from) > 0
}

// setToken sets the token of the report to the end of the page. There is none at the end of the
// table, and for a table without cursors.
func (r *reindexRun) setToken() error {
	token := ""
	if len(r.at) > 0 && r.cursors != nil {
		problems := r.earlier + r.found.count()
		sealed, err := r.cursors.Wide(r.Concurrency).Seal(r.binding(problems), r.Schema.Position, r.at, r.Config.Now(), r.Config.Random)
		if err != nil {
			return r.invalid(r.name, trestle.NotApplied, err)
		}
		token = strconv.Itoa(problems) + "." + sealed
	}
	r.locked(func() { r.report.Token = token })
	return nil
}

// binding returns what a token is bound to: the table, the type and its keys, the segments, and the
// number of problems so far.
func (r *reindexRun) binding(problems int) cursor.Binding {
	b := cursor.NewBinding()
	b.Text(r.name)
	b.Text(r.Config.Table)
	b.Text(r.plan.Name)
	b.Texts(r.Schema.Signature())
	b.Texts(r.plan.Table.Signature(r.Schema))
	for _, x := range r.plan.Indexes {
		b.Texts(x.Key.Signature(r.Schema))
	}
	b.Number(r.Concurrency)
	b.Number(problems)
	b.Flag(r.options.Regroups)
	b.Flag(r.options.DryRun)
	return b
}
