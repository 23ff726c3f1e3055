package ddbtest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// misuse is the use of one method of a database on the other side of a bubble.
type misuse struct {
	call func(c *misplacedCall)
	// silent is why the method reports nothing, or "".
	silent string
}

type misplacedCall struct {
	*testing.T
	db       *ddbtest.DB
	test     *fakeTest // of the database
	snapshot *ddbtest.Snapshot
	file     string // with the definition of a table
	items    string // a file
}

const (
	madeClient = "a client: its requests report"
	pastOnly   = "it returns what happened so far"
	onlySet    = "it returns what was set, or given"
	crosses    = "it is the way to the other side"
)

// misuses has each method of a database. A new method must be added.
var misuses = map[string]misuse{
	"Advance":           {func(c *misplacedCall) { c.db.Advance(time.Hour) }, ""},
	"Budget":            {func(c *misplacedCall) { c.db.Budget(c.test, ddbtest.Requests.AtMost(1)) }, ""},
	"CheckRule":         {func(c *misplacedCall) { require.Error(c, c.db.CheckRule(ddbtest.Reset)) }, "it returns the error"},
	"ClearFaults":       {func(c *misplacedCall) { c.db.ClearFaults() }, ""},
	"Client":            {func(c *misplacedCall) { c.db.Client() }, madeClient},
	"ClientOptions":     {func(c *misplacedCall) { c.db.ClientOptions() }, madeClient},
	"Close":             {func(c *misplacedCall) { c.db.Fork().Close() }, "a test may end anywhere"},
	"Configure":         {func(c *misplacedCall) { c.db.Configure(new(dynamodb.Options)) }, madeClient},
	"ConfigureStreams":  {func(c *misplacedCall) { c.db.ConfigureStreams(new(dynamodbstreams.Options)) }, madeClient},
	"Cost":              {func(c *misplacedCall) { c.db.Cost() }, pastOnly},
	"CreateTable":       {func(c *misplacedCall) { c.db.CreateTable(c.test, named("another", thingsTable())) }, ""},
	"CreateTables":      {func(c *misplacedCall) { c.db.CreateTables(c.test, c.file) }, ""},
	"DeliverLate":       {func(c *misplacedCall) { c.db.DeliverLate() }, ""},
	"Dump":              {func(c *misplacedCall) { require.Empty(c, c.db.Dump(things)) }, ""},
	"Err":               {func(c *misplacedCall) { _ = c.db.Err() }, pastOnly},
	"Fail":              {func(c *misplacedCall) { require.Error(c, c.db.Fail(ddbtest.Reset, ddbtest.For(time.Hour)).Err()) }, ""},
	"Fork":              {func(c *misplacedCall) { c.db.Fork() }, crosses},
	"ForkFor":           {func(c *misplacedCall) { c.db.ForkFor(c.T) }, crosses},
	"HTTPClient":        {func(c *misplacedCall) { c.db.HTTPClient() }, madeClient},
	"Hash":              {func(c *misplacedCall) { c.db.Hash() }, ""},
	"HotPartitions":     {func(c *misplacedCall) { c.db.HotPartitions(1) }, ""},
	"Keep":              {func(c *misplacedCall) { require.NoError(c, c.db.Keep()) }, "it changes nothing"},
	"Lag":               {func(c *misplacedCall) { c.db.Lag() }, onlySet},
	"LimitPartitions":   {func(c *misplacedCall) { c.db.LimitPartitions(ddbtest.Units{Read: 1, Write: 1}) }, ""},
	"Load":              {func(c *misplacedCall) { c.db.Load(c.test, things, thing("b", 1, nil)) }, ""},
	"LoadFS":            {func(c *misplacedCall) { c.db.LoadFS(c.test, os.DirFS(filepath.Dir(c.items)), things+"=items.json") }, ""},
	"LoadFile":          {func(c *misplacedCall) { c.db.LoadFile(c.test, things, c.items) }, ""},
	"LoadValues":        {func(c *misplacedCall) { c.db.LoadValues(c.test, things, map[string]any{"pk": "b", "sk": 1}) }, ""},
	"Measure":           {func(c *misplacedCall) { c.db.Measure(func() {}) }, pastOnly},
	"Now":               {func(c *misplacedCall) { c.db.Now() }, ""},
	"PartitionLimit":    {func(c *misplacedCall) { c.db.PartitionLimit() }, onlySet},
	"Pending":           {func(c *misplacedCall) { c.db.Pending() }, ""},
	"PolicyCredentials": {func(c *misplacedCall) { c.db.PolicyCredentials(allowAll) }, madeClient},
	"Records":           {func(c *misplacedCall) { require.Empty(c, c.db.Records(things)) }, ""},
	"Requests":          {func(c *misplacedCall) { c.db.Requests() }, pastOnly},
	"Restore":           {func(c *misplacedCall) { c.db.Restore(c.snapshot) }, ""},
	"Seed":              {func(c *misplacedCall) { c.db.Seed() }, onlySet},
	"ServeHTTP":         {serveMisplaced, ""},
	"SetLag":            {func(c *misplacedCall) { c.db.SetLag(ddbtest.Lag{Items: time.Hour}) }, ""},
	"Settle":            {func(c *misplacedCall) { c.db.Settle() }, ""},
	"Snapshot":          {func(c *misplacedCall) { require.NotNil(c, c.db.Snapshot()) }, ""},
	"StartBudget":       {startMisplacedBudget, ""},
	"StreamsClient":     {func(c *misplacedCall) { c.db.StreamsClient() }, madeClient},
	"WithPolicy":        {func(c *misplacedCall) { c.db.WithPolicy(allowAll) }, madeClient},
	"WriteRecording":    {func(c *misplacedCall) { _ = c.db.WriteRecording(io.Discard) }, pastOnly},
}

