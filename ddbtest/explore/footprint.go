package explore

import (
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/internal/inspect"
	"github.com/trestledb/trestle/ddbtest/internal/service"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// span is a range of places that a request reads or writes. Two requests commute if no span of one
// overlaps a span of the other, or if the overlapping spans only read.
type span struct {
	table  string // "" for all tables
	lo, hi string // from lo, before hi; hi "" is no upper bound
	write  bool
}

func (s span) overlaps(t span) bool {
	if s.table != t.table && s.table != "" && t.table != "" {
		return false
	}
	return (s.hi == "" || t.lo < s.hi) && (t.hi == "" || s.lo < t.hi)
}

// conflict reports whether requests with these spans may not commute.
func conflict(a, b []span) bool {
	for _, s := range a {
		for _, t := range b {
			if (s.write || t.write) && s.overlaps(t) {
				return true
			}
		}
	}
	return false
}

// setSpans computes what the request reads and writes. A request whose effect is not known in
// detail reads or writes a whole table, or all tables.
func (r *request) setSpans(db *ddbtest.DB, body []byte) {
	all := span{write: r.writes}
	if !r.valid || len(r.parts) == 0 {
		r.spans = []span{all}
		return
	}
	for _, part := range r.parts {
		s := span{table: part.Table, write: r.writes && (part.Write || !r.operation.items)}
		schema, known := keySchema(db, part.Table)
		switch {
		case !known:
			s = all
		case r.operation.page && r.name == "Query" && part.Index == "":
			if lo, hi, err := service.QueryBounds(schema, body); err == nil {
				s.lo, s.hi = lo, hi
			}
		case r.body["ReturnItemCollectionMetrics"] == "SIZE": // the reply depends on other items
		case r.operation.items && !r.operation.page && schema.Holds(part.Key):
			s.lo = schema.Place(part.Key)
			s.hi = s.lo + "\x00"
		}
		r.spans = append(r.spans, s)
	}
	if r.token != "" { // equal tokens do not commute
		r.spans = append(r.spans, span{table: "token " + r.token, write: true})
	}
}

// keySchema returns the key of a table.
func keySchema(db *ddbtest.DB, table string) (schema store.KeySchema, ok bool) {
	_ = inspect.Store(db).View(func(s *store.State) error { // cannot fail
		t := s.Tables[table]
		if ok = t != nil; ok {
			schema = t.Key
		}
		return nil
	})
	return schema, ok
}
