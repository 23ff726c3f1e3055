package schemadoc

import (
	"strings"
	"time"

	"github.com/trestledb/trestle/internal/core"
)

// DurationText returns a duration as a tag has it: without units of zero at the end.
func DurationText(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// lifetimes returns one row per type whose items have a lifetime.
func lifetimes(s *core.Schema) table {
	t := table{{"entity", "lifetime", "time to live in"}}
	for _, p := range s.Plans {
		if p.Lifetime != 0 {
			t.add(p.Name, DurationText(p.Lifetime), p.TTL.Name)
		}
	}
	return t
}

// parseLifetime parses the lifetime of a type, which it has once.
func (e *Entity) parseLifetime(text string) (ok bool) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || e.Lifetime != 0 {
		return false
	}
	e.Lifetime = d
	return true
}
