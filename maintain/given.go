package maintain

import (
	"hash/maphash"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// maxGiven is the maximum number of keys that a dry run remembers, which take about 40 MB.
const maxGiven = 1_000_000

// given remembers to which item a dry run would give a key: that of a guard, or that of the table.
// It remembers hashes of 64 bits. Two of a million keys have the same one with a probability of one
// to 37 million.
type given struct {
	seed maphash.Seed
	to   map[uint64]uint64
}

// give gives a key to an item. It returns false if another item has been given it.
func (g *given) give(s *core.Schema, key, to op.Item) bool {
	if g.to == nil {
		g.seed, g.to = maphash.MakeSeed(), map[uint64]uint64{}
	}
	hash := func(key op.Item) uint64 { return maphash.String(g.seed, s.Identity(core.NewRow(key))) }
	at, item := hash(key), hash(to)
	if before, found := g.to[at]; found {
		return before == item
	}
	if len(g.to) < maxGiven {
		g.to[at] = item
	}
	return true
}

// predict counts what a run would change. A key or a value that the dry run has counted for another
// item is taken.
func (i *reindexed) predict(claims []bool, taken []int) {
	if i.next.Moves() && !i.give(i.next.To()) {
		i.addTaken(KeyTaken, "", nil)
		return
	}
	for n, key := range i.next.Guards() {
		if claims[n] && !i.give(key) {
			claims[n] = false
			i.addTaken(ValueTaken, i.plan.Uniques[n].Name, nil)
		}
	}
	i.addTakenValues(taken)
	i.count(sent{i.next, claims})
}

// give gives a key to the item. It returns false if another item has been given it.
func (i *reindexed) give(key op.Item) (given bool) {
	r := i.task
	r.Locked(func() { given = r.given.give(r.Schema, key, i.Key) })
	return given
}
