package read

import (
	"unicode/utf8"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
)

// subset writes the condition on the sort key for a part of a collection.
func (c *compiler) subset(part *Subset) {
	c.only = part.Types
	if !part.Narrowed {
		return
	}
	sort := c.target.key.Sort
	switch {
	case c.query.Where.Len() > 0:
		c.problems.Add("", "the collection is narrowed already, by Where", "narrow it once, by Where, Prefix or Between")
		return
	case len(sort) == 0:
		c.problems.Add("", "there is no sort key to narrow the collection by", "read the whole collection")
		return
	case sort[0].Type != keys.S:
		c.problems.Add(sort[0].Name, "the sort key is not a string", "read the type by itself, with Where")
		return
	}
	for _, text := range []string{part.Prefix, part.From, part.To} {
		c.checkBound(sort[0], text)
	}
	switch {
	case part.Prefix != "":
		c.write(sort[0], keyspace.Range{Op: keyspace.BeginsWith, Lo: part.Prefix})
	case part.From != "" && part.To != "" && part.From > part.To:
		c.problems.Add(sort[0].Name, "the upper bound is less than the lower bound", "give the lower bound first")
	case part.From != "" && part.To != "":
		c.write(sort[0], keyspace.Range{Op: keyspace.Between, Lo: part.From, Hi: part.To})
	case part.From != "":
		c.write(sort[0], keyspace.Range{Op: keyspace.Ge, Lo: part.From})
	case part.To != "":
		c.write(sort[0], keyspace.Range{Op: keyspace.Le, Lo: part.To})
	default:
		c.problems.Add(sort[0].Name, "the range has no bound", "leave it out to read the whole collection")
	}
}

// checkBound reports a bound that is not UTF-8, or that is longer than any sort key.
func (c *compiler) checkBound(a *core.KeyAttr, text string) {
	switch {
	case !utf8.ValidString(text):
		c.problems.Add(a.Name, "the bound is not valid UTF-8", "give a valid text")
	case len(text) > maxSortKey:
		c.problems.AddLimit(a.Name, "the bound exceeds 1,024 bytes, the maximum of a sort key", "give a shorter one")
	}
}
