package differential

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// TestPartiQL runs random statements on DynamoDB Local and on package ddbtest. Each combination of
// a kind of statement, a condition and an outcome must occur.
func TestPartiQL(t *testing.T) {
	t.Parallel()
	r := newPartiQLRun(t, local(t), inProcess(t))
	n := testsize.Pick(1_500, 4_000, 100_000)
	for i := 0; i < n || i < 8*n && len(r.missing()) > 0; i++ {
		r.step(t.Context(), i)
		require.Empty(t, r.differences, "step %d: %s", i, r.last)
	}
	t.Logf("coverage:\n%s", r.coverage)
	require.Empty(t, r.missing())
}

// partiqlMutants answer statements wrongly.
var partiqlMutants = []mutant{
	{"SELECT that loses the last item", on("ExecuteStatement", func(_ *exchange, out object) {
		if items := listIn(out, "Items"); len(items) > 1 {
			out["Items"] = items[:len(items)-1]
		}
	})},
	{"pages without an end", on("ExecuteStatement", func(_ *exchange, out object) { delete(out, "NextToken") })},
	{"OR as AND", inStatements(func(s string) string { return strings.ReplaceAll(s, " OR ", " AND ") })},
	{"NOT left out", inStatements(func(s string) string { return strings.ReplaceAll(s, " NOT ", " ") })},
	{"BETWEEN without the upper bound", inStatements(func(s string) string { return betweenPattern.ReplaceAllString(s, "$1 >= $2 AND $1 < $3") })},
	{"MISSING as NULL", inStatements(func(s string) string { return strings.ReplaceAll(s, "IS MISSING", "IS NULL") })},
	{"begins_with as contains", inStatements(func(s string) string { return strings.ReplaceAll(s, "begins_with(", "contains(") })},
	{"set_add as set_delete", inStatements(func(s string) string { return strings.ReplaceAll(s, "set_add(", "set_delete(") })},
	{"ALL OLD as ALL NEW", inStatements(func(s string) string {
		if strings.HasPrefix(s, "UPDATE") {
			return strings.ReplaceAll(s, "ALL OLD", "ALL NEW")
		}
		return s
	})},
	{"ORDER BY left out", inStatements(func(s string) string { return strings.ReplaceAll(s, " DESC", "") })},
	{"EXISTS that always holds", inStatements(func(s string) string {
		if strings.HasPrefix(s, "EXISTS") {
			return strings.TrimSuffix(s, ")") + " OR pk = pk2 OR pk2 IS MISSING)"
		}
		return s
	})},
}

// inStatements alters the texts of statements.
func inStatements(alter func(string) string) func(*exchange) reply {
	return func(x *exchange) reply {
		for _, o := range append([]any{x.request}, slices.Concat(listIn(x.request, "Statements"), listIn(x.request, "TransactStatements"))...) {
			if o, ok := o.(object); ok && o["Statement"] != nil {
				o["Statement"] = alter(textIn(o, "Statement"))
			}
		}
		return x.pass()
	}
}

// Negative control of TestPartiQL: it finds each mutant.
func TestPartiQLMutantsAreFound(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	for _, m := range partiqlMutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			r := newPartiQLRun(t, inProcess(t), mutantEngine(t, m))
			for i := 0; i < 20_000 && r.differences == nil; i++ {
				r.step(t.Context(), i)
			}
			require.NotEmpty(t, r.differences)
		})
	}
}

// partiqlRun is a run of random statements on two engines.
type partiqlRun struct {
	partiqlGenerator
	a, b        *side
	coverage    coverage
	differences []difference
	last        string // the last statements
}

func newPartiQLRun(t *testing.T, a, b engine) *partiqlRun {
	t.Helper()
	r := &partiqlRun{partiqlGenerator: partiqlGenerator{testrand.New(t)}, a: newSide(a, "a"), b: newSide(b, "b"), coverage: coverage{}}
	require.NoError(t, errors.Join(r.a.create(t.Context(), partiqlTable), r.b.create(t.Context(), partiqlTable)))
	return r
}

