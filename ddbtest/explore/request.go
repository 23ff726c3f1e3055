package explore

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/service"
)

// operation is what a search needs to know of an operation.
type operation struct {
	items       bool // it reads or writes items
	writes      bool // it may change something
	batch       bool
	transaction bool
	page        bool
	streams     bool
}

var operations = map[string]operation{
	"GetItem":            {items: true},
	"PutItem":            {items: true, writes: true},
	"UpdateItem":         {items: true, writes: true},
	"DeleteItem":         {items: true, writes: true},
	"Query":              {items: true, page: true},
	"Scan":               {items: true, page: true},
	"BatchGetItem":       {items: true, batch: true},
	"BatchWriteItem":     {items: true, batch: true, writes: true},
	"TransactGetItems":   {items: true, transaction: true},
	"TransactWriteItems": {items: true, transaction: true, writes: true},
	"DescribeTable":      {},
	"DescribeTimeToLive": {},
	"ListTables":         {},
	"DescribeLimits":     {},
	"DescribeEndpoints":  {},
	"ListTagsOfResource": {},
	"ListStreams":        {streams: true},
	"DescribeStream":     {streams: true},
	"GetShardIterator":   {streams: true},
	"GetRecords":         {streams: true},
}

// operationNamed returns an operation. An unknown one may change something.
func operationNamed(name string) operation {
	if o, ok := operations[name]; ok {
		return o
	}
	return operation{writes: true}
}

// request is the content of a request. Requests with the same canonical text share one request.
type request struct {
	name      string // of the operation
	operation operation
	canonical string // the operation, the body as canonical JSON, and the access key
	body      map[string]any
	valid     bool
	parts     []engine.Target // of a batch or a transaction, or the one item
	writes    bool
	stale     bool     // it is an eventually consistent read, of at least one table
	strong    []string // the other tables of a batch that it reads
	token     string   // of a transaction
	spans     []span   // what it reads and writes
	selects   bool     // it has a PartiQL statement that reads

	onlySelects bool   // all its PartiQL statements read
	without     []Kind // faults that DynamoDB has for its PartiQL statements, and the search has not
}

// requestCache holds the requests of a search by their body and by their canonical text.
type requestCache struct {
	byBody, byText map[string]*request
}

func newRequestCache() *requestCache {
	return &requestCache{map[string]*request{}, map[string]*request{}}
}

// get returns the request with the body.
func (c *requestCache) get(db *ddbtest.DB, h *http.Request, body []byte) *request {
	_, name, _ := strings.Cut(h.Header.Get("X-Amz-Target"), ".")
	key := accessKey(h)
	bodyKey := name + " " + string(body) + " " + key
	if r := c.byBody[bodyKey]; r != nil {
		return r
	}
	r := newRequest(name, body)
	r.canonical += " " + key
	if known := c.byText[r.canonical]; known != nil {
		r = known
	} else {
		r.setSpans(db, body)
	}
	c.byBody[bodyKey], c.byText[r.canonical] = r, r
	return r
}

// accessKey returns the part of a signature that names the access key, because a policy may apply
// to the key. The rest differs from run to run.
func accessKey(h *http.Request) string {
	key, _, _ := strings.Cut(h.Header.Get("Authorization"), "/")
	return key
}

func newRequest(name string, body []byte) *request {
	r := &request{name: name, operation: operationNamed(name)}
	r.writes = r.operation.writes
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber() // keeps every digit
	if decoder.Decode(&r.body) != nil {
		r.canonical = name + " " + string(body)
		return r
	}
	text, err := json.Marshal(r.body) // sorts the members of objects
	if err != nil {
		text = body
	}
	r.canonical = name + " " + string(text)
	if parsed, err := service.Read(name, body); err == nil {
		r.valid, r.parts = true, parsed.Targets
	}
	r.token, _ = r.body["ClientRequestToken"].(string)
	r.stale = r.readsStale()
	r.readStatements()
	return r
}

// readsStale reports whether the request is an eventually consistent read, of at least one table.
// It sets the other tables.
func (r *request) readsStale() bool {
	switch r.name {
	case "GetItem", "Query", "Scan":
		return r.body["ConsistentRead"] != true
	case "BatchGetItem":
		tables, _ := r.body["RequestItems"].(map[string]any)
		for name, t := range tables {
			if keys, _ := t.(map[string]any); keys["ConsistentRead"] == true {
				r.strong = append(r.strong, name)
			}
		}
		return len(r.strong) < len(tables)
	}
	return false
}

func itoa(n int) string { return strconv.Itoa(n) }
