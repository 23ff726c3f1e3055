package read_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/testschema"
)

// planText returns the requests of a read, and what a reader of their items must know.
func planText(p *read.Plan, limit int, after op.Item) string {
	var out strings.Builder
	for i := range p.Streams() {
		switch {
		case p.Partition(i).Empty:
			out.WriteString("no key can match\n")
		case p.Scans():
			out.WriteString(scanText(p.ScanInput("app", i, after, limit)))
		default:
			out.WriteString(queryText(p.QueryInput("app", p.Partition(i), after, limit)))
		}
	}
	for _, fact := range []struct {
		holds bool
		text  string
	}{
		{p.Empty(), "empty"}, {p.AllTypes, "all types"}, {p.Filtered, "filtered"}, {p.Shared, "shared"}, {p.Counts, "counts"},
	} {
		if fact.holds {
			out.WriteString(fact.text + "; ")
		}
	}
	for _, t := range p.Only {
		out.WriteString("only " + t.Name + "; ")
	}
	out.WriteString("position")
	for _, a := range p.Position {
		out.WriteString(" " + a.Name)
	}
	return out.String()
}

func queryText(in *dynamodb.QueryInput) string {
	r := request{names: in.ExpressionAttributeNames, values: in.ExpressionAttributeValues}
	r.line("Query "+*in.TableName, aws.ToString(in.IndexName))
	r.line("  key", r.replaced(in.KeyConditionExpression))
	r.line("  filter", r.replaced(in.FilterExpression))
	r.line("  attributes", r.replaced(in.ProjectionExpression))
	r.line("  select", string(in.Select))
	if in.ScanIndexForward != nil && !*in.ScanIndexForward {
		r.line("  descending", "yes")
	}
	r.common(in.Limit, in.ConsistentRead, in.ExclusiveStartKey, in.ReturnConsumedCapacity)
	return r.out
}

func scanText(in *dynamodb.ScanInput) string {
	r := request{names: in.ExpressionAttributeNames, values: in.ExpressionAttributeValues}
	r.line("Scan "+*in.TableName, aws.ToString(in.IndexName))
	r.line("  filter", r.replaced(in.FilterExpression))
	if in.TotalSegments != nil {
		r.line("  segment", fmt.Sprintf("%d of %d", *in.Segment, *in.TotalSegments))
	}
	r.common(in.Limit, in.ConsistentRead, in.ExclusiveStartKey, in.ReturnConsumedCapacity)
	return r.out
}

// request writes a request as text.
type request struct {
	names  map[string]string
	values op.Item
	marks  string // the expressions with placeholders
	out    string
}

// line writes a part of the request, unless it is empty. The first line is always written.
func (r *request) line(name, text string) {
	if text != "" || r.out == "" {
		r.out += strings.TrimSuffix(name+" "+text, " ") + "\n"
	}
}

// common writes what queries and scans have in common, and the placeholders that no expression
// uses.
func (r *request) common(limit *int32, strong *bool, after op.Item, capacity types.ReturnConsumedCapacity) {
	if limit != nil {
		r.line("  limit", strconv.Itoa(int(*limit)))
	}
	if aws.ToBool(strong) {
		r.line("  strong", "yes")
	}
	r.line("  after", testschema.ItemText(after))
	if capacity != types.ReturnConsumedCapacityTotal {
		r.line("  capacity", "not reported")
	}
	used := placeholder.FindAllString(r.marks, -1)
	for _, mark := range slices.Concat(slices.Sorted(maps.Keys(r.names)), slices.Sorted(maps.Keys(r.values))) {
		if !slices.Contains(used, mark) {
			r.line("  unused", mark)
		}
	}
}

var placeholder = regexp.MustCompile(`[#:][a-z]+[0-9]+`)

// replaced returns an expression with the names and values in place of their placeholders.
func (r *request) replaced(expression *string) string {
	r.marks += " " + aws.ToString(expression)
	return placeholder.ReplaceAllStringFunc(aws.ToString(expression), func(mark string) string {
		if name, ok := r.names[mark]; ok {
			return name
		}
		return testschema.ValueText(r.values[mark])
	})
}

// errorText returns the kind and the problems of an error.
func errorText(err error) string {
	var v *errs.ValidationError
	if !errors.As(err, &v) {
		return "error: " + err.Error()
	}
	var out strings.Builder
	fmt.Fprintln(&out, "error:", cmp.Or(v.Kind, errs.Invalid))
	for _, p := range v.Problems {
		fmt.Fprintln(&out, structTypes.ReplaceAllString(p.String(), "struct {…}"))
	}
	return out.String()
}

var structTypes = regexp.MustCompile(`struct \{.*\}`)
