package page

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testsize"
)

// legacyNames are the names of operators in KeyConditions.
var legacyNames = map[expression.KeyOperator]string{
	expression.Equal: "EQ", expression.Less: "LT", expression.LessOrEqual: "LE", expression.Greater: "GT", expression.GreaterOrEqual: "GE",
	expression.Between: "BETWEEN", expression.BeginsWith: "BEGINS_WITH",
}

func legacyCondition(operator string, operands ...value.Value) api.Condition {
	return api.Condition{ComparisonOperator: operator, AttributeValueList: operands}
}

// TestLegacyQueries compares queries with legacy parameters with the same queries with expressions:
// of the table and of every index, valid and invalid ones.
func TestLegacyQueries(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	rows := randomRows(r, 200)
	db := newDB(t, rows...)
	full, refused := 0, 0
	for range testsize.Pick(2_000, 10_000, 50_000) {
		names := []string{"", "local", "byText", "byBytes", "several", "turned"}
		index, like := names[r.IntN(len(names))], rows[r.IntN(len(rows))]
		modern := &api.QueryInput{TableName: tableName, ScanIndexForward: pointer(r.IntN(2) == 0), ReturnConsumedCapacity: "INDEXES"}
		if index != "" {
			modern.IndexName = &index
		}
		values, clauses, conditions := map[string]value.Value{}, []string{}, map[string]api.Condition{}
		for i, attribute := range sources[index].All() {
			c := randomComparison(r, attribute.Kind)
			if v := like.Get(attribute.Name); v != nil && (i < len(sources[index].Partition) && r.IntN(8) > 0 || r.IntN(2) == 0) {
				c = expression.KeyComparison{Op: expression.Equal, Operands: []value.Value{v}}
			}
			if i > 0 && r.IntN(4) == 0 {
				continue
			}
			clauses = append(clauses, clause(attribute.Name, c, values))
			conditions[attribute.Name] = legacyCondition(legacyNames[c.Op], c.Operands...)
		}
		modern.KeyConditionExpression, modern.ExpressionAttributeValues = pointer(strings.Join(clauses, " AND ")), values
		legacy := &api.QueryInput{
			TableName: modern.TableName, IndexName: modern.IndexName, ScanIndexForward: modern.ScanIndexForward, ReturnConsumedCapacity: "INDEXES", KeyConditions: conditions,
		}
		if r.IntN(2) == 0 {
			modern.FilterExpression, legacy.QueryFilter = pointer("attribute_exists(id) AND odd = :odd"), map[string]api.Condition{
				"id": legacyCondition("NOT_NULL"), "odd": legacyCondition("EQ", value.Bool(true)),
			}
			values[":odd"] = value.Bool(true)
		}
		if r.IntN(2) == 0 {
			modern.ProjectionExpression, legacy.AttributesToGet = pointer("id, pk, nothing"), []string{"id", "pk", "nothing"}
		}
		want, wantErr := Query(call(db, engine.Overrides{}), modern)
		got, err := Query(call(db, engine.Overrides{}), legacy)
		require.Equal(t, wantErr, err, clauses)
		require.Equal(t, want, got, clauses)
		wantLo, wantHi, wantErr := Bounds(sources[index], modern)
		lo, hi, err := Bounds(sources[index], legacy)
		require.Equal(t, []any{wantLo, wantHi, wantErr}, []any{lo, hi, err})
		switch {
		case err != nil:
			refused++
		case got.Count > 0:
			full++
		}
	}
	require.Positive(t, full)
	require.Positive(t, refused)
}

