package clause

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
)

// Item is an item of the SDK; nil is none.
type Item = map[string]types.AttributeValue

// Clause is a part of a condition, with the meaning of its failure.
type Clause struct {
	Pred    Pred
	Fails   error // the sentinel error if it is false for an item
	None    error // the sentinel error if it is false without an item; nil: Fails
	Rank    Rank
	Then    Then
	Implied bool   // it is evaluated, but not sent: the other clauses are true only if it is
	Read    int    // with Replan: the index of the read that it repeats
	Members []int  // the members of the operation that fail; nil: that of the write
	Reason  string // a description that is more exact than the error; empty: none
	Cure    string // how to fix it, if the caller did not request the condition; empty: see the error
}

// Rank orders clauses. If several are false, the lowest rank has the meaning.
type Rank uint8

// The ranks.
const (
	OtherType Rank = iota
	Existence
	Version
	Counts
	Called // what the call requires of attributes
	Moved  // what a move requires of the other operations of its transaction
	Dead
	Read   // what was read
	Enough // what other operations require of the same item
	Null
	Rest
)

// Then is what a false clause means for its operation. With Replan, Bury and Unset, the operation
// is undecided: nothing that it requires is known to be false, and it is made again.
type Then uint8

const (
	// Fail means that the operation requires the clause in any case.
	Fail Then = iota
	// Depend means that the clause can become true if operations of the transaction are planned
	// again: another one releases a unique value, or changes a count, or the operation itself is
	// counted by another item.
	Depend
	// Replan means that the clause repeats what was read.
	Replan
	// Bury means that the clause is false only because an expired item was not deleted yet, which
	// counts as none.
	Bury
	// Unset means that the item holds NULL where the write needs no value.
	Unset
)

// holds reports whether the clause is true. stored is the stored item, and met is nil if that
// counts as none.
func (c *Clause) holds(stored, met Item) bool {
	if c.Then == Bury {
		return c.Pred.Holds(stored)
	}
	return c.Pred.Holds(met)
}

// Error returns the sentinel error of the clause, which is false for an item.
func (c *Clause) Error(met Item) error {
	if met == nil && c.None != nil {
		return c.None
	}
	return c.Fails
}

// Deciding returns the false clauses of the lowest rank: one of the write, and one for each list of
// other members. Of the write's own ones, it returns the first with a cure. stored is the stored
// item, and met is nil if that counts as none.
func Deciding(clauses []Clause, stored, met Item) (list []*Clause) {
	for i := range clauses {
		c := &clauses[i]
		if len(list) > 0 && c.Rank > list[0].Rank || c.holds(stored, met) {
			continue
		}
		if len(list) > 0 && c.Rank < list[0].Rank {
			list = list[:0]
		}
		switch same := slices.IndexFunc(list, func(d *Clause) bool { return slices.Equal(c.Members, d.Members) }); {
		case same < 0:
			list = append(list, c)
		case list[same].Cure == "" && c.Cure != "":
			list[same] = c
		}
	}
	return list
}

// Outdated reports whether an item differs from what was read.
func Outdated(clauses []Clause, met Item) bool {
	return slices.ContainsFunc(clauses, func(c Clause) bool { return c.Then == Replan && !c.Pred.Holds(met) })
}

// Nulls returns the places that must not hold NULL and do in an item.
func Nulls(clauses []Clause, item Item) (places []*core.BoundPath) {
	for i := range clauses {
		if at, ok := clauses[i].Pred.(NotNull); ok && clauses[i].Then == Unset && !at.Holds(item) {
			places = append(places, at.At)
		}
	}
	return places
}

// NeedItem reports whether the clauses are false without an item.
func NeedItem(clauses []Clause) bool {
	return slices.ContainsFunc(clauses, func(c Clause) bool { return !c.Pred.Holds(nil) })
}

// Render appends the condition of the clauses that are sent.
func Render(to []byte, clauses []Clause, m Marks) []byte {
	sent := Sent(clauses)
	first := true
	for i := range clauses {
		c := &clauses[i]
		switch {
		case c.Implied:
			continue
		case sent == 1:
			return c.Pred.Render(to, m)
		case !first:
			to = append(to, words[joinsAnd]...)
		}
		to, first = operand(to, c.Pred, joinsAnd, m), false
	}
	return to
}

// Sent returns the number of clauses that are sent.
func Sent(clauses []Clause) (n int) {
	for i := range clauses {
		if !clauses[i].Implied {
			n++
		}
	}
	return n
}
