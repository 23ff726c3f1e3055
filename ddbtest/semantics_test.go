package ddbtest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// rows describes the table of these tests.
func rows() *dynamodb.CreateTableInput {
	table := tableOf("pk:S sk:N", ix{name: "local", key: "pk:S lk:N", local: true, holds: "*"}, ix{name: "global", key: "g:S sk:N", holds: "*"})
	table.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages}
	return table
}

func TestUpdateReadsOldItem(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, rows(), func(s *session) {
		key := row("pk", "a", "sk", 1)
		s.put(row("pk", "a", "sk", 1, "a", 1, "b", 2, "c", 3, "l", []any{1, 2, 3}, "m", map[string]any{"x": 1, "y": 2}))
		require.NoError(s, s.update(key, "SET a = b, b = a, c = c + a, d = c"))
		require.NoError(s, s.update(key, "SET l[0] = l[2], l[2] = l[0], m.x = m.y, m.y = m.x"))
		require.Equal(s, row("pk", "a", "sk", 1, "a", 2, "b", 1, "c", 4, "d", 3, "l", []any{3, 2, 1}, "m", map[string]any{"x": 2, "y": 1}), s.get(key))
		require.NoError(s, s.update(key, "SET a = d REMOVE d ADD c :one", ":one", 1))
		require.Equal(s, row("pk", "a", "sk", 1, "a", 3, "b", 1, "c", 5, "l", []any{3, 2, 1}, "m", map[string]any{"x": 2, "y": 1}), s.get(key))
	})
}

func TestSetBeyondEndOfList(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, rows(), func(s *session) {
		key := row("pk", "a", "sk", 1)
		s.put(row("pk", "a", "sk", 1, "l", []any{"x"}, "deep", map[string]any{"l": []any{}}))
		require.NoError(s, s.update(key, "SET l[7] = :y", ":y", "y"))
		require.NoError(s, s.update(key, "SET deep.l[99] = :y", ":y", "y"))
		require.Equal(s, row("pk", "a", "sk", 1, "l", []any{"x", "y"}, "deep", map[string]any{"l": []any{"y"}}), s.get(key))
		require.NoError(s, s.update(key, "SET l[9] = :z, l[8] = :y, l[0] = :x", ":x", 1, ":y", 2, ":z", 3), "several, in the order of their places")
		require.Equal(s, attr([]any{1, "y", 2, 3}), s.get(key)["l"])
		require.NoError(s, s.update(key, "REMOVE l[17], l[1]"))
		require.Equal(s, attr([]any{1, 2, 3}), s.get(key)["l"])
	})
}

// invalidUpdate is an invalid update of an item with n = 1, t = "x", l = [1], m = {x: 1}, ss =
// {"x"} and g = "g".
type invalidUpdate struct {
	expression, condition string
	names                 map[string]string
	values                attributes
}

