package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/fixture"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
	"github.com/trestledb/trestle/ddbtest"
)

var tableRoutes = []Route{
	read("/tables", listTables),
	read("/tables/{table}", describeTable),
	read("/tables/{table}/items", listItems, "first"),
	read("/tables/{table}/records", listRecords),
}

// TableList has the names of the tables.
type TableList struct {
	Tables []string `json:"tables"`
}

// Table is the description of a table as DescribeTable returns it.
type Table struct {
	Table json.RawMessage `json:"table"`
}

// Items are the items of a table in the order of their keys, in DynamoDB JSON, as a strongly
// consistent read sees them.
type Items struct {
	Count int               `json:"count"` // of the table
	Items []json.RawMessage `json:"items"`
}

// Records are the records of the table's stream, as GetRecords returns them.
type Records struct {
	Records []json.RawMessage `json:"records"`
}

// The services of DynamoDB.
const (
	serviceTables  = "DynamoDB_20120810."
	serviceStreams = "DynamoDBStreams_20120810."
)

// ask sends a request to a database, and decodes its reply.
func ask(ctx context.Context, db *ddbtest.DB, operation string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://ddbtest.invalid", bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("X-Amz-Target", operation)
	reply, err := db.HTTPClient().Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = reply.Body.Close() }()
	if reply.StatusCode != http.StatusOK {
		return errors.New(operation + " failed")
	}
	return json.NewDecoder(reply.Body).Decode(out)
}

// fork returns a copy of the database. Its requests are not counted and no rule acts on them.
func (c *call) fork() *ddbtest.DB { return c.db.DB.Fork() }

func tableNames(ctx context.Context, db *ddbtest.DB) ([]string, error) {
	var names []string
	in := map[string]string{}
	for {
		var page struct {
			TableNames             []string
			LastEvaluatedTableName string
		}
		if err := ask(ctx, db, serviceTables+"ListTables", in, &page); err != nil {
			return nil, err
		}
		names = append(names, page.TableNames...)
		if page.LastEvaluatedTableName == "" {
			return orEmpty(names), nil
		}
		in["ExclusiveStartTableName"] = page.LastEvaluatedTableName
	}
}

// tableNames returns the names of all tables.
func (c *call) tableNames() ([]string, error) {
	fork := c.fork()
	defer fork.Close()
	return tableNames(c.request.Context(), fork)
}

func listTables(c *call) (TableList, error) {
	names, err := c.tableNames()
	return TableList{names}, err
}

// table returns the description of the table in the path.
func (c *call) table(fork *ddbtest.DB) (json.RawMessage, error) {
	ctx := c.request.Context()
	var reply struct{ Table json.RawMessage }
	err := ask(ctx, fork, serviceTables+"DescribeTable", map[string]string{"TableName": c.parameter}, &reply)
	if err == nil && !strings.Contains(c.parameter, ":") { // no ARN
		return reply.Table, nil
	}
	names, err := tableNames(ctx, fork)
	if err != nil {
		return nil, err
	}
	return nil, noTable(c.parameter, names)
}

// noTable returns the error for a table that does not exist.
func noTable(table string, names []string) *Error {
	cure := "create it first: there are no tables"
	if len(names) > 0 {
		cure = strict.Nearest(table, names)
	}
	return fail(http.StatusNotFound, "table", "there is no such table", cure)
}

func describeTable(c *call) (Table, error) {
	fork := c.fork()
	defer fork.Close()
	table, err := c.table(fork)
	return Table{table}, err
}

func listItems(c *call) (Items, error) {
	first, err := c.query("first", 0)
	if err != nil {
		return Items{}, err
	}
	fork := c.fork()
	defer fork.Close()
	if _, err := c.table(fork); err != nil {
		return Items{}, err
	}
	dump := fork.Dump(c.parameter)
	items := Items{Count: len(dump), Items: []json.RawMessage{}}
	for i, item := range dump {
		if first > 0 && i == first {
			break
		}
		text, err := fixture.FormatItem(item)
		if err != nil {
			return Items{}, err
		}
		items.Items = append(items.Items, text)
	}
	return items, nil
}

func listRecords(c *call) (Records, error) {
	fork := c.fork()
	defer fork.Close()
	table, err := c.table(fork)
	if err != nil {
		return Records{}, err
	}
	var described struct{ LatestStreamArn string }
	if err := json.Unmarshal(table, &described); err != nil {
		return Records{}, err
	}
	if described.LatestStreamArn == "" {
		return Records{}, fail(http.StatusConflict, "table", "the table has no stream", "create it with a StreamSpecification")
	}
	records, err := stream{fork, described.LatestStreamArn}.records(c.request.Context())
	return Records{orEmpty(records)}, err
}
