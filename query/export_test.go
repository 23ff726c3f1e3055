package query

import (
	"time"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
)

// Forge makes a plain cursor of any positions, as anybody can who knows the program. Attributes are
// the read's own, or what is to be written in their place.
func (q Query[T]) Forge(attributes func([]core.Attribute) []core.Attribute, at []cursor.Position, now time.Time) (string, error) {
	p, err := q.q.plan()
	if err != nil {
		return "", err
	}
	return cursor.Plain(wide).Seal(q.q.binding(p), attributes(p.Position), at, now)
}

// Forge is [Query.Forge].
func (s TableScan[R]) Forge(attributes func([]core.Attribute) []core.Attribute, at []cursor.Position, now time.Time) (string, error) {
	p, _, err := s.s.plan(nil)
	if err != nil {
		return "", err
	}
	return cursor.Plain(wide).Seal(s.s.binding(p), attributes(p.Position), at, now)
}

// wide lets cursors be as long as they come.
var wide = cursor.Limits{Expiry: time.Hour, Longest: 1 << 20}
