package control_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/control"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
	"github.com/trestledb/trestle/ddbtest"
)

// object is a JSON object of a request or reply.
type object = map[string]any

// endpoint is a control endpoint whose requests and replies are compared with the OpenAPI document.
type endpoint struct {
	t         *testing.T
	databases *databases.Databases
	handler   http.Handler
	router    routers.Router
}

// start starts an endpoint without databases.
func start(t *testing.T, config databases.Config) *endpoint {
	t.Helper()
	dbs, err := databases.New(config)
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := dbs.Close()
		require.NoError(t, err)
	})
	router, err := legacy.NewRouter(document(t))
	require.NoError(t, err)
	return &endpoint{t: t, databases: dbs, handler: control.New(dbs), router: router}
}

// startOne starts an endpoint with one database, and returns that too.
func startOne(t *testing.T) (*endpoint, *ddbtest.DB) {
	t.Helper()
	e := start(t, databases.Config{})
	db, err := e.databases.Open(databases.Key{AccessKey: "one", Region: "us-east-1"})
	require.NoError(t, err)
	return e, db.DB
}

// things is a table with a stream.
const things = `{"TableName":"things","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
	"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
	"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}`

// startThings starts an endpoint with one database, which has the table things, and returns a
// client that makes one attempt of each call.
func startThings(t *testing.T) (*endpoint, *dynamodb.Client) {
	t.Helper()
	e, db := startOne(t)
	e.post("/fixtures", `{"tables":[`+things+`]}`)
	return e, db.Client(func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 })
}

func document(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(control.Specification())
	require.NoError(t, err)
	require.NoError(t, doc.Validate(t.Context()))
	return doc
}

// send sends a request, and returns the status and the body. It compares the reply with the
// document. It compares the request with the document if the endpoint accepts it.
func (e *endpoint) send(method, path, body string) (int, []byte) {
	e.t.Helper()
	return e.sendAs("application/json", method, path, body)
}

func (e *endpoint) sendAs(contentType, method, path, body string) (int, []byte) {
	e.t.Helper()
	target := strings.TrimSuffix(control.Prefix, "/") + path
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	w := httptest.NewRecorder()
	e.handler.ServeHTTP(w, r)

	r = httptest.NewRequest(method, target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", contentType)
	}
	route, parameters, err := e.router.FindRoute(r)
	if err != nil {
		require.Contains(e.t, []int{http.StatusNotFound, http.StatusMethodNotAllowed}, w.Code)
		return w.Code, w.Body.Bytes()
	}
	in := &openapi3filter.RequestValidationInput{Request: r, PathParams: parameters, Route: route}
	if w.Code < 300 {
		require.NoError(e.t, openapi3filter.ValidateRequest(e.t.Context(), in))
	}
	out := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: w.Code, Header: w.Header(),
		Body:    io.NopCloser(bytes.NewReader(w.Body.Bytes())),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, ExcludeResponseBody: w.Header().Get("Content-Type") != "application/json"},
	}
	require.NoError(e.t, openapi3filter.ValidateResponse(e.t.Context(), out), "%s %s: %s", method, path, w.Body)
	return w.Code, w.Body.Bytes()
}

// call sends a request that succeeds, and returns its reply.
func (e *endpoint) call(method, path, body string) object {
	e.t.Helper()
	status, text := e.send(method, path, body)
	if status == http.StatusNoContent {
		return nil
	}
	require.Equal(e.t, http.StatusOK, status, "%s %s: %s", method, path, text)
	return decode(e.t, text)
}

func (e *endpoint) get(path string) object { e.t.Helper(); return e.call(http.MethodGet, path, "") }
func (e *endpoint) post(path, body string) object {
	e.t.Helper()
	return e.call(http.MethodPost, path, body)
}
func (e *endpoint) put(path, body string) object {
	e.t.Helper()
	return e.call(http.MethodPut, path, body)
}
func (e *endpoint) delete(path string) { e.t.Helper(); e.call(http.MethodDelete, path, "") }

// fails sends a request that fails with a status, and returns the fields of its problems and the
// cures in one text.
func (e *endpoint) fails(status int, method, path, body string) (fields []string, cures string) {
	e.t.Helper()
	for _, p := range e.problemsOf(status, method, path, body) {
		fields = append(fields, p.Field)
		cures += p.Cure + "\n"
	}
	return fields, cures
}

// problems is [endpoint.fails] with the messages and the cures in one text.
func (e *endpoint) problems(status int, method, path, body string) (fields []string, text string) {
	e.t.Helper()
	for _, p := range e.problemsOf(status, method, path, body) {
		fields = append(fields, p.Field)
		text += p.String() + "\n"
	}
	return fields, text
}

func (e *endpoint) problemsOf(status int, method, path, body string) []strict.Problem {
	e.t.Helper()
	actual, text := e.send(method, path, body)
	require.Equal(e.t, status, actual, "%s", text)
	var reply control.Error
	require.NoError(e.t, json.Unmarshal(text, &reply))
	require.NotEmpty(e.t, reply.Problems)
	for _, p := range reply.Problems {
		require.NotEmpty(e.t, p.Message)
	}
	return reply.Problems
}

func decode(t *testing.T, text []byte) object {
	t.Helper()
	var o object
	require.NoError(t, json.Unmarshal(text, &o), "%s", text)
	return o
}

// list returns a member that is an array of objects.
func list(t *testing.T, o object, name string) []object {
	t.Helper()
	elements, ok := o[name].([]any)
	require.True(t, ok, "%s of %v", name, o)
	objects := make([]object, len(elements))
	for i, e := range elements {
		objects[i], ok = e.(object)
		require.True(t, ok)
	}
	return objects
}
