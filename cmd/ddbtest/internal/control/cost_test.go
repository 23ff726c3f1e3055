package control_test

import (
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"
)

func scan(t *testing.T, client *dynamodb.Client) {
	t.Helper()
	_, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("things")})
	require.NoError(t, err)
}

// TestCost checks the total, and what was used since a mark.
func TestCost(t *testing.T) {
	t.Parallel()
	e, client := startThings(t)
	require.InDelta(t, 0, e.get("/cost")["total"], 0, "fixtures cost nothing")
	require.NoError(t, put(t, client, "a"))
	mark := e.post("/marks", "")
	require.InDelta(t, 1, mark["id"], 0)
	require.InDelta(t, 0, e.get("/cost?since=1")["total"], 0)
	scan(t, client)

	require.InDelta(t, 2, e.get("/cost")["total"], 0)
	since := e.get("/cost?since=1")
	require.Equal(t, object{"Scan": 1.0}, since["requests"])
	require.InDelta(t, 0, since["writeUnits"], 0)
	require.InDelta(t, 0.5, since["readUnits"], 0)
	require.Equal(t, object{"things": object{"read": 0.5, "write": 0.0}}, since["tables"])

	e.delete("/marks/1")
	e.fails(http.StatusNotFound, http.MethodGet, "/cost?since=1", "")
	e.fails(http.StatusNotFound, http.MethodDelete, "/marks/1", "")
	e.fails(http.StatusBadRequest, http.MethodGet, "/cost?since=x", "")
}

// TestRequests checks the list of requests and its filters.
func TestRequests(t *testing.T) {
	t.Parallel()
	e, client := startThings(t)
	e.post("/faults", `{"operations":["Scan"],"nth":2,"effects":[{"effect":"InternalError"}]}`)
	require.NoError(t, put(t, client, "a"))
	scan(t, client)
	_, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("things")})
	require.Error(t, err)

	requests := list(t, e.get("/requests"), "requests")
	require.Len(t, requests, 3)
	require.Equal(t, "PutItem", requests[0]["operation"])
	require.InDelta(t, 1, requests[0]["writeUnits"], 0)
	require.Empty(t, requests[0]["fault"])
	require.Equal(t, "InternalError", requests[2]["fault"])
	require.Equal(t, "InternalServerError", requests[2]["errorCode"])
	for path, want := range map[string]int{
		"?last=2": 2, "?last=0": 0, "?after=1": 2, "?operation=Scan": 2, "?operation=Scan&after=2": 1, "?table=things": 3,
		"?operation=UpdateItem": 0,
	} {
		require.Len(t, list(t, e.get("/requests"+path), "requests"), want, path)
	}
	fields, cures := e.fails(http.StatusBadRequest, http.MethodGet, "/requests?lst=2&operation=a&operation=b", "")
	require.Equal(t, []string{"lst", "operation"}, fields)
	require.Contains(t, cures, `"last"`)
	fields, _ = e.fails(http.StatusBadRequest, http.MethodGet, "/requests?last=-1", "")
	require.Equal(t, []string{"last"}, fields)
	fields, cures = e.fails(http.StatusBadRequest, http.MethodGet, "/requests?operation=PutItm&table=thing", "")
	require.Equal(t, []string{"operation", "table"}, fields)
	require.Contains(t, cures, `"PutItem"`)
	require.Contains(t, cures, `"things"`)
}

// TestRequestsOfOtherTables checks that a table needs no request, and that a deleted table and one
// that a request named are known.
func TestRequestsOfOtherTables(t *testing.T) {
	t.Parallel()
	e, client := startThings(t)
	require.Empty(t, list(t, e.get("/requests?table=things"), "requests"))
	_, err := client.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String("things")})
	require.NoError(t, err)
	_, err = client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("never")})
	require.Error(t, err)
	for _, table := range []string{"things", "never"} {
		require.Len(t, list(t, e.get("/requests?table="+table), "requests"), 1)
	}
	e.fails(http.StatusBadRequest, http.MethodGet, "/requests?table=other", "")
}