// TestErrorsOfLegacyQueries checks the messages. DynamoDB Local has another one for an operator
// that a key cannot have, or an internal error.
func TestErrorsOfLegacyQueries(t *testing.T) {
	t.Parallel()
	db := projecting(t)
	p, one := value.String("p"), number("1")
	const notIndexable = "Attempted conditional constraint is not an indexable operation"
	const number = "One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator"
	with := func(name string, c api.Condition) func(*api.QueryInput) {
		return func(in *api.QueryInput) { in.KeyConditions[name] = c }
	}
	for _, c := range []struct {
		change  func(*api.QueryInput)
		message string
	}{
		{func(*api.QueryInput) {}, ""},
		{with("pk", legacyCondition("NE", p)), notIndexable},
		{with("pk", legacyCondition("NOT_NULL")), notIndexable},
		{with("sk", legacyCondition("IN", one)), notIndexable},
		{with("sk", legacyCondition("NULL")), notIndexable},
		{with("sk", legacyCondition("NOT_CONTAINS", one)), notIndexable},
		{with("x", legacyCondition("NE", one)), "Query condition missed key schema element: sk"},
		{with("pk", legacyCondition("GT", p)), "Query key condition not supported"},
		{with("sk", legacyCondition("EQ", p)), "One or more parameter values were invalid: Condition parameter type does not match schema type"},
		{with("sk", legacyCondition("EQ")), number},
		{func(in *api.QueryInput) { in.KeyConditions = nil }, "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."},
		{func(in *api.QueryInput) { in.KeyConditions = map[string]api.Condition{} }, "Conditions must be at least length 1"},
		{
			func(in *api.QueryInput) { in.QueryFilter = map[string]api.Condition{"sk": legacyCondition("EQ", one)} },
			"QueryFilter can only contain non-primary key attributes: Primary key attribute: sk",
		},
		{
			func(in *api.QueryInput) {
				in.IndexName, in.KeyConditions = pointer("some"), map[string]api.Condition{"a": legacyCondition("EQ", p)}
				in.QueryFilter = map[string]api.Condition{"x": legacyCondition("EQ", one), "i": legacyCondition("EQ", one), "v": legacyCondition("NULL")}
			}, "One or more parameter values were invalid: Secondary index some does not project one or more filter attributes: [v, x]",
		},
		{
			func(in *api.QueryInput) {
				in.IndexName, in.KeyConditions = pointer("some"), map[string]api.Condition{"a": legacyCondition("EQ", p)}
				in.AttributesToGet = []string{"x", "i", "v"}
			}, "One or more parameter values were invalid: Global secondary index some does not project [v, x]",
		},
		{func(in *api.QueryInput) { in.Select, in.AttributesToGet = "COUNT", []string{"x"} }, "Cannot specify the AttributesToGet when choosing to get COUNT"},
		{func(in *api.QueryInput) { in.Select, in.AttributesToGet = "SPECIFIC_ATTRIBUTES", []string{"x"} }, ""},
		{
			func(in *api.QueryInput) { in.ExpressionAttributeNames = map[string]string{"#a": "a"} },
			"ExpressionAttributeNames can only be specified when using expressions",
		},
		{
			func(in *api.QueryInput) { in.ExpressionAttributeValues = map[string]value.Value{":a": one} },
			"ExpressionAttributeValues can only be specified when using expressions: FilterExpression and KeyConditionExpression are null",
		},
		{func(in *api.QueryInput) { in.FilterExpression = pointer("attribute_not_exists(x)") }, ""},
		{func(in *api.QueryInput) { in.ProjectionExpression = pointer("a") }, ""},
		// the order of the checks, as public engines captured it from the service
		{
			func(in *api.QueryInput) {
				in.QueryFilter, in.AttributesToGet = map[string]api.Condition{"x": legacyCondition("EQ")}, []string{"x", "x"}
				in.KeyConditions["pk"] = legacyCondition("BETWEEN")
			}, number,
		},
		{
			func(in *api.QueryInput) { in.AttributesToGet, in.KeyConditions = []string{"x", "x"}, nil },
			"One or more parameter values were invalid: Duplicate value in attribute name: x",
		},
		{
			func(in *api.QueryInput) {
				in.KeyConditions["pk"], in.FilterExpression = legacyCondition("EQ"), pointer("(")
			}, `Invalid FilterExpression: Syntax error; token: "<EOF>", near: "("`,
		},
	} {
		in := &api.QueryInput{TableName: tableName, KeyConditions: map[string]api.Condition{"pk": legacyCondition("EQ", p)}}
		c.change(in)
		out, err := Query(call(db, engine.Overrides{}), in)
		if c.message == "" {
			require.NoError(t, err)
			continue
		}
		require.Nil(t, out)
		requireServiceError(t, c.message, err)
	}
	_, _, err := Bounds(sources[""], &api.QueryInput{})
	require.Error(t, err)
}

// TestLegacyScans checks the order of the checks, which is another than that of a query, and the
// filter.
func TestLegacyScans(t *testing.T) {
	t.Parallel()
	db := projecting(t)
	odd := func(name string) value.Attribute { return value.Attribute{Name: name, Value: value.String("a")} }
	require.NoError(t, db.Update(func(s *store.State) error {
		s.Put(s.Tables[tableName], row("q", "2", odd("v"), odd("a.b")))
		return nil
	}))
	const number = "One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator"
	const duplicate = "One or more parameter values were invalid: Duplicate value in attribute name: x"
	wrong := map[string]api.Condition{"x": legacyCondition("EQ")}
	for _, c := range []struct {
		in      api.ScanInput
		message string
		found   int
	}{
		{api.ScanInput{ScanFilter: wrong, AttributesToGet: []string{"x", "x"}, Segment: pointer(int64(1))}, duplicate, 0},
		{api.ScanInput{ScanFilter: wrong, Segment: pointer(int64(1))}, number, 0},
		{
			api.ScanInput{Select: "SPECIFIC_ATTRIBUTES", Segment: pointer(int64(1))},
			"The TotalSegments parameter is required but was not present in the request when Segment parameter is present", 0,
		},
		{api.ScanInput{}, "", 2},
		{api.ScanInput{ScanFilter: map[string]api.Condition{}}, "", 2},
		{api.ScanInput{ScanFilter: map[string]api.Condition{"pk": legacyCondition("EQ", value.String("q"))}}, "", 1},
		{api.ScanInput{ScanFilter: map[string]api.Condition{"a.b": legacyCondition("NOT_NULL")}, AttributesToGet: []string{"a.b"}}, "", 1},
		{api.ScanInput{IndexName: pointer("localKeys"), ScanFilter: map[string]api.Condition{"v": legacyCondition("NULL")}}, "", 1},
		{api.ScanInput{
			ScanFilter: map[string]api.Condition{"v": legacyCondition("NOT_NULL"), "a": legacyCondition("NOT_NULL")}, ConditionalOperator: "OR",
		}, "", 2},
		{api.ScanInput{
			ScanFilter: map[string]api.Condition{"v": legacyCondition("NOT_NULL"), "a": legacyCondition("NOT_NULL")}, ConditionalOperator: "AND",
		}, "", 0},
	} {
		c.in.TableName = tableName
		call := call(db, engine.Overrides{})
		out, err := Scan(call, &c.in)
		if c.message != "" {
			requireServiceError(t, c.message, err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.found, out.Count, c.in)
		require.Equal(t, len(c.in.ScanFilter) > 0, call.Trace.Filtered, "budgets see the filter")
	}
}
