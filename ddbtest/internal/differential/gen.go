package differential

import (
	"fmt"
	"math/rand/v2"
)

// history is a setting and what happens in it.
type history struct {
	name   string // of its tables begins so
	tables []*table
	steps  []operation
}

// generator makes a history of random choices.
type generator struct {
	*rand.Rand
	tables  []*table
	large   bool // items are so large that a page ends at 1 MB
	evolves bool // indexes come and go
	slots   int
	reads   []operation // begun reads, of which a next page may be asked
	sent    []operation // transactions, which may be sent again
	tokens  int
	expires map[string]bool // the tables whose items were given a time to live
}

// generate makes the n-th history of a seed, of some length.
func generate(seed uint64, n, length int) history {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, uint64(n))), expires: map[string]bool{}} //nolint:gosec // a test's chance is no secret
	h := history{name: fmt.Sprintf("h%d", n)}
	g.evolves = n%8 == 7
	if g.large = n%16 == 4; g.large {
		length /= 4
	}
	g.tables = []*table{g.table(h.name+"a", g.evolves), g.table(h.name+"b", false)}
	h.tables = g.tables
	for len(h.steps) < length {
		h.steps = append(h.steps, g.step()...)
	}
	return h
}

func (g *generator) chance(p float64) bool { return g.Float64() < p }

func pick[T any](g *generator, from []T) T { return from[g.IntN(len(from))] }

// weighted is one thing to choose, and how often it is chosen beside the others.
type weighted[T any] struct {
	weight int
	choice T
}

func choose[T any](g *generator, from []weighted[T]) T {
	total := 0
	for _, w := range from {
		total += w.weight
	}
	n := g.IntN(total)
	for _, w := range from {
		if n < w.weight {
			return w.choice
		}
		n -= w.weight
	}
	return from[0].choice
}

// step is the next thing to do, sometimes two.
func (g *generator) step() []operation {
	switch {
	case g.large && g.chance(0.2):
		return g.query()
	case g.evolves && g.chance(0.02):
		return g.evolve()
	}
	return choose(g, mix)(g)
}

// mix is how often each kind of operation comes.
var mix = []weighted[func(*generator) []operation]{
	{18, (*generator).put},
	{16, (*generator).updateItem},
	{6, (*generator).deleteItem},
	{3, (*generator).getItem},
	{13, (*generator).query},
	{44, (*generator).resume},
	{4, (*generator).scan},
	{3, (*generator).batchGet},
	{4, (*generator).batchWrite},
	{5, (*generator).transactWrite},
	{3, (*generator).repeat},
	{2, (*generator).mismatch},
	{2, (*generator).transactGet},
	{1, (*generator).describe},
	{2, (*generator).timeToLive},
	{13, (*generator).wrong},
}