// TestStatements checks that a statement of PartiQL is found as what it runs as.
func TestStatements(t *testing.T) {
	t.Parallel()
	e, client := startThings(t)
	for _, statement := range []string{"SELECT * FROM things", "SELECT * FROM things WHERE id = 'a'"} {
		_, err := client.ExecuteStatement(t.Context(), &dynamodb.ExecuteStatementInput{Statement: &statement})
		require.NoError(t, err)
	}
	require.Len(t, list(t, e.get("/requests?operation=ExecuteStatement"), "requests"), 2)
	scans := list(t, e.get("/requests?operation=Scan"), "requests")
	require.Len(t, scans, 1)
	require.Equal(t, "ExecuteStatement", scans[0]["operation"])
	require.Equal(t, "Scan", scans[0]["runsAs"])
}

// TestBudgets checks that a budget that is kept passes its check, and that one that is exceeded
// names the limits and the requests.
func TestBudgets(t *testing.T) {
	t.Parallel()
	e, client := startThings(t)
	scan(t, client) // before the budgets
	e.post("/budgets", `{"limits":[{"quantity":"Requests","atMost":0,"operations":["Scan"]},{"quantity":"WriteUnits","atMost":1}]}`)
	e.post("/budgets", `{"limits":[{"quantity":"Requests","atMost":10}]}`)
	require.NoError(t, put(t, client, "a"))
	require.Equal(t, false, e.post("/budgets/1/check", "")["exceeded"])

	scan(t, client)
	require.Equal(t, true, e.get("/budgets/1")["exceeded"])
	require.Equal(t, false, e.post("/budgets/2/check", "")["exceeded"])
	status, text := e.send(http.MethodPost, "/budgets/1/check", "")
	require.Equal(t, http.StatusConflict, status)
	exceeded := list(t, decode(t, text), "exceeded")
	require.Len(t, exceeded, 1)
	first, ok := exceeded[0]["first"].(object)
	require.True(t, ok)
	require.Equal(t, "Scan", first["operation"])
	require.InDelta(t, 3, first["seq"], 0)

	require.Len(t, list(t, e.get("/budgets"), "budgets"), 2)
	e.delete("/budgets/1")
	e.fails(http.StatusNotFound, http.MethodPost, "/budgets/1/check", "")
}

func TestInvalidBudgets(t *testing.T) {
	t.Parallel()
	e, _ := startThings(t)
	for body, want := range map[string][]string{
		`{}`:            {"limits"},
		`{"limits":[]}`: {"limits"},
		`{"limits":[{"quantity":"Request","atMost":1},{"quantity":"Requests"},{"quantity":"Requests","atMost":-1},{"quantity":"Requests","atMost":0,"operations":["Scam"]}]}`: {
			"limits[0].quantity", "limits[1].atMost", "limits[2].atMost", "limits[3].operations[0]"},
		`{"limits":[{"quantity":"Pages","atMost":1}]}`: {"limits[0].quantity"},
	} {
		fields, text := e.problems(http.StatusBadRequest, http.MethodPost, "/budgets", body)
		require.Equal(t, want, fields, body)
		require.NotRegexp(t, ofGo, text)
	}
	require.Empty(t, list(t, e.get("/budgets"), "budgets"))
}

// TestQuantitiesAreComplete checks that the document and the endpoint have the same quantities.
func TestQuantitiesAreComplete(t *testing.T) {
	t.Parallel()
	e, _ := startThings(t)
	names := document(t).Components.Schemas["Limit"].Value.Properties["quantity"].Value.Enum
	require.Len(t, names, 5)
	for _, name := range names {
		e.post("/budgets", `{"limits":[{"quantity":"`+name.(string)+`","atMost":1}]}`) //nolint:forcetypeassert // an enum of strings
	}
	_, cures := e.fails(http.StatusBadRequest, http.MethodPost, "/budgets", `{"limits":[{"quantity":"?","atMost":1}]}`)
	for _, name := range names {
		require.Contains(t, cures, name)
	}
}
