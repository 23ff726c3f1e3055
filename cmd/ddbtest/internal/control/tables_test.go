package control_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/control"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/fixture"
	"github.com/trestledb/trestle/ddbtest"
)

// contents returns the content of a file of fixtures.
func contents(t *testing.T, text string) *fixture.Files {
	t.Helper()
	name := filepath.Join(t.TempDir(), "fixtures.json")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	c, err := fixture.ReadFiles([]string{name})
	require.NoError(t, err)
	return c
}

// TestTables checks that tables, items and records can be read, and that rules, lag and cost do not
// affect it.
func TestTables(t *testing.T) {
	t.Parallel()
	e, client := startThings(t)
	e.put("/lag", `{"items":"untilSettled"}`)
	for _, id := range []string{"b", "a", "c"} {
		require.NoError(t, put(t, client, id))
	}
	e.post("/faults", `{"effects":[{"effect":"InternalError"}]}`)
	before := e.get("/cost")

	require.Equal(t, object{"tables": []any{"things"}}, e.get("/tables"))
	table, ok := e.get("/tables/things")["table"].(object)
	require.True(t, ok)
	require.Equal(t, "things", table["TableName"])
	items := e.get("/tables/things/items?first=2")
	require.InDelta(t, 3, items["count"], 0)
	require.Equal(t, []object{{"id": object{"S": "a"}}, {"id": object{"S": "b"}}}, list(t, items, "items"))
	records := list(t, e.get("/tables/things/records"), "records")
	require.Len(t, records, 3)
	require.Equal(t, "INSERT", records[0]["eventName"])

	require.Equal(t, before, e.get("/cost"))
	require.InDelta(t, 0, e.get("/faults/1")["hits"], 0)
	_, cures := e.fails(http.StatusNotFound, http.MethodGet, "/tables/thing/items", "")
	require.Contains(t, cures, `"things"`)
	e.fails(http.StatusNotFound, http.MethodGet, "/tables/thing", "")
	e.post("/fixtures", `{"tables":[`+strings.Replace(strings.ReplaceAll(things, `"things"`, `"plain"`), `"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"`, `"StreamEnabled":false`, 1)+`]}`)
	e.fails(http.StatusConflict, http.MethodGet, "/tables/plain/records", "")
	require.Empty(t, list(t, e.get("/databases"), "databases")[0]["defects"])
}

func TestFixtures(t *testing.T) {
	t.Parallel()
	e, _ := startOne(t)
	loaded := e.post("/fixtures", `{"tables":[`+things+`],"items":{"things":[{"id":{"S":"a"}},{"id":{"S":"b"}}]}}`)
	require.Equal(t, object{"tables": 1.0, "items": 2.0}, loaded)
	fields, cures := e.fails(http.StatusBadRequest, http.MethodPost, "/fixtures", `{"tables":[{"TabelName":"x"}],"items":{"things":[{"id":"a"}]},"itms":1}`)
	require.Equal(t, []string{"itms", "tables[0].TabelName", "items.things[0]"}, fields)
	fields, _ = e.fails(http.StatusBadRequest, http.MethodPost, "/fixtures", `{"tables":[7]}`)
	require.Equal(t, []string{"tables[0]"}, fields)
	require.Contains(t, cures, `"TableName"`)
	e.fails(http.StatusBadRequest, http.MethodPost, "/fixtures", `{"tables":[`+things+`],"items":{"things":[{"no":{"S":"a"}}]}}`)
}

// TestFailedFixtures checks that a failed request leaves the database as it was.
func TestFailedFixtures(t *testing.T) {
	t.Parallel()
	e, db := startOne(t)
	before := db.Hash()
	for _, body := range []string{
		`{"tables":[` + things + `],"items":{"things":[{"id":{"S":"a"}},{"no":{"S":"a"}}]}}`,
		`{"tables":[` + things + `],"items":{"things":[{"id":{"S":"a"}},{"id":{"S":""}}]}}`,
		`{"tables":[` + things + `],"items":{"others":[{"id":{"S":"a"}}]}}`,
		`{"tables":[` + things + "," + things + `]}`,
		`[` + things + "," + things + `]`,
	} {
		e.fails(http.StatusBadRequest, http.MethodPost, "/fixtures", body)
		require.Equal(t, before, db.Hash())
	}
	e.post("/fixtures", `{"tables":[`+things+`]}`)
	require.NotEqual(t, before, db.Hash(), "the control")
	before = db.Hash()
	e.fails(http.StatusBadRequest, http.MethodPost, "/fixtures", `{"Items":[{"id":{"S":"a"}},{"id":{"S":""}}]}`)
	require.Equal(t, before, db.Hash())
}

