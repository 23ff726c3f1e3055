package table

import (
	"context"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
)

// CheckReplacement compares the table and the schema with the steps of replacing an index.
func (t Table) CheckReplacement(ctx context.Context, from, to string) (trestle.IndexReplacement, error) {
	client, ok := t.Config.Client.(describeClient)
	problems := t.replacementProblems(from, to)
	if !ok {
		problems.Add("", "the client cannot describe tables", "open the schema on a *dynamodb.Client")
	}
	if err := problems.Err(); err != nil {
		return trestle.IndexReplacement{}, t.invalid(CheckReplacementName, trestle.NoWrite, err)
	}
	var out *dynamodb.DescribeTableOutput
	err := exec.OnTable(ctx, t.Config, CheckReplacementName, false, func(ctx context.Context, c *exec.Call) (err error) {
		out, err = exec.Read(ctx, c, client.DescribeTable, &dynamodb.DescribeTableInput{TableName: &t.Config.Table})
		return err
	})
	if err != nil {
		return trestle.IndexReplacement{}, err
	}
	r := replacement{Table: t, from: from, to: t.index(to), there: globalIndexes(out.Table)}
	if found := r.drift(); len(found) > 0 {
		return trestle.IndexReplacement{}, &trestle.DriftError{Table: t.Config.Table, Differences: found}
	}
	return trestle.IndexReplacement{Table: t.Config.Table, From: from, To: to, Steps: r.steps()}, nil
}

// index returns an index of the schema, or nil.
func (t Table) index(name string) *core.Index {
	i := slices.IndexFunc(t.Schema.Indexes, func(x *core.Index) bool { return x.Name == name })
	if i < 0 {
		return nil
	}
	return t.Schema.Indexes[i]
}

// replacementProblems returns the mistakes in the names of the indexes, and in the schema.
func (t Table) replacementProblems(from, to string) (problems errs.Problems) {
	was, is := t.index(from), t.index(to)
	switch {
	case from == to:
		problems.Add("", "an index cannot be replaced by itself", "give the new index another name")
	case is == nil:
		problems.Add("", "the schema has no index "+to, "declare it, with the key attributes of index "+from)
	case is.Kind == trestle.LocalIndex || was != nil && was.Kind == trestle.LocalIndex:
		problems.Add("", "a local index cannot be replaced: it is created and deleted with its table", "create a new table, and move every stored item to it")
	case was != nil && !sameKeys(was, is):
		problems.Add("", "the indexes "+from+" and "+to+" have different keys", "set Partition and Sort of index "+to+" to the key attributes of index "+from+", which stored items have")
	case was != nil && sameProjection(projection(was), projection(is)):
		problems.Add("", "the indexes "+from+" and "+to+" have the same projection", "set KeysOnly or Include of index "+to)
	}
	return problems
}

func sameKeys(a, b *core.Index) bool {
	return slices.Equal(a.Partition, b.Partition) && slices.Equal(a.Sort, b.Sort)
}

// replacement is a replacement with the state of the table.
type replacement struct {
	Table
	from  string
	to    *core.Index
	there map[string]indexDescription
}

// drift lists how the indexes of the table differ from the new one.
func (r replacement) drift() []string {
	d := drift{schema: r.Schema}
	key := keySchema(r.to.Partition, r.to.Sort)
	if _, ok := r.there[r.to.Name]; ok {
		d.index("global", r.to.Name, key, projection(r.to), r.there)
	}
	if was, ok := r.there[r.from]; ok {
		d.keys("global index "+r.from, key, was.keys)
	}
	// An index that is being created is a step, and no difference.
	return slices.DeleteFunc(d.found, func(text string) bool { return strings.HasSuffix(text, " is "+string(types.IndexStatusCreating)) })
}

// steps returns the steps. Only the first one that is not done has a request.
func (r replacement) steps() []trestle.ReplacementStep {
	is, created := r.there[r.to.Name]
	was, remains := r.there[r.from]
	steps := []trestle.ReplacementStep{
		{Text: "create index " + r.to.Name + " beside index " + r.from, Done: created},
		{Text: "wait until index " + r.to.Name + " is active: DynamoDB adds every stored item that has its key", Done: is.status == types.IndexStatusActive},
		{Text: r.switchText(), Done: r.index(r.from) == nil},
		{Text: "delete index " + r.from + ", once no running program reads it", Done: !remains},
	}
	switch next := slices.IndexFunc(steps, func(s trestle.ReplacementStep) bool { return !s.Done }); {
	case next == 0:
		steps[0].Input = r.createIndex(r.to)
	case next == 3 && was.status == types.IndexStatusActive:
		steps[3].Input = r.update(types.GlobalSecondaryIndexUpdate{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: &r.from}})
	}
	return steps
}

// switchText describes the change of the schema. It names the access patterns that read the old
// index.
func (r replacement) switchText() string {
	var patterns []string
	for _, p := range r.Schema.Plans {
		for _, a := range p.Access {
			if a.On.Index.Name == r.from {
				patterns = append(patterns, p.Name+" "+a.Name)
			}
		}
	}
	text := "in the schema, remove index " + r.from
	if len(patterns) > 0 {
		text = "in the schema, read index " + r.to.Name + " (" + strings.Join(patterns, ", ") + "), and remove index " + r.from
	}
	return text + "; deploy every program"
}
