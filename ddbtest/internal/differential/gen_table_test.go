package differential

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func (g *generator) describe() []operation {
	return one(operation{input: &dynamodb.DescribeTableInput{TableName: aws.String(g.anyTable().name)}})
}

// ttlName is the TTL attribute. No operation writes it, so nothing expires.
const ttlName = "ends"

// timeToLive reads or changes the setting. It never disables it, because the service allows one
// change an hour.
func (g *generator) timeToLive() []operation {
	t := g.anyTable()
	if g.chance(0.5) {
		return one(operation{input: &dynamodb.DescribeTimeToLiveInput{TableName: name(t)}})
	}
	on := g.expires[t.name] || g.chance(0.8)
	g.expires[t.name] = on
	return one(operation{input: &dynamodb.UpdateTimeToLiveInput{TableName: name(t), TimeToLiveSpecification: &types.TimeToLiveSpecification{
		AttributeName: aws.String(ttlName), Enabled: aws.Bool(on),
	}}})
}

// changeTable adds or deletes an index of the table with spare attributes. The generator uses the
// changed table from then on.
func (g *generator) changeTable() []operation {
	i := slices.IndexFunc(g.tables, func(t *table) bool { return len(t.spare) > 0 })
	t := *g.tables[i]
	g.tables = slices.Clone(g.tables)
	g.tables[i] = &t
	t.indexes = slices.Clone(t.indexes)
	const most = 2
	in := &dynamodb.UpdateTableInput{TableName: aws.String(t.name)}
	if len(t.indexes) == most || len(t.indexes) > 0 && g.chance(0.3) {
		n := g.IntN(len(t.indexes))
		in.GlobalSecondaryIndexUpdates = []types.GlobalSecondaryIndexUpdate{
			{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: aws.String(t.indexes[n].name)}},
		}
		t.indexes = slices.Delete(t.indexes, n, n+1)
		return one(operation{input: in, marks: []string{"UpdateTable deletes an index"}})
	}
	free := slices.DeleteFunc(slices.Clone(t.spare), func(a attribute) bool {
		return slices.ContainsFunc(t.indexes, func(x index) bool { return slices.Contains(x.hash, a) })
	})
	a := pick(g, free)
	x := index{name: "by-" + a.name, key: key{hash: []attribute{a}}}
	g.project(&x)
	t.indexes = append(t.indexes, x)
	in.AttributeDefinitions = definitions(t.keyAttributes())
	in.GlobalSecondaryIndexUpdates = []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
		IndexName: aws.String(x.name), KeySchema: x.schema(), Projection: x.projectionType(),
	}}}
	return one(operation{input: in, marks: []string{"UpdateTable adds an index"}})
}
