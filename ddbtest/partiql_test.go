package ddbtest_test

import (
	"bytes"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestPartiQLOfService has what DynamoDB Local does differently. Each case names the document.
func TestPartiQLOfService(t *testing.T) {
	t.Parallel()
	s := onDDBTest(t, ordersTable())
	s.putOrders()
	for _, c := range []struct{ document, where, want string }{
		{"ql-operators: comparison operators", "1 < sk AND pk = 'a'", "a2 a3"},
		{"ql-reference.select: ORDER BY a hash key", "pk IN ['a', 'c'] AND sk = 1 ORDER BY pk DESC", "c1 a1"},
		{"ql-reference.select: ORDER BY a sort key", "pk = 'a' ORDER BY sk DESC", "a3 a2 a1 a0"},
		{"ql-reference.select: IN is no scan", "pk IN ['c', 'a'] AND sk IN [2, 1]", "a1 a2 c1 c2"},
		{"ql-reference.select: OR of keys is no scan", "pk = 'c' AND sk = 2 OR pk = 'a' AND sk = 1", "a1 c2"},
	} {
		out, err := s.client.ExecuteStatement(t.Context(), statement("SELECT pk, sk FROM orders WHERE "+c.where))
		require.NoError(t, err, c.document)
		require.Equal(t, c.want, keysOf(out.Items), c.document)
	}
	// ql-operators: at most 50 hash attribute values, and pages of up to 10 items
	require.Equal(t, invalid, s.run("SELECT * FROM orders WHERE pk IN ["+strings.Repeat("1,", 50)+"1]"))
	in := statement("SELECT pk, sk FROM orders WHERE pk IN ['a', 'b', 'c']")
	out, err := s.client.ExecuteStatement(t.Context(), in)
	require.NoError(t, err)
	require.Len(t, out.Items, 10)
	in.NextToken = out.NextToken
	out, err = s.client.ExecuteStatement(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, "c2 c3", keysOf(out.Items))
	// API reference of ExecuteStatement: at least one parameter, and a token of the same statement
	in.Parameters = []types.AttributeValue{}
	require.Equal(t, invalid, s.runInput(in))
	in = statement("SELECT pk, sk FROM orders WHERE pk = ?", text("a"))
	in.Limit = aws.Int32(1)
	out, err = s.client.ExecuteStatement(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, row("pk", "a", "sk", 0), out.LastEvaluatedKey)
	in.NextToken, in.Parameters = out.NextToken, []types.AttributeValue{text("b")}
	require.Equal(t, invalid, s.runInput(in))
	in.Parameters = []types.AttributeValue{text("a")}
	require.NotEqual(t, invalid, s.runInput(in), "the control: the same statement and parameters")
	in.Statement = aws.String("SELECT pk FROM orders WHERE pk = ?")
	require.Equal(t, invalid, s.runInput(in), "its key is one of this statement too")
	// Query, FilterExpression: a query of an index cannot filter by what is not projected, and a
	// scan filters the entries of the index
	for _, where := range []string{
		".keysOnly WHERE g = 'g1' AND n = 10", ".keysOnly WHERE g IN ['g1', 'x'] AND n = 10", ".byR WHERE pk = 'a' AND n = 10",
		".byR WHERE pk = 'a' AND NOT n = 10", ".byR WHERE pk = 'a' AND n IS MISSING",
	} {
		require.Equal(t, invalid, s.run("SELECT pk FROM orders"+where), where)
	}
	for _, where := range []string{".keysOnly WHERE n = 10", ".byR WHERE n = 10", ".keysOnly WHERE g = 'g1' AND n = 10 OR g = 'x'"} {
		require.Empty(t, s.run("SELECT pk FROM orders"+where), where)
	}
	// API reference of UpdateItem: UPDATED_NEW has only the path
	s.requireItems(statement("UPDATE orders SET m.x = 9 WHERE pk = 'a' AND sk = 1 RETURNING MODIFIED NEW *"), row("m", map[string]any{"x": 9}))
	// ql-reference.multiplestatements.transactions: the reasons have the errors of the statements
	require.Equal(t, "DuplicateItem None", s.outcomes(transactionOf(
		"INSERT INTO orders VALUE {'pk': 'a', 'sk': 1}", "DELETE FROM orders WHERE pk = 'b' AND sk = 1",
	)))
	require.Equal(t, "ValidationError", s.outcomes(transactionOf("UPDATE orders SET n = z WHERE pk = 'a' AND sk = 1")))
	require.Equal(t, "None ValidationError", s.outcomes(transactionOf(
		"DELETE FROM orders WHERE pk = 'b' AND sk = 1", "UPDATE orders SET n = 1 WHERE pk = 'a'",
	)))
	// API reference of ParameterizedStatement: a failed condition returns the item
	check := transactionOf("EXISTS(SELECT * FROM orders WHERE pk = 'a' AND sk = 1 AND n = 1)")
	check.TransactStatements[0].ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureAllOld
	_, err = s.client.ExecuteTransaction(t.Context(), check)
	var canceled *types.TransactionCanceledException
	require.ErrorAs(t, err, &canceled)
	require.Equal(t, "a1", keysOf([]attributes{canceled.CancellationReasons[0].Item}))
}

// TestPartiQLRejectsIndexesOfManyAttributes reads a global index with several partition or sort key
// attributes. DynamoDB Local reads it.
func TestPartiQLRejectsIndexesOfManyAttributes(t *testing.T) {
	t.Parallel()
	s := onDDBTest(t, named("many", tableOf("pk:S", ix{name: "hashes", key: "a:S b:S |"}, ix{name: "ranges", key: "a:S | b:S c:S"}, ix{name: "one", key: "a:S b:S"})))
	s.put(row("pk", "p", "a", "x", "b", "y", "c", "z"))
	for _, index := range []string{"hashes", "ranges"} {
		for _, where := range []string{"", " WHERE a = 'x' AND b = 'y'", " WHERE a = 1", " WHERE pk = 'p'"} {
			require.Equal(t, invalid, s.run("SELECT pk FROM many."+index+where), where)
		}
	}
	require.Equal(t, []string{"ValidationError", "p"}, s.responses(batchOf("SELECT * FROM many.hashes WHERE pk = 'p'", "SELECT pk FROM many WHERE pk = 'p'")))
	require.Equal(t, `{"pk":S"p" }`, s.run("SELECT pk FROM many.one WHERE a = 'x' AND b = 'y'"))
	require.Empty(t, s.run("UPDATE many SET n = 1 WHERE pk = 'p'"))
}

// TestPartiQLCapacity compares the units with those of the operations that statements run as.
// DynamoDB Local returns none.
func TestPartiQLCapacity(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	db.CreateTable(t, ordersTable())
	s := &session{T: t, client: db.Client(), table: "orders"}
	s.putOrders()
	for text, want := range map[string][2]float64{ // read, written
		"SELECT * FROM orders WHERE pk = 'a'":                                    {0.5, 0},
		"SELECT * FROM orders WHERE pk = 'z'":                                    {0.5, 0},
		"SELECT * FROM orders WHERE pk IN ['a', 'b', 'z']":                       {1.5, 0},
		"SELECT * FROM orders WHERE pk = 'a' AND pk = 'b'":                       {0, 0},
		"SELECT * FROM orders":                                                   {0.5, 0},
		"SELECT n FROM orders.byR WHERE pk = 'a'":                                {2.5, 0},
		"UPDATE orders SET z = 1 WHERE pk = 'a' AND sk = 1":                      {0, 2},
		"UPDATE orders SET z = 1 WHERE pk = 'a' AND sk = 1 AND n = 7":            {0, 1},
		"DELETE FROM orders WHERE pk = 'y' AND sk = 1":                           {0, 1},
		"INSERT INTO orders VALUE {'pk': 'n', 'sk': 1}":                          {0, 1},
		"INSERT INTO orders VALUE {'pk': 'n', 'sk': 2, 'g': 'x', 'r': 1}":        {0, 4},
		"INSERT INTO orders VALUE {'pk': 'a', 'sk': 1}":                          {0, 1},
		"SELECT pk FROM orders.byG WHERE g = 'g1' AND r = 9 AND NOT s = 'other'": {0.5, 0},
	} {
		in := statement(text)
		in.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
		var out *dynamodb.ExecuteStatementOutput
		var err error
		cost := db.Measure(func() { out, err = s.client.ExecuteStatement(t.Context(), in) })
		require.Equal(t, want, [2]float64{cost.ReadUnits, cost.WriteUnits}, text)
		if err == nil {
			require.InDelta(t, want[0]+want[1], *out.ConsumedCapacity.CapacityUnits, 0, text)
		}
	}
	strong := statement("SELECT * FROM orders WHERE pk = 'a'")
	strong.ConsistentRead = aws.Bool(true)
	require.InDelta(t, 1, db.Measure(func() { s.runInput(strong) }).ReadUnits, 0)

	batch := batchOf("SELECT * FROM orders WHERE pk = 'a' AND sk = 1", "SELECT * FROM orders WHERE pk = 'z' AND sk = 1")
	batch.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
	got, err := s.client.BatchExecuteStatement(t.Context(), batch)
	require.NoError(t, err)
	require.InDelta(t, 1, *got.ConsumedCapacity[0].CapacityUnits, 0)
	transaction := transactionOf("UPDATE orders SET z = 2 WHERE pk = 'b' AND sk = 1", "EXISTS(SELECT * FROM orders WHERE pk = 'a' AND sk = 1 AND n = 10)")
	transaction.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
	done, err := s.client.ExecuteTransaction(t.Context(), transaction)
	require.NoError(t, err)
	require.InDelta(t, 5, *done.ConsumedCapacity[0].CapacityUnits, 0, "twice the units of the table, and one of the index")
}

// TestPartiQLRunsAs checks what the log, the cost, rules and budgets make of statements.
func TestPartiQLRunsAs(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	db.CreateTable(t, ordersTable())
	s := &session{T: t, client: db.Client(), table: "orders"}
	s.putOrders()
	for text, want := range map[string]string{
		"SELECT * FROM orders WHERE pk = 'a'":                                "Query",
		"SELECT * FROM orders WHERE pk IN ['a', 'b'] AND n > 1":              "Query",
		"SELECT * FROM orders WHERE pk = 'a' OR pk = 'b' AND n = 1":          "Query",
		"SELECT * FROM orders.byG WHERE g = 'g1'":                            "Query",
		"SELECT * FROM orders":                                               "Scan",
		"SELECT * FROM orders WHERE pk > 'a'":                                "Scan",
		"SELECT * FROM orders WHERE n = 1":                                   "Scan",
		"SELECT * FROM orders WHERE pk = 'a' OR n = 1":                       "Scan",
		"SELECT * FROM orders WHERE NOT pk = 'a'":                            "Scan",
		"SELECT * FROM orders WHERE pk IN [s, 'a']":                          "Scan",
		"SELECT * FROM orders.byG WHERE pk = 'a'":                            "Scan",
		"INSERT INTO orders VALUE {'pk': 'n', 'sk': 1}":                      "PutItem",
		"UPDATE orders SET n = 1 WHERE pk = 'a' AND sk = 1":                  "UpdateItem",
		"DELETE FROM orders WHERE pk = 'n' AND sk = 1 RETURNING ALL OLD *":   "DeleteItem",
		"SELECT * FROM nowhere":                                              "",
		"EXISTS(SELECT * FROM orders WHERE pk = 'a' AND sk = 1 AND z = 'b')": "",
	} {
		pages := db.Measure(func() { s.run(text) }).Pages
		log := db.Requests()
		require.Equal(t, want, log[len(log)-1].RunsAs, text)
		require.Equal(t, count(want == "Query" || want == "Scan"), pages, text)
	}
	_, err := s.client.BatchExecuteStatement(t.Context(), batchOf("DELETE FROM orders WHERE pk = 'y' AND sk = 1"))
	require.NoError(t, err)
	require.Empty(t, s.outcomes(transactionOf("DELETE FROM orders WHERE pk = 'y' AND sk = 1")))
	log := db.Requests()
	require.Equal(t, []string{"BatchWriteItem", "TransactWriteItems"}, []string{log[len(log)-2].RunsAs, log[len(log)-1].RunsAs})
	require.Contains(t, log[len(log)-1].String(), "ExecuteTransaction as TransactWriteItems orders")

	rule := db.Fail(ddbtest.Op("Scan"), ddbtest.OnIndex("byG"), ddbtest.InternalError, ddbtest.First(3))
	require.Equal(t, "InternalServerError", s.run("SELECT * FROM orders.byG WHERE pk = 'a'"))
	require.NotEqual(t, "InternalServerError", s.run("SELECT * FROM orders.byG WHERE g = 'g1'"))
	require.Equal(t, 3, rule.Hits())
	onKey := db.Fail(ddbtest.Op("ExecuteStatement"), ddbtest.OnKey(row("pk", "a", "sk", 1)), ddbtest.Conflict)
	require.Equal(t, "TransactionConflictException", s.run("UPDATE orders SET n = 1 WHERE sk = 1 AND pk = 'a' AND s = 'x'"))
	require.NotEqual(t, "TransactionConflictException", s.run("SELECT * FROM orders WHERE pk = 'a' AND sk = 1"))
	require.Equal(t, 1, onKey.Hits())
	db.ClearFaults()

	test := new(fakeTest)
	db.Budget(test, ddbtest.Requests.AtMost(0, "Scan"), ddbtest.FilteredReads.AtMost(0))
	s.run("SELECT * FROM orders WHERE pk = 'a' AND sk > 1")
	require.Empty(t, test.failures)
	s.run("SELECT * FROM orders WHERE pk = 'a' AND sk > 1 AND n > 1")
	require.Len(t, test.failures, 1, "the filtered read")
	s.run("SELECT * FROM orders")
	require.Len(t, test.failures, 2, "the scan")
}

// TestEffectsOnPartiQL applies each effect to the requests that run as operations to which it
// applies. A rule for another one is invalid.
func TestEffectsOnPartiQL(t *testing.T) {
	t.Parallel()
	origin := newFullDatabase(t)
	valid := map[string]map[string]bool{} // by effect and operation
	for _, i := range effectCases() {
		name := i.effect.String()
		if valid[name] == nil {
			valid[name] = map[string]bool{}
		}
		for _, o := range partiqlRuns() {
			if !i.appliesTo(o.runsAs) {
				continue
			}
			valid[name][o.name] = true
			t.Run(o.name+" as "+o.runsAs+" "+name, func(t *testing.T) {
				t.Parallel()
				i.once(t, origin.ForkFor(t), o.operation)
				i.again(t, origin.ForkFor(t), o.operation)
			})
		}
	}
	for _, i := range effectCases() {
		for _, operation := range partiqlOperations {
			rule := ddbtest.New(ddbtest.Options{}).Fail(i.effect, ddbtest.Op(operation))
			require.Equal(t, valid[i.effect.String()][operation], rule.Err() == nil, "%s on %s: %v", i.effect, operation, rule.Err())
		}
	}
}

// TestPartiQLThrottling throttles a partition: a statement alone fails, and one of a batch has an
// error.
func TestPartiQLThrottling(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	db.CreateTable(t, ordersTable())
	s := &session{T: t, client: db.Client(once), table: "orders"}
	s.putOrders()
	db.LimitPartitions(ddbtest.Units{Read: 3000, Write: 1})
	update := "UPDATE orders SET n = 1 WHERE pk = 'a' AND sk = 1"
	throttled := false
	for range 10 {
		throttled = throttled || s.run(update) == "ThrottlingException"
	}
	require.True(t, throttled)
	require.Equal(t, []string{"ThrottlingError", "nothing"}, s.responses(batchOf(update, "DELETE FROM orders WHERE pk = 'y' AND sk = 1")))
	require.Equal(t, "ThrottlingError None", s.outcomes(transactionOf(update, "DELETE FROM orders WHERE pk = 'x' AND sk = 1")))
}

// TestPartiQLPolicy checks the actions and the keys of statements.
func TestPartiQLPolicy(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	db.CreateTable(t, ordersTable())
	(&session{T: t, client: db.Client(), table: "orders"}).putOrders()
	const denied = "AccessDeniedException"
	policy := func(action, condition string) *session {
		document := `{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "` + action + `",
			"Resource": ["arn:aws:dynamodb:*:*:table/orders", "arn:aws:dynamodb:*:*:table/orders/index/byR"]` + condition + `}]}`
		return &session{T: t, client: db.Client(db.WithPolicy(ddbtest.Policy{Document: document})), table: "orders"}
	}
	for action, allowed := range map[string]string{
		"PartiQLSelect": "SELECT pk FROM orders WHERE pk = 'z'", "PartiQLInsert": "INSERT INTO orders VALUE {'pk': 'n', 'sk': 1}",
		"PartiQLUpdate": "UPDATE orders SET n = 1 WHERE pk = 'a' AND sk = 1", "PartiQLDelete": "DELETE FROM orders WHERE pk = 'z' AND sk = 1",
	} {
		s := policy("dynamodb:"+action, "")
		for _, text := range []string{
			"SELECT pk FROM orders WHERE pk = 'z'", "INSERT INTO orders VALUE {'pk': 'n', 'sk': 1}",
			"UPDATE orders SET n = 1 WHERE pk = 'a' AND sk = 1", "DELETE FROM orders WHERE pk = 'z' AND sk = 1",
		} {
			require.Equal(t, text != allowed, s.run(text) == denied, "%s: %s", action, text)
		}
	}
	leading := policy("dynamodb:PartiQL*", `, "Condition": {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["a", "b"]}, "Null": {"dynamodb:LeadingKeys": "false"}}`)
	for text, allowed := range map[string]bool{
		"SELECT pk FROM orders WHERE pk = 'a'": true, "SELECT pk FROM orders WHERE pk IN ['a', 'b']": true, "SELECT pk FROM orders WHERE pk IN ['a', 'c']": false,
		"SELECT pk FROM orders": false, "SELECT pk FROM orders.byR WHERE pk = 'b'": true, "SELECT pk FROM orders.byG WHERE g = 'a'": false,
		"UPDATE orders SET n = 1 WHERE pk = 'c' AND sk = 1": false, "INSERT INTO orders VALUE {'pk': 'c', 'sk': 9}": false,
		"DELETE FROM orders WHERE pk = 'b' AND sk = 9": true,
	} {
		require.Equal(t, !allowed, leading.run(text) == denied, text)
	}
	require.Equal(t, denied, leading.outcomes(transactionOf("DELETE FROM orders WHERE pk = 'b' AND sk = 9", "DELETE FROM orders WHERE pk = 'c' AND sk = 9")))
	require.Empty(t, leading.outcomes(transactionOf("DELETE FROM orders WHERE pk = 'b' AND sk = 9", "DELETE FROM orders WHERE pk = 'a' AND sk = 9")))
	require.Equal(t, []string{denied}, leading.responses(batchOf("SELECT * FROM orders WHERE pk = 'c' AND sk = 9")))

	// the example of ql-iam that denies full table scans
	scans := policy("dynamodb:PartiQLSelect", `}, {"Effect": "Deny", "Action": "dynamodb:PartiQLSelect", "Resource": "*",
		"Condition": {"Bool": {"dynamodb:FullTableScan": ["true"]}}`)
	require.Equal(t, denied, scans.run("SELECT pk FROM orders WHERE n = 1"))
	require.NotEqual(t, denied, scans.run("SELECT pk FROM orders WHERE pk = 'a' AND n = 1"))
	// the example of ql-iam that allows transactions only
	only := policy("dynamodb:PartiQL*", `, "Condition": {"StringEquals": {"dynamodb:EnclosingOperation": ["ExecuteTransaction"]}}`)
	require.Equal(t, denied, only.run("SELECT pk FROM orders WHERE pk = 'a'"))
	require.Equal(t, "a1", only.outcomes(transactionOf("SELECT pk, sk FROM orders WHERE pk = 'a' AND sk = 1")))
}

// TestPartiQLReplay records statements, pages of them and faults, and replays them.
func TestPartiQLReplay(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t, ddbtest.Options{Record: true})
	db.CreateTable(t, ordersTable())
	s := &session{T: t, client: db.Client(once), table: "orders"}
	s.putOrders()
	db.Fail(ddbtest.Op("Scan"), ddbtest.CutPage(2))
	db.Fail(ddbtest.Op("BatchExecuteStatement"), ddbtest.Unprocessed(1))
	in := statement("SELECT * FROM orders")
	for {
		out, err := s.client.ExecuteStatement(t.Context(), in)
		require.NoError(t, err)
		require.LessOrEqual(t, len(out.Items), 2)
		if in.NextToken = out.NextToken; in.NextToken == nil {
			break
		}
	}
	require.Equal(t, []string{"ThrottlingError", "nothing"}, s.responses(batchOf("DELETE FROM orders WHERE pk = 'a' AND sk = 1", "DELETE FROM orders WHERE pk = 'a' AND sk = 2")))
	require.Empty(t, s.outcomes(transactionOf("INSERT INTO orders VALUE {'pk': 'n', 'sk': 1}")))
	var recorded bytes.Buffer
	require.NoError(t, db.WriteRecording(&recorded))
	again, err := ddbtest.Replay(&recorded)
	require.NoError(t, err)
	require.Equal(t, db.Hash(), again.Hash())
}

// TestPartiQLOverHTTP serves another client.
func TestPartiQLOverHTTP(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	db.CreateTable(t, ordersTable())
	server := httptest.NewServer(db)
	t.Cleanup(server.Close)
	options := db.ClientOptions()
	options.BaseEndpoint, options.HTTPClient = &server.URL, server.Client()
	s := &session{T: t, client: dynamodb.New(options), table: "orders"}
	require.Empty(t, s.run("INSERT INTO orders VALUE {'pk': ?, 'sk': 1}", text("a")))
	require.Equal(t, `{"pk":S"a" }`, s.run("SELECT pk FROM orders WHERE pk = 'a'"))
}
