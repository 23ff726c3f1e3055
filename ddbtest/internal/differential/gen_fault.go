package differential

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// fault is one way in which a request can be wrong; all else in it is right.
type fault struct {
	name   string
	weight int
	make   func(*generator, *table) any
}

// wrong makes a request that is to be refused.
func (g *generator) wrong() []operation {
	var ways []weighted[fault]
	for _, f := range allFaults() {
		ways = append(ways, weighted[fault]{f.weight, f})
	}
	f := choose(g, ways)
	return one(operation{input: f.make(g, g.anyTable()), fault: f.name})
}

func allFaults() []fault {
	return slices.Concat(valueFaults, expressionFaults, readFaults, severalFaults, tableFaults)
}

// name is the table's name, as requests have it.
func name(t *table) *string { return aws.String(t.name) }

// with is a copy of an item with one more attribute, or with another value for one.
func with(it item, name string, v value) item {
	changed := maps.Clone(it)
	changed[name] = v
	return changed
}

// otherKind is a value that is not of some key type.
func otherKind(kind string) value {
	if kind == "S" {
		return number("1")
	}
	return text("a")
}