var invalidUpdates = map[string]invalidUpdate{
	"the same path twice":             {expression: "SET a = :v, a = :v", values: row(":v", 1)},
	"the same path in two clauses":    {expression: "SET a = :v REMOVE a", values: row(":v", 1)},
	"a path and one below it":         {expression: "SET m = :v, m.x = :v", values: row(":v", 1)},
	"a path below, and it":            {expression: "REMOVE m.x.y SET m.x = :v", values: row(":v", 1)},
	"an element and one below it":     {expression: "SET l[0] = :v, l[0].x = :v", values: row(":v", 1)},
	"the same path by two names":      {expression: "SET #a = :v, #b = :v", names: map[string]string{"#a": "a", "#b": "a"}, values: row(":v", 1)},
	"a list and a map at once":        {expression: "SET m[0] = :v, m.x = :v", values: row(":v", 1)},
	"an unused value":                 {expression: "SET a = :v", values: row(":v", 1, ":w", 2)},
	"an unused name":                  {expression: "SET a = :v", names: map[string]string{"#a": "a"}, values: row(":v", 1)},
	"an undefined value":              {expression: "SET a = :w", values: row(":v", 1)},
	"an undefined value and no other": {expression: "SET a = :w"},
	"an undefined name":               {expression: "SET #b = :v", names: map[string]string{"#a": "a"}, values: row(":v", 1)},
	"an undefined name below":         {expression: "SET m.#b = :v", values: row(":v", 1)},
	"a sum with a text":               {expression: "SET n = n + :v", values: row(":v", "1")},
	"a sum with a text of the item":   {expression: "SET n = t + :v", values: row(":v", 1)},
	"a difference of lists":           {expression: "SET n = l - :v", values: row(":v", 1)},
	"a list and a text":               {expression: "SET l = list_append(l, :v)", values: row(":v", "x")},
	"ADD of a text":                   {expression: "ADD n :v", values: row(":v", "x")},
	"ADD of a list":                   {expression: "ADD l :v", values: row(":v", []any{1})},
	"ADD to a text":                   {expression: "ADD t :v", values: row(":v", 1)},
	"ADD of numbers to texts":         {expression: "ADD ss :v", values: row(":v", nums{"1"})},
	"DELETE of a number":              {expression: "DELETE n :v", values: row(":v", 1)},
	"DELETE of numbers from texts":    {expression: "DELETE ss :v", values: row(":v", nums{"1"})},
	"an attribute that is not there":  {expression: "SET a = b"},
	"a sum with what is not there":    {expression: "SET a = b + :v", values: row(":v", 1)},
	"a path through a number":         {expression: "SET n.x = :v", values: row(":v", 1)},
	"a path through nothing":          {expression: "SET nothing.x = :v", values: row(":v", 1)},
	"an element of a map":             {expression: "SET m[0] = :v", values: row(":v", 1)},
	"a member of a list":              {expression: "SET l.x = :v", values: row(":v", 1)},
	"a part of the key":               {expression: "SET sk = :v", values: row(":v", 1)},
	"REMOVE of the key":               {expression: "REMOVE pk"},
	"a wrong type in an index key":    {expression: "SET a = :a, g = :v", values: row(":a", 1, ":v", 1)},
	"an empty index key":              {expression: "SET a = :a, g = :v", values: row(":a", 1, ":v", "")},
	"a wrong type in a local key":     {expression: "SET a = :a, lk = :v", values: row(":a", 1, ":v", "x")},
	"a number that is too large":      {expression: "SET n = n + :v", values: row(":v", num("9.9999999999999999999999999999999999999E+125"))},
	"no clause":                       {expression: ""},
	"a clause twice":                  {expression: "SET a = :v SET b = :v", values: row(":v", 1)},
	"a reserved word":                 {expression: "SET name = :v", values: row(":v", 1)},
	"a condition's reversed BETWEEN":  {expression: "SET a = :v", condition: "n BETWEEN :hi AND :v", values: row(":v", 1, ":hi", 2)},
	"a condition's text and number":   {expression: "SET a = :v", condition: "n BETWEEN :v AND :x", values: row(":v", 1, ":x", "x")},
	"a condition's unused name":       {expression: "SET a = :v", condition: "n = :v", names: map[string]string{"#z": "z"}, values: row(":v", 1)},
	"a condition's wrong function":    {expression: "SET a = :v", condition: "begins_with(t, :v)", values: row(":v", 1)},
	"a condition's wrong type":        {expression: "SET a = :v", condition: "attribute_type(t, :t)", values: row(":v", 1, ":t", "X")},
	"a condition's set in order":      {expression: "SET a = :v", condition: "ss < :s", values: row(":v", 1, ":s", texts{"x"})},
	"a condition that is false":       {expression: "SET a = :v, g = :t, lk = :v REMOVE m", condition: "n > :v", values: row(":v", 1, ":t", "other")},
}

// validWithoutItem lists the updates that are valid if the item does not exist.
var validWithoutItem = []string{"ADD to a text", "ADD of numbers to texts", "DELETE of numbers from texts"}

// acceptedByLocal is a known difference: DynamoDB Local accepts an update that sets the key of a
// local index to a wrong type. It rejects such a put.
const acceptedByLocal = "a wrong type in a local key"

// TestInvalidUpdateChangesNothing covers the item, the indexes and the stream.
func TestInvalidUpdateChangesNothing(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, rows(), func(s *session) {
		here, nowhere := row("pk", "a", "sk", 1), row("pk", "none", "sk", 1)
		s.put(row("pk", "a", "sk", 1, "n", 1, "t", "x", "lk", 5, "m", map[string]any{"x": 1}, "l", []any{1}, "ss", texts{"x"}, "g", "g"))
		before := s.everything()
		for name, w := range invalidUpdates {
			if s.local && name == acceptedByLocal {
				continue
			}
			wantCode(s, w.code(), w.run(s, here), name)
			if !slices.Contains(validWithoutItem, name) {
				wantCode(s, w.code(), w.run(s, nowhere), name)
			}
		}
		require.Equal(s, before, s.everything())
		require.Equal(s, []string{"INSERT"}, s.records())

		require.NoError(s, s.update(here, "SET g = :g", ":g", "h"))
		require.NotEqual(s, before, s.everything(), "what would be seen if one had been applied")
		require.Equal(s, []string{"INSERT", "MODIFY"}, s.records())
	})
}

// TestUnchangedWriteHasNoStreamRecord covers every kind of write.
func TestUnchangedWriteHasNoStreamRecord(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, rows(), func(s *session) {
		key, same := row("pk", "a", "sk", 1), row("pk", "a", "sk", 1, "n", 1, "ss", texts{"x", "y"})
		s.put(same)
		for range 2 {
			s.put(row("pk", "a", "sk", num("1.0"), "n", num("1e0"), "ss", texts{"y", "x"}))
			s.batch(types.WriteRequest{PutRequest: &types.PutRequest{Item: same}}, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: row("pk", "none", "sk", 1)}})
			require.NoError(s, s.update(key, "SET n = :n ADD ss :ss REMOVE nothing", ":n", 1, ":ss", texts{"x"}))
			require.NoError(s, s.transact(types.TransactWriteItem{Put: &types.Put{TableName: &s.table, Item: same}}))
			s.delete(row("pk", "none", "sk", 1))
		}
		require.Equal(s, []string{"INSERT"}, s.records())
		require.NoError(s, s.update(key, "SET n = :n", ":n", 2))
		s.delete(key)
		require.Equal(s, []string{"INSERT", "MODIFY", "REMOVE"}, s.records())
	})
}

