package differential

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// invalidRequest is a way to make a valid request invalid.
type invalidRequest struct {
	name   string
	weight int
	make   func(*generator, *table) any
}

// invalidRequest generates an invalid request.
func (g *generator) invalidRequest() []operation {
	var ways []weighted[invalidRequest]
	for _, f := range allInvalidRequests() {
		ways = append(ways, weighted[invalidRequest]{f.weight, f})
	}
	f := choose(g, ways)
	return one(operation{input: f.make(g, g.anyTable()), invalid: f.name})
}

func allInvalidRequests() []invalidRequest {
	return slices.Concat(invalidValues, invalidExpressions, invalidReads, invalidBatches, invalidTables)
}

// name returns the table name as requests contain it.
func name(t *table) *string { return aws.String(t.name) }

// with returns a copy of an item with one attribute added or replaced.
func with(it item, name string, v value) item {
	changed := maps.Clone(it)
	changed[name] = v
	return changed
}

// otherKind returns a value of another type than the key type.
func otherKind(kind string) value {
	if kind == "S" {
		return number("1")
	}
	return text("a")
}
