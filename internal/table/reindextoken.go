package table

import (
	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
)

// openToken sets where the scan begins.
func (r *reindexRun) openToken() error {
	if r.options.Token == "" {
		return nil
	}
	from, err := r.cursors.Wide(r.Concurrency).Open(r.binding(), r.Schema.Position, r.options.Token, r.Config.Now())
	if err != nil || !r.validFrom(from) {
		return &trestle.OpError{Op: r.name, Entity: r.plan.Name, Table: r.Config.Table, Outcome: trestle.NotApplied, Kind: errs.Cursor}
	}
	r.from = from
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
		var err error
		if token, err = r.cursors.Wide(r.Concurrency).Seal(r.binding(), r.Schema.Position, r.at, r.Config.Now(), r.Config.Random); err != nil {
			return r.invalid(r.name, trestle.NotApplied, err)
		}
	}
	r.locked(func() { r.report.Token = token })
	return nil
}

// binding returns what a token is bound to: the table, the type and its keys, and the segments.
func (r *reindexRun) binding() cursor.Binding {
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
	b.Flag(r.options.Regroups)
	b.Flag(r.options.DryRun)
	return b
}