func (w *invalidUpdate) run(s *session, key attributes) error {
	_, err := s.client.UpdateItem(s.Context(), &updateInput{
		TableName: &s.table, Key: key, UpdateExpression: &w.expression, ConditionExpression: ptr(w.condition),
		ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
	})
	return err
}

func (w *invalidUpdate) code() string {
	if w.condition == "n > :v" {
		return "ConditionalCheckFailedException"
	}
	return invalid
}

// everything returns the content of the table and its indexes.
func (s *session) everything() map[string][]attributes {
	s.Helper()
	all := map[string][]attributes{}
	for _, index := range []string{"", "local", "global"} {
		all[index] = s.all(view{index: index})
	}
	return all
}

// TestPanicInOperation checks that a panic becomes an InternalServerError, fails the
// test and leaves no lock held. A function of a rule stands in for a defect of the engine.
func TestPanicInOperation(t *testing.T) {
	t.Parallel()
	test := new(fakeTest)
	db := ddbtest.Start(test)
	s := &session{T: t, client: db.Client(once)}
	s.create(rows())
	rule := db.Fail(ddbtest.Matching(func(r ddbtest.Request) bool { panic("broken in " + r.Operation) }), ddbtest.InternalError)
	dataOperations := operations()[:10]
	for _, o := range dataOperations {
		require.NotPanics(t, func() {
			_, err := o.do(t.Context(), &caller{Client: s.client})
			require.Equal(t, "InternalServerError", resultOf(err), o.name)
		})
	}
	require.Len(t, test.failures, len(dataOperations))
	require.ErrorContains(t, db.Err(), "broken")
	rule.Remove()
	s.put(row("pk", "a", "sk", 1))
	require.Equal(t, row("pk", "a", "sk", 1), s.get(row("pk", "a", "sk", 1)))
}

// TestDeepExpressions checks that no expression overflows the stack. Each
// expression has about the maximum length.
func TestDeepExpressions(t *testing.T) {
	t.Parallel()
	within := func(n int, open, inner, end string) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	onEveryEngine(t, rows(), func(s *session) {
		key := row("pk", "a", "sk", 1)
		s.put(row("pk", "a", "sk", 1, "n", 1, "l", []any{1}))
		for _, c := range []struct{ condition, code string }{
			{within(2040, "(", "n = :v", ")"), invalid},
			{within(4096, "(", "", ""), invalid},
			{within(1020, "NOT ", "n = :v", ""), invalid},
			{within(650, "NOT (", "n = :v", ")"), invalid},
			// with the comparison one operator too many
			{within(300, "NOT ", "n = :v", ""), invalid},
			{within(298, "NOT ", "n = :v", ""), ""},
			{within(149, "NOT (", "n = :v", ")"), "ConditionalCheckFailedException"},
			{"n = :v" + strings.Repeat(" AND n = :v", 370), invalid},
			{"n = :v" + strings.Repeat(" OR n = :v", 149), ""},
			{within(650, "size(", "n", ")") + " = :v", invalid},
			{"n" + strings.Repeat(".n", 2000) + " = :v", invalid},
			{"l" + strings.Repeat("[0]", 1300) + " = :v", invalid},
			{"l" + strings.Repeat("[0]", 31) + " <> :v OR n = :v", ""},
			{"l[" + strings.Repeat("9", 4000) + "] = :v", invalid},
			{"n BETWEEN " + within(2000, "(", ":v", ")") + " AND :v", invalid},
			{within(300, "attribute_exists(n) AND (", "n = :v", ")"), invalid},
		} {
			_, err := s.client.PutItem(s.Context(), &dynamodb.PutItemInput{
				TableName: &s.table, Item: row("pk", "a", "sk", 1, "n", 1), ConditionExpression: &c.condition, ExpressionAttributeValues: row(":v", 1),
			})
			if c.code == "" {
				require.NoError(s, err, "%.40s", c.condition)
				continue
			}
			wantCode(s, c.code, err, c.condition[:20])
		}
		for _, expression := range []string{
			"SET l = " + within(250, "list_append(", "l", ",l)"),
			"SET n = " + within(240, "if_not_exists(n,", "n", ")"),
			"SET n = " + within(2000, "(", "n", ")"),
			"SET n = n" + strings.Repeat("+n", 2000),
			"SET n" + strings.Repeat(".n", 2000) + " = n",
			"REMOVE n" + strings.Repeat("[1]", 1300),
		} {
			wantCode(s, invalid, s.update(key, expression), expression[:20])
		}
		for _, projection := range []string{"n" + strings.Repeat(".n", 2000), within(4000, "(", "", ""), "n" + strings.Repeat("[0]", 1300)} {
			_, err := s.client.GetItem(s.Context(), &dynamodb.GetItemInput{TableName: &s.table, Key: key, ProjectionExpression: &projection})
			wantCode(s, invalid, err, projection[:20])
		}
	})
}
