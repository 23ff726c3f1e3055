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
	if !valid || !r.openFrom(r.cursors, r.binding(int(earlier)), token) { //nolint:gosec // 31 bits
		return &trestle.OpError{Op: r.name, Entity: r.plan.Name, Table: r.Config.Table, Outcome: trestle.NotApplied, Kind: errs.Cursor}
	}
	r.earlier = int(earlier) //nolint:gosec // 31 bits
	return nil
}

// setToken sets the token of the report to the end of the page. There is none at the end of the
// table, and for a table without cursors.
func (r *reindexRun) setToken() error {
	token := ""
	problems := r.earlier + r.found.count()
	switch sealed, err := r.sealAt(r.cursors, r.binding(problems)); {
	case err != nil:
		return err
	case sealed != "":
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
