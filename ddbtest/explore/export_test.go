package explore

import "testing"

// IgnoreReads makes searches take reads and writes of the same item for independent, until the end
// of the test. No other test may run at the same time.
func IgnoreReads(t *testing.T) {
	before := dependent
	t.Cleanup(func() { dependent = before })
	writes := func(spans []span) (list []span) {
		for _, s := range spans {
			if s.write {
				list = append(list, s)
			}
		}
		return list
	}
	dependent = func(a, b *effect) bool {
		switch {
		case a.time, b.time, a.fault && b.fault, a.owner == b.owner:
			return before(a, b)
		default:
			return conflict(writes(a.spans), writes(b.spans))
		}
	}
}
