package differential

import (
	"fmt"
	"math/rand/v2"
)

// history is a set of tables and a sequence of operations on them.
type history struct {
	name   string // prefix of the table names
	tables []*table
	steps  []operation
}

// generator generates a random history.
type generator struct {
	*rand.Rand
	tables        []*table
	large         bool // items are so large that pages end at 1 MB
	changesTables bool // indexes are added and deleted
	slots         int
	reads         []operation // first pages, which may be continued
	sent          []operation // transactions, which may be sent again
	tokens        int
	expires       map[string]bool // tables whose time to live is enabled
	weights       []weighted[func(*generator) []operation]
	few           bool // keys and values are often one of very few, so that conditions are often true
}

// generate returns the n-th history of a seed, of about that length.
func generate(seed uint64, n, length int) history {
	return generateWith(operationWeights, false, seed, n, length)
}

// generateWith generates a history of operations with some weights. Unless keys and values are few,
// some histories have large items or change their tables.
func generateWith(weights []weighted[func(*generator) []operation], few bool, seed uint64, n, length int) history {
	random := rand.New(rand.NewPCG(seed, uint64(n))) //nolint:gosec // a test's chance is no secret
	g := &generator{Rand: random, expires: map[string]bool{}, weights: weights, few: few}
	h := history{name: fmt.Sprintf("h%d", n)}
	g.changesTables = !few && n%8 == 7
	if g.large = !few && n%16 == 4; g.large {
		length /= 4
	}
	g.tables = []*table{g.table(h.name+"a", g.changesTables), g.table(h.name+"b", false)}
	h.tables = g.tables
	for len(h.steps) < length {
		h.steps = append(h.steps, g.step()...)
	}
	return h
}

func (g *generator) chance(p float64) bool { return g.Float64() < p }

func pick[T any](g *generator, from []T) T { return from[g.IntN(len(from))] }

// weighted is a choice with its weight.
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

// step returns the next operations.
func (g *generator) step() []operation {
	switch {
	case g.large && g.chance(0.2):
		return g.query()
	case g.changesTables && g.chance(0.02):
		return g.changeTable()
	}
	return choose(g, g.weights)(g)
}

// operationWeights holds the weights of the kinds of operations.
var operationWeights = []weighted[func(*generator) []operation]{
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
	{13, (*generator).invalidRequest},
}
