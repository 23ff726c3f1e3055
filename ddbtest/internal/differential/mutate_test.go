package differential

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// mutant is a proxy between a client and its engine that makes one kind of error.
type mutant struct {
	name  string
	alter func(*exchange) reply
}

// exchange is one request.
type exchange struct {
	operation string
	request   object
	send      func(operation string, request object) reply // sends a request to the engine
	memory    *memory                                      // of the mutant, for all requests
}

// pass sends the request unchanged.
func (x *exchange) pass() reply { return x.send(x.operation, x.request) }

type reply struct {
	status int
	body   object
}

func (r reply) ok() bool { return r.status == http.StatusOK }

// memory is the state of a mutant.
type memory struct {
	mu    sync.Mutex
	items map[string]any
}

func (m *memory) get(key string) any {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.items[key]
}

func (m *memory) set(key string, v any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.items[key] = v
}

// mutating is an HTTP client with a mutant.
type mutating struct {
	mutant
	client aws.HTTPClient
	memory memory
}

func mutate(m mutant, client aws.HTTPClient) *mutating {
	return &mutating{mutant: m, client: client, memory: memory{items: map[string]any{}}}
}

const target = "X-Amz-Target"

// Do returns the reply of the mutant.
func (m *mutating) Do(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	in, err := parse(body)
	if err != nil {
		return nil, err
	}
	service, operation, _ := strings.Cut(request.Header.Get(target), ".")
	var failures []error
	send := func(operation string, in object) reply {
		out, err := m.forward(request, service+"."+operation, in)
		failures = append(failures, err)
		return out
	}
	out := m.alter(&exchange{operation: operation, request: in, send: send, memory: &m.memory})
	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	return out.response(request)
}

func (m *mutating) forward(request *http.Request, name string, in object) (reply, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return reply{}, err
	}
	sent := request.Clone(request.Context())
	sent.Header.Set(target, name)
	sent.Body, sent.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	response, err := m.client.Do(sent)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return reply{}, err
	}
	out, err := parse(answer)
	return reply{status: response.StatusCode, body: out}, err
}

func (r reply) response(request *http.Request) (*http.Response, error) {
	body, err := json.Marshal(r.body)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: r.status, Status: http.StatusText(r.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: request,
		Header:        http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
	}, nil
}

func parse(body []byte) (object, error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var o object
	err := decoder.Decode(&o)
	return o, err
}

// is reports whether the request is for one of the operations.
func (x *exchange) is(operations ...string) bool { return slices.Contains(operations, x.operation) }

// on alters the replies of some operations.
func on(operations string, alter func(x *exchange, out object)) func(*exchange) reply {
	return func(x *exchange) reply {
		r := x.pass()
		if r.ok() && x.is(strings.Fields(operations)...) {
			alter(x, r.body)
		}
		return r
	}
}

// before alters the requests of some operations.
func before(operations string, alter func(in object)) func(*exchange) reply {
	return func(x *exchange) reply {
		if x.is(strings.Fields(operations)...) {
			alter(x.request)
		}
		return x.pass()
	}
}

// rewrite alters all conditions, filters and update expressions of a request.
func rewrite(alter func(expression string) string) func(*exchange) reply {
	return func(x *exchange) reply {
		rewriteIn(x.request, alter)
		return x.pass()
	}
}

func rewriteIn(v any, alter func(string) string) {
	switch v := v.(type) {
	case object:
		for _, name := range []string{"ConditionExpression", "FilterExpression", "UpdateExpression", "ProjectionExpression"} {
			if text, ok := v[name].(string); ok {
				v[name] = alter(text)
			}
		}
		for _, member := range v {
			rewriteIn(member, alter)
		}
	case []any:
		for _, element := range v {
			rewriteIn(element, alter)
		}
	}
}

// The functions below return members of a request or a reply, or zero values if they are absent.
func listIn(o object, name string) []any {
	l, _ := o[name].([]any)
	return l
}

func textIn(o object, name string) string {
	s, _ := o[name].(string)
	return s
}

func objectIn(o object, name string) object {
	member, _ := o[name].(object)
	return member
}

// keyText returns a string that identifies an item.
func keyText(x *exchange, key object) string {
	parts := []string{textIn(x.request, "TableName")}
	for _, name := range slices.Sorted(maps.Keys(key)) {
		text, err := json.Marshal(key[name])
		if err != nil {
			return ""
		}
		parts = append(parts, name, string(text))
	}
	return strings.Join(parts, " ")
}

// item reads an item.
func (x *exchange) item(key object) object {
	return objectIn(x.send("GetItem", object{"TableName": x.request["TableName"], "Key": key, "ConsistentRead": true}).body, "Item")
}
