package query

import (
	"time"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
)

// Forge returns a plain cursor with any positions, like a forger who knows the program can build.
// attributes changes the attributes that the cursor encodes.
func (q Query[T]) Forge(attributes func([]core.Attribute) []core.Attribute, at []cursor.Position, now time.Time) (string, error) {
	p, err := q.q.plan()
	if err != nil {
		return "", err
	}
	return cursor.Plain(wide).Seal(q.q.binding(p), attributes(p.Position), at, now, nil)
}

// Forge returns a forged cursor like [Query.Forge].
func (s TableScan[R]) Forge(attributes func([]core.Attribute) []core.Attribute, at []cursor.Position, now time.Time) (string, error) {
	p, err := s.q.plan()
	if err != nil {
		return "", err
	}
	return cursor.Plain(wide).Seal(s.q.binding(p), attributes(p.Position), at, now, nil)
}

// wide allows cursors of any realistic length.
var wide = cursor.Limits{Expiry: time.Hour, Longest: 1 << 20}
