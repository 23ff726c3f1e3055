package table

import (
	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
)

// openFrom sets where the scan begins to the position of a cursor. It reports whether the cursor is
// valid.
func (r *scanRun) openFrom(cursors *cursor.Codec, b cursor.Binding, token string) bool {
	from, err := cursors.Wide(r.Concurrency).Open(b, r.Schema.Position, token, r.Config.Now())
	if err != nil || !r.validFrom(from) {
		return false
	}
	r.from = from
	return true
}

// validFrom reports whether the positions are those of distinct segments. Callers can forge
// positions in plain cursors.
func (r *scanRun) validFrom(from []cursor.Position) bool {
	seen := map[int]bool{}
	for _, at := range from {
		if at.Merged || seen[at.Stream] || at.Stream >= r.Concurrency {
			return false
		}
		seen[at.Stream] = true
	}
	return len(from) > 0
}

// sealAt returns a cursor for the end of the page. It is empty at the end of the table, and for a
// table without cursors.
func (r *scanRun) sealAt(cursors *cursor.Codec, b cursor.Binding) (string, error) {
	if len(r.at) == 0 || cursors == nil {
		return "", nil
	}
	sealed, err := cursors.Wide(r.Concurrency).Seal(b, r.Schema.Position, r.at, r.Config.Now(), r.Config.Random)
	if err != nil {
		return "", r.invalid(r.name, trestle.NotApplied, err)
	}
	return sealed, nil
}

// needsCursors adds a problem if there is a token, and the table was opened without cursors.
func needsCursors(token string, cursors *cursor.Codec, problems *errs.Problems) {
	if token != "" && cursors == nil {
		problems.Add("", "the table was opened without cursors, so it has no tokens", "open it with entity.Cursors and a ring of keys, or with entity.PlainCursors")
	}
}
