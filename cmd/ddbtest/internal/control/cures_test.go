package control_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCures checks that an error has its field and its cure.
func TestCures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ method, path, body, field, cure string }{
		{http.MethodPost, "/clock/advance", `{"by":86400}`, "by", `"192h"`},
		{http.MethodPost, "/clock/advance", `{"by":"1d"}`, "by", `"192h"`},
		{http.MethodPut, "/lag", `"2s"`, "", "items"},
		{http.MethodPut, "/lag", `{"items":2}`, "items", `"untilSettled"`},
		{http.MethodPost, "/faults", `{"nth":"1","effects":[{"effect":"Reset"}]}`, "nth", "without quotes"},
		{http.MethodPost, "/faults", `{"operations":"GetItem","effects":[{"effect":"Reset"}]}`, "operations", "[...]"},
		{http.MethodPost, "/faults", `{"operations":[1],"effects":[{"effect":"Reset"}]}`, "operations[0]", "quotes"},
		{http.MethodPost, "/faults", `{"operations":["GetItem"],"effects":[{"effect":"Unprocessed","count":1}]}`, "effects[0].count", "operations"},
		{http.MethodPost, "/fixtures", `{"Items":[{"id":{"S":1}}]}`, "Items[0].id.S", `"N"`},
		{http.MethodPost, "/fixtures", `{"Items":[{"id":{"N":1}}]}`, "Items[0].id.N", `{"N": "1"}`},
		{http.MethodPost, "/fixtures", `{"Items":[{"id":"secret"}]}`, "Items[0].id", `{"id":{"S":"a"}`},
		{http.MethodPost, "/fixtures", `{"Items":[{"id":{"S":"a"}}]}`, "table", "create the table"},
		{http.MethodPost, "/fixtures?table=x", things, "table", "create it"},
		{http.MethodPost, "/fixtures", `{"items":{"others":[{"id":{"S":"a"}}]}}`, "items.others", ""},
		{http.MethodPost, "/fixtures", `{"tables":[` + things + `],"items":{"things":[{"id":{"S":"a"}},{"id":{"N":"1"}}]}}`, "items.things[1]", ""},
		{http.MethodPost, "/fixtures", `{"tables":[{"TableName":"things"}]}`, "tables[0]", ""},
	} {
		e, _ := startOne(t)
		status := http.StatusBadRequest
		if c.path == "/fixtures?table=x" {
			status = http.StatusNotFound
		}
		problems := e.problemsOf(status, c.method, c.path, c.body)
		p := problems[0]
		require.Len(t, problems, 1, "%s", c.body)
		require.Equal(t, c.field, p.Field, "%s", c.body)
		require.Contains(t, p.Cure, c.cure, "%s", c.body)
		require.NotContains(t, p.String(), "secret")
	}
}
