package define

import (
	"iter"
	"math"
	"time"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// holding is a member of a key attribute that holds a field.
type holding struct {
	in *core.KeyAttr
	at int
}

// indexAttrs yields the key attributes that are not part of the table's key.
func (c *compiler) indexAttrs() iter.Seq[*core.KeyAttr] {
	return func(yield func(*core.KeyAttr) bool) {
		for _, k := range c.plan.Attrs {
			if !k.Table && !yield(k) {
				return
			}
		}
	}
}

// places returns the key attribute members that hold a field. It returns none if the field cannot
// be decoded from a key.
func places(sides iter.Seq[*core.KeyAttr], f *codec.Field) (found []holding) {
	if !f.CanSetKey() {
		return nil
	}
	for k := range sides {
		for i, m := range k.Members {
			if m == f {
				found = append(found, holding{k, i})
			}
		}
	}
	return found
}

// finest returns the places that keep most of a field. For times, these are the places that lose
// the shortest duration. For other kinds, they are the places with the format of the first place.
func finest(found []holding) []holding {
	var kept []holding
	least := int64(math.MaxInt64)
	for _, p := range found {
		switch drops := p.drops(found[0]); {
		case drops < least:
			least, kept = drops, []holding{p}
		case drops == least && drops < math.MaxInt64:
			kept = append(kept, p)
		}
	}
	return kept
}

// drops returns the nanoseconds that the format removes from a time. For other kinds, it returns 0
// if the format equals that of the first place, and math.MaxInt64 otherwise.
func (p holding) drops(first holding) int64 {
	if kind, _ := p.in.Members[p.at].KeyKind(); kind != keys.KindTime {
		if p.in.Template.Format(p.at) == first.in.Template.Format(first.at) {
			return 0
		}
		return math.MaxInt64
	}
	full := time.Date(2001, time.December, 31, 23, 59, 59, 999_999_999, time.UTC)
	kept, err := p.in.Template.Kept(p.at, keys.Time(full))
	if err != nil {
		return math.MaxInt64
	}
	return int64(full.Sub(kept.Time()).Abs())
}

// giveBack makes Decode read the field from these places. It returns false if there are none.
func giveBack(from []holding) bool {
	for _, p := range from {
		if p.in.Parse == nil {
			p.in.Parse = make([]bool, len(p.in.Members))
		}
		p.in.Parse[p.at] = true
	}
	return len(from) > 0
}