var allowAll = ddbtest.Policy{Document: `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*"}}`}

// serveMisplaced sends a request. The connection is refused, for which net/http has a panic.
func serveMisplaced(c *misplacedCall) {
	r := httptest.NewRequestWithContext(c.Context(), http.MethodPost, "/", strings.NewReader("{}"))
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
	require.PanicsWithValue(c, http.ErrAbortHandler, func() { c.db.ServeHTTP(httptest.NewRecorder(), r) })
}

func startMisplacedBudget(c *misplacedCall) {
	_, err := c.db.StartBudget(ddbtest.Requests.AtMost(1))
	require.Error(c, err)
}

// TestMethodsAcrossBubble calls each method of a database on the other side of a bubble. It reports
// that and the way out, unless it is an exception, and changes nothing.
func TestMethodsAcrossBubble(t *testing.T) {
	t.Parallel()
	methods := reflect.TypeFor[*ddbtest.DB]()
	require.Len(t, misuses, methods.NumMethod())
	file := writeFile(t, "table.json", `{"TableName":"another","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]}`)
	items := writeFile(t, "items.json", `{"Item":{"pk":{"S":"b"},"sk":{"N":"1"}}}`)
	for i := range methods.NumMethod() {
		name := methods.Method(i).Name
		use, known := misuses[name]
		require.True(t, known, "%s: add it to the table", name)
		begin := func(t *testing.T) *misplacedCall {
			t.Helper()
			c := &misplacedCall{file: file, items: items}
			c.db, c.test = startFake(ddbtest.Options{Record: true})
			c.snapshot = c.db.Snapshot()
			require.NoError(t, put(t.Context(), c.db.Client()))
			return c
		}
		run := func(t *testing.T, c *misplacedCall, wayOut string) {
			t.Helper()
			c.T = t
			use.call(c)
			c.T = nil
			if use.silent != "" {
				require.Empty(t, c.test.failures, use.silent)
				return
			}
			require.NotEmpty(t, c.test.failures)
			for _, failure := range c.test.failures {
				require.Contains(t, failure, wayOut)
				require.Contains(t, failure, "db.ForkFor(t)")
			}
		}
		t.Run(name+" inside", func(t *testing.T) {
			t.Parallel()
			c := begin(t)
			before, pending, lag := c.db.Hash(), fmt.Sprint(c.db.Pending()), c.db.Lag()
			synctest.Test(t, func(t *testing.T) { run(t, c, "make the database in the bubble") })
			require.Equal(t, before, c.db.Hash())
			require.Equal(t, pending, fmt.Sprint(c.db.Pending()))
			require.Equal(t, lag, c.db.Lag())
			require.Equal(t, ddbtest.Units{}, c.db.PartitionLimit())
			require.NoError(t, get(t.Context(), c.db.Client(once)), "no rule was added")
		})
		t.Run(name+" outside", func(t *testing.T) {
			t.Parallel()
			var c *misplacedCall
			synctest.Test(t, func(t *testing.T) { c = begin(t) })
			run(t, c, "made in a bubble")
			require.Len(t, c.db.ForkFor(t).Dump(things), 1)
		})
	}
}