// step runs one random request on both engines, and sometimes compares the whole table.
func (r *partiqlRun) step(ctx context.Context, i int) {
	switch n := r.IntN(20); {
	case i == 0: // the table is empty
		r.alone(ctx, phrase{kind: "select scan", condition: "none", text: "SELECT * FROM orders"})
	case n < 13:
		r.alone(ctx, r.partiqlGenerator.alone())
	case n < 16:
		r.batch(ctx, r.several(r.IntN(3) == 0, false))
	default:
		r.transaction(ctx, r.several(r.IntN(4) == 0, true))
	}
	if len(r.differences) == 0 && i%100 == 99 {
		in := &dynamodb.ScanInput{TableName: aws.String(partiqlTable.name), ConsistentRead: aws.Bool(true)}
		a, b := r.a.all(ctx, in), r.b.all(ctx, in)
		r.differences = compareLists("the items", r.a.sorted(a.page.items), r.b.sorted(b.page.items))
	}
}

// alone compares a statement that is sent alone. All pages of a SELECT are read.
func (r *partiqlRun) alone(ctx context.Context, p phrase) {
	r.last = fmt.Sprint(p.text, " ", r.a.show(p.values))
	var limit *int32
	// DynamoDB Local sorts each page by itself.
	if strings.HasPrefix(p.kind, "select") && !strings.Contains(p.text, "DESC") && r.IntN(3) == 0 {
		limit = aws.Int32(int32(1 + r.IntN(6)))
	}
	a, b := r.a.statement(ctx, p, limit), r.b.statement(ctx, p, limit)
	r.compare(a, b)
	result := a.result()
	switch {
	case a.code == codeValidation && p.condition != "invalid": // of an update whose operand is missing
		result = "unsuitable"
	case strings.HasPrefix(p.kind, "select") && a.code == "":
		result = either(a.facts["Items"] != "", "items", "nothing")
	case p.kind == "delete" && a.code == "" && strings.Contains(p.text, "RETURNING"):
		result = either(a.facts["Items"] != "", "applied", "nothing")
	}
	r.count(p, "", result)
}

// batch compares a batch, statement by statement.
func (r *partiqlRun) batch(ctx context.Context, all []phrase) {
	r.last = r.describe(all)
	in := batchOfPhrases(all)
	a, b := r.a.batch(ctx, in), r.b.batch(ctx, in)
	r.compare(a, b)
	for i, p := range all {
		code, _, failed := strings.Cut(a.facts[fmt.Sprint("response ", i)], "!")
		r.count(p, "batch ", either(failed, code, "applied"))
	}
}

// transaction compares a transaction.
func (r *partiqlRun) transaction(ctx context.Context, all []phrase) {
	r.last = r.describe(all)
	in := transactionOfPhrases(all)
	a, b := r.a.transaction(ctx, in), r.b.transaction(ctx, in)
	r.compare(a, b)
	codes := strings.Fields(a.facts[factReasons])
	for i, p := range all {
		if i < len(codes) {
			r.count(p, "transaction ", codes[i])
		} else {
			r.count(p, "transaction ", a.result())
		}
	}
}

func (r *partiqlRun) describe(all []phrase) string {
	var b strings.Builder
	for _, p := range all {
		fmt.Fprintf(&b, "%s %s; ", p.text, r.a.show(p.values))
	}
	return b.String()
}

func either(is bool, one, other string) string {
	if is {
		return one
	}
	return other
}

func (r *partiqlRun) count(p phrase, within, result string) {
	r.coverage[within+p.kind+" × "+p.condition+" × "+result]++
}

// compare records the differences, except for what DynamoDB Local does otherwise.
func (r *partiqlRun) compare(a, b outcome) {
	m := outcomes{reference: a, candidate: b}
	for _, d := range compare(a, b) {
		if !actionError(m, d) {
			r.differences = append(r.differences, d)
		}
	}
}

// result returns the code of the error, or "applied".
func (o outcome) result() string { return either(o.failed(), o.code, "applied") }

// rename returns the code of a duplicate as the service has it. It is documented for
// ExecuteStatement, and for a transaction as the error of its statement.
func (s *side) rename(o *outcome) {
	if !s.loose {
		return
	}
	if o.code == "DuplicateItem" {
		o.code = "DuplicateItemException"
	}
	if reasons := strings.Fields(o.facts[factReasons]); len(reasons) > 0 {
		for i, message := range strings.Split(o.facts["messages"], "|") {
			if message == "Duplicate primary key exists in table" {
				reasons[i] = "DuplicateItem"
			}
		}
		o.facts[factReasons] = strings.Join(reasons, " ")
	}
}

