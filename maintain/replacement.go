package maintain

import (
	"context"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/table"
)

// Replacement returns the steps of replacing a global index, from, by a new one, to, which has the
// same key attributes and another projection, while programs use the table. DynamoDB cannot change
// the projection of an index. The steps tell which of them are done: call Replacement before and
// after each. The first one that is not done is the next one.
//
//  1. Declare the new index beside the old one, with its Partition and Sort, and create it.
//  2. Wait until DynamoDB has added the stored items to it.
//  3. Change the access patterns to the new index, and remove the old one from the schema. Deploy
//     every program.
//  4. Delete the old index.
//
// It sends one DescribeTable, and changes nothing: the steps have the requests for the SDK's
// client. While both indexes are there, a write pays for both. It returns an [*Error] if the table
// has one of the indexes with another key or projection, and [trestle.ErrInvalid] for indexes that
// cannot replace each other.
func Replacement(ctx context.Context, t *entity.Table, from, to string) ([]Step, error) {
	of, client, err := described(t, replacementName)
	if err != nil {
		return nil, err
	}
	r := replacement{drift: drift{schema: of.Schema, table: of.Config.Table}, from: from, to: indexOf(of.Schema, to)}
	if problems := r.problems(to); problems.Err() != nil {
		return nil, invalid(of, replacementName, problems.Err())
	}
	err = exec.OnTable(ctx, of.Config, replacementName, false, func(ctx context.Context, c *exec.Call) error {
		out, err := exec.Read(ctx, c, client.DescribeTable, &dynamodb.DescribeTableInput{TableName: &of.Config.Table})
		if err == nil {
			r.there = globalIndexes(out.Table)
		}
		return err
	})
	if err == nil {
		err = r.compare()
	}
	if err != nil {
		return nil, err
	}
	return r.steps(), nil
}

// Step is one step of the replacement of an index.
type Step struct {
	Text string
	Done bool // the table and the schema have the result of the step
	// Input is the request of the step, for the SDK's client. It is nil if the step is not a
	// request, if an earlier step is not done, and while DynamoDB executes it. A table with
	// provisioned capacity needs the capacity of the new index in addition.
	Input *dynamodb.UpdateTableInput
}

// String returns the text, with a mark if the step is done.
func (s Step) String() string {
	if s.Done {
		return "[x] " + s.Text
	}
	return "[ ] " + s.Text
}

// replacement is a replacement with the state of the table.
type replacement struct {
	drift
	from  string
	to    *core.Index // nil: the schema does not have it
	there map[string]indexDescription
}

// problems returns the mistakes in the names of the indexes, and in the schema.
func (r *replacement) problems(to string) (problems errs.Problems) {
	from := r.from
	was, is := indexOf(r.schema, from), r.to
	switch {
	case from == to:
		problems.Add("", "an index cannot be replaced by itself", "give the new index another name")
	case is == nil:
		problems.Add("", "the schema has no index "+to, "declare it, with the key attributes of index "+from)
	case is.Kind == trestle.LocalIndex || was != nil && was.Kind == trestle.LocalIndex:
		problems.Add("", "a local index cannot be replaced: it is created and deleted with its table", "create a new table, and move every stored item to it")
	case was != nil && !sameKeys(was, is):
		problems.Add("", "the indexes "+from+" and "+to+" have different keys", "set Partition and Sort of index "+to+" to the key attributes of index "+from+", which stored items have")
	case was != nil && sameProjection(table.Projection(was), table.Projection(is)):
		problems.Add("", "the indexes "+from+" and "+to+" have the same projection", "set KeysOnly or Include of index "+to)
	}
	return problems
}

func sameKeys(a, b *core.Index) bool {
	return slices.Equal(a.Partition, b.Partition) && slices.Equal(a.Sort, b.Sort)
}

// compare compares the indexes of the table with the new one.
func (r *replacement) compare() error {
	key := table.KeySchema(r.to.Partition, r.to.Sort)
	if _, ok := r.there[r.to.Name]; ok {
		r.index("global", r.to.Name, key, table.Projection(r.to), r.there)
	}
	if was, ok := r.there[r.from]; ok {
		r.keys("global index "+r.from, key, was.keys)
	}
	// An index that is being created is a step, and no difference.
	r.found = slices.DeleteFunc(r.found, func(p Problem) bool { return strings.HasSuffix(p.Text, " is "+string(types.IndexStatusCreating)) })
	return r.err(replacementName)
}

// steps returns the steps. Only the first one that is not done has a request.
func (r *replacement) steps() []Step {
	is, created := r.there[r.to.Name]
	was, remains := r.there[r.from]
	steps := []Step{
		{Text: "create index " + r.to.Name + " beside index " + r.from, Done: created},
		{Text: "wait until index " + r.to.Name + " is active: DynamoDB adds every stored item that has its key", Done: is.status == types.IndexStatusActive},
		{Text: r.switchText(), Done: indexOf(r.schema, r.from) == nil},
		{Text: "delete index " + r.from + ", once no running program reads it", Done: !remains},
	}
	switch next := slices.IndexFunc(steps, func(s Step) bool { return !s.Done }); {
	case next == 0:
		steps[0].Input = createIndex(r.table, r.to)
	case next == 3 && was.status == types.IndexStatusActive:
		steps[3].Input = updateIndex(r.table, types.GlobalSecondaryIndexUpdate{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: &r.from}})
	}
	return steps
}

// switchText describes the change of the schema. It names the access patterns that read the old
// index.
func (r *replacement) switchText() string {
	var patterns []string
	for _, p := range r.schema.Plans {
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