// TestFixtureFiles sends files of other formats, as curl --data-binary does.
func TestFixtureFiles(t *testing.T) {
	t.Parallel()
	e, db := startOne(t)
	load := func(want int, path, body string) object {
		t.Helper()
		status, text := e.sendAs("application/octet-stream", http.MethodPost, path, body)
		require.Equal(t, want, status, "%s", text)
		return decode(t, text)
	}
	template := `{"Resources":{"T":{"Type":"AWS::DynamoDB::Table","Properties":` + things + "}}}"
	require.Equal(t, object{"tables": 1.0, "items": 0.0}, load(http.StatusOK, "/fixtures", template))
	scan := `{"Items":[{"id":{"S":"a"}},{"id":{"S":"b"}}],"Count":2}`
	require.Equal(t, object{"tables": 0.0, "items": 2.0}, load(http.StatusOK, "/fixtures", scan))
	require.Equal(t, object{"tables": 1.0, "items": 0.0}, load(http.StatusOK, "/fixtures", strings.Replace(things, "things", "others", 1)))
	require.Equal(t, object{"tables": 0.0, "items": 1.0}, load(http.StatusOK, "/fixtures?table=others", `{"id":{"S":"c"}}`))
	require.Len(t, db.Dump("things"), 2)
	require.Len(t, db.Dump("others"), 1)
	require.InDelta(t, 0, e.get("/cost")["total"], 0)

	for _, c := range []struct {
		status     int
		path, body string
		want       string
	}{
		{http.StatusBadRequest, "/fixtures", scan, "name it with ?table=NAME; the tables are [\\\"others"},
		{http.StatusNotFound, "/fixtures?table=thing", scan, `\"things\"`},
		{http.StatusNotFound, "/fixtures?table=../x", scan, "others, things"},
		{http.StatusBadRequest, "/fixtures?table=things", `{"items":{}}`, "omit it"},
		{http.StatusBadRequest, "/fixtures?table=things", template, "?table is for items"},
		{http.StatusBadRequest, "/fixtures?table=things", `{"Items":[{"id":{"S":"secret"}},` + "\n" + `{"no":{"S":"secret"}}]}`, `"field":"Items[1]","message":"line 2: `},
		{http.StatusBadRequest, "/fixtures", "Resources:\n  T:\n    Type: AWS::DynamoDB::Table\n", "YAML"},
		{http.StatusBadRequest, "/fixtures", `[`, "not JSON"},
		{http.StatusBadRequest, "/fixtures", "\x1f\x8b secret", "damaged"},
		{http.StatusBadRequest, "/fixtures", `{"name":"secret"}`, "a request of CreateTable"},
	} {
		status, text := e.sendAs("application/octet-stream", http.MethodPost, c.path, c.body)
		require.Equal(t, c.status, status, "%s", text)
		require.Contains(t, string(text), c.want)
		require.NotContains(t, string(text), "secret")
	}
}

// TestPartitions checks the load of partitions and their limit. In the bubble no time restores
// capacity.
func TestPartitions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e, client := startThings(t)
		require.NoError(t, put(t, client, "a"))
		require.NoError(t, put(t, client, "b"))
		p := e.get("/partitions?top=1")
		require.Equal(t, object{"read": 0.0, "write": 0.0}, p["limit"])
		hot := list(t, p, "hot")
		require.Len(t, hot, 1)
		require.Equal(t, "things", hot[0]["table"])
		require.NotEmpty(t, hot[0]["key"])

		require.Equal(t, object{"read": 0.0, "write": 1.0}, e.put("/partitions/limit", `{"read":0,"write":1}`))
		require.NoError(t, put(t, client, "a"))
		require.Error(t, put(t, client, "a"), "throttled")
		require.NoError(t, put(t, client, "b"), "another partition")
		e.fails(http.StatusBadRequest, http.MethodPut, "/partitions/limit", `{"read":-1,"write":1}`)
		fields, _ := e.fails(http.StatusBadRequest, http.MethodPut, "/partitions/limit", `{"read":1}`)
		require.Equal(t, []string{"write"}, fields, "as the document says")
	})
}

// TestRecording checks that a downloaded recording can be replayed.
func TestRecording(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "run.jsonl")
	e := start(t, databases.Config{Recording: file, Fixtures: contents(t, `{"tables":[`+things+`]}`)})
	db, err := e.databases.Open(databases.Key{AccessKey: "one", Region: "us-east-1"})
	require.NoError(t, err)
	require.NoError(t, put(t, db.DB.Client(), "a"))

	status, text := e.send(http.MethodGet, "/recording", "")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, object{"file": file}, e.post("/recording", ""))
	saved, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, recording := range []string{string(text), string(saved)} {
		replayed, err := ddbtest.Replay(strings.NewReader(recording))
		require.NoError(t, err)
		require.Len(t, replayed.Dump("things"), 1)
	}

	other, _ := startOne(t)
	_, cures := other.fails(http.StatusConflict, http.MethodGet, "/recording", "")
	require.Contains(t, cures, "-record")
	other.fails(http.StatusConflict, http.MethodPost, "/recording", "")
}

// TestPaths checks the replies to requests that no route has.
func TestPaths(t *testing.T) {
	t.Parallel()
	e, _ := startOne(t)
	_, cures := e.fails(http.StatusNotFound, http.MethodGet, "/fault", "")
	require.Contains(t, cures, `"/faults"`)
	for _, path := range []string{"/", "/faults/", "/faults/1/2", "/tables//items"} {
		e.fails(http.StatusNotFound, http.MethodGet, path, "")
	}
	_, cures = e.fails(http.StatusMethodNotAllowed, http.MethodPatch, "/faults", "")
	require.Contains(t, cures, http.MethodPost)
	for _, path := range []string{"/settle", "/snapshots", "/snapshots/1/restore", "/held/deliver", "/reset"} {
		for _, body := range []string{"", "{}", " { } "} {
			if path == "/reset" || path == "/snapshots" || body != "" {
				e.post("/snapshots", "")
			}
			e.post(path, body)
		}
		fields, cures := e.fails(http.StatusBadRequest, http.MethodPost, path, `{"mistake":1}`)
		require.Equal(t, []string{"mistake"}, fields)
		require.NotEmpty(t, cures)
	}
	status, text := e.send(http.MethodGet, "/openapi.yaml", "")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, control.Specification(), text)
}