// failedOutcome returns the outcome of an error.
func (s *side) failedOutcome(err error) outcome {
	o := outcome{facts: map[string]string{}, capacity: map[string]float64{}}
	s.readError(&o, err)
	var canceled *types.TransactionCanceledException
	if errors.As(err, &canceled) {
		messages := make([]string, len(canceled.CancellationReasons))
		for i, reason := range canceled.CancellationReasons {
			messages[i] = aws.ToString(reason.Message)
		}
		o.facts["messages"] = strings.Join(messages, "|")
	}
	s.rename(&o)
	delete(o.facts, "messages")
	return o
}

// statement runs a statement, and reads all its pages.
func (s *side) statement(ctx context.Context, p phrase, limit *int32) outcome {
	var items []item
	for in := p.statement(limit); ; {
		out, err := s.client.ExecuteStatement(ctx, in)
		if err != nil {
			return s.failedOutcome(err)
		}
		if items = append(items, out.Items...); out.NextToken == nil {
			break
		}
		in.NextToken = out.NextToken
	}
	list := s.items(items)
	if !p.ordered {
		slices.Sort(list)
	}
	return outcome{facts: map[string]string{"Items": strings.Join(list, " ")}}
}

func (s *side) batch(ctx context.Context, in *dynamodb.BatchExecuteStatementInput) outcome {
	out, err := s.client.BatchExecuteStatement(ctx, in)
	if err != nil {
		return s.failedOutcome(err)
	}
	o := outcome{facts: map[string]string{}}
	for i, r := range out.Responses {
		name := fmt.Sprint("response ", i)
		if o.facts[name] = s.item(r.Item); r.Error != nil {
			o.facts[name] = string(r.Error.Code) + "! " + s.item(r.Error.Item)
		}
	}
	return o
}

func (s *side) transaction(ctx context.Context, in *dynamodb.ExecuteTransactionInput) outcome {
	sent := *in // the SDK would set its token
	out, err := s.client.ExecuteTransaction(ctx, &sent)
	if err != nil {
		return s.failedOutcome(err)
	}
	o := outcome{facts: map[string]string{}}
	for i, r := range out.Responses {
		o.facts[fmt.Sprint("response ", i)] = s.item(r.Item)
	}
	return o
}

// show formats parameters.
func (s *side) show(values []value) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = s.value(v)
	}
	return strings.Join(parts, " ")
}

// missing returns the combinations of a kind, a condition and an outcome that did not occur.
func (r *partiqlRun) missing() []string {
	return slices.DeleteFunc(partiqlRows(), func(row string) bool { return r.coverage[row] > 0 })
}

// partiqlRows returns all combinations that a run must reach.
func partiqlRows() []string {
	var rows []string
	add := func(kinds, conditions []string, results ...string) {
		for _, kind := range kinds {
			for _, condition := range conditions {
				for _, result := range results {
					rows = append(rows, kind+" × "+condition+" × "+result)
				}
			}
		}
	}
	none := []string{"none"}
	every := slices.Concat(none, conditionKinds)
	const failed, duplicate = "ConditionalCheckFailed", "DuplicateItem"
	add(selectKinds, every, "items", "nothing")
	add(slices.Concat(selectKinds, writeKinds), []string{"invalid"}, codeValidation)
	add([]string{"insert"}, none, "applied", "DuplicateItemException")
	add([]string{"update"}, every, "applied", codeCondition)
	add([]string{"update"}, none, "unsuitable")
	add([]string{"delete"}, every, "applied", "nothing")
	add([]string{"delete"}, conditionKinds, codeCondition)
	add([]string{"batch select item", "batch insert", "batch delete"}, none, "applied")
	add([]string{"batch insert"}, none, duplicate)
	add([]string{"batch update"}, every, "applied", failed)
	add([]string{"batch delete"}, conditionKinds, "applied", failed)
	add([]string{"transaction select item", "transaction insert", "transaction delete"}, none, "applied")
	add([]string{"transaction insert"}, none, "None", duplicate)
	add([]string{"transaction exists", "transaction update"}, conditionKinds, "applied", "None", failed)
	add([]string{"transaction delete"}, conditionKinds, "applied", failed)
	return rows
}

// TestPartiQLRows checks that a missing combination is reported.
func TestPartiQLRows(t *testing.T) {
	t.Parallel()
	r := &partiqlRun{coverage: coverage{}}
	for _, row := range partiqlRows() {
		r.coverage[row] = 1
	}
	require.Empty(t, r.missing())
	row := partiqlRows()[7]
	delete(r.coverage, row)
	require.Equal(t, []string{row}, r.missing())
}
