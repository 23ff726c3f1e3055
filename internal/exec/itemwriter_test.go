package exec

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/testjson"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// writings are the writes that can store items in JSON.
var writings = []struct {
	name  string
	verbs []op.Verb
	most  int // actions
	send  func(*Config, context.Context, []op.Action) Response
}{
	{"PutItem", []op.Verb{op.Put}, 1, func(c *Config, ctx context.Context, actions []op.Action) Response { return c.action(ctx, &actions[0]) }},
	{"BatchWriteItem", []op.Verb{op.Put, op.Put, op.Put, op.Delete}, 25, func(c *Config, ctx context.Context, actions []op.Action) Response {
		return c.BatchWrite(ctx, "Item", pointers(actions))
	}},
	{"TransactWriteItems", []op.Verb{op.Put, op.Put, op.Put, op.Delete, op.Update, op.Check}, 10, func(c *Config, ctx context.Context, actions []op.Action) Response {
		return c.transaction(ctx, actions, "token")
	}},
}

// sent is an attempt as the service receives it.
type sent struct {
	*http.Request
	text string
	body any
}

// requests returns a reply that records the requests before it passes them on.
func requests(t testing.TB, list *[]sent, next reply) reply {
	return func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		require.Equal(t, r.ContentLength, int64(len(body)))
		s := sent{Request: r, text: string(body)}
		require.NoError(t, json.Unmarshal(body, &s.body))
		*list = append(*list, s)
		return next(r)
	}
}

// plainPlan is a plan without keys.
var plainPlan = &core.Plan{Schema: &core.Schema{}}

// randomActions returns random actions of a write, with items as maps.
func randomActions(r *rand.Rand, n int) []op.Action {
	w := writings[n]
	actions := make([]op.Action, 1+r.IntN(w.most))
	for i := range actions {
		a := op.Action{Verb: w.verbs[r.IntN(len(w.verbs))], Plan: plainPlan, Idempotent: true}
		if w.name == "TransactWriteItems" {
			a.Table = []string{"", "Put", "app"}[r.IntN(3)]
		}
		if w.name != "BatchWriteItem" && (a.Verb == op.Check || r.IntN(2) == 0) {
			a.Clauses = []clause.Clause{{Pred: clause.Value("Item", randomValue(r, 1))}}
		}
		switch a.Verb {
		case op.Put:
			a.Item = op.NewContent(randomAttributes(r, 0))
		case op.Update:
			a.Changes = removing("Item")
			fallthrough
		default:
			a.Key = op.Item{"Item": text(`{"PutRequest":{"Item":{}}}`)}
		}
		e := a.Expressions()
		e.Condition = strings.ReplaceAll(strings.ReplaceAll(e.Condition, "#n0", "#Item"), ":v0", ":Item")
		e.Update = strings.ReplaceAll(e.Update, "#n0", "#Item")
		if e.Names != nil {
			e.Names = map[string]string{"#Item": "Item"}
		}
		if e.Values != nil {
			e.Values = op.Item{":Item": e.Values[":v0"]}
		}
		actions[i] = a
	}
	return actions
}

// asJSON returns the actions with some of the items in JSON, or all of them.
func asJSON(r *rand.Rand, actions []op.Action, all bool) []op.Action {
	own := slices.Clone(actions)
	for i := range own {
		if own[i].Verb == op.Put && (all || r.IntN(4) > 0) {
			own[i].Item = op.JSONContent(bytes.TrimSpace(testjson.Append(r, nil, own[i].Item.Map())), 0)
		}
	}
	return own
}

// sendsSame reports whether the actions are sent as another list of them is.
func sendsSame(t testing.TB, n int, actions, others []op.Action) bool {
	var list []sent
	c := newEnv(&script{replies: []reply{requests(t, &list, fine)}})
	c.JSON = SendsJSON(c.Client)
	for _, a := range [][]op.Action{actions, others} {
		r := writings[n].send(c, t.Context(), a)
		require.NoError(t, r.err)
	}
	require.Len(t, list, 2)
	return reflect.DeepEqual(list[0].body, list[1].body)
}

// A request has the same body whether its items are maps or JSON.
func TestItemsInJSON(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	for range testsize.Pick(300, 3000, 30_000) {
		n := r.IntN(len(writings))
		actions := randomActions(r, n)
		require.True(t, sendsSame(t, n, actions, asJSON(r, actions, false)), writings[n].name)
	}
}

// The negative control: the bodies differ if two items are exchanged, or one has another attribute.
func TestItemsInJSON_control(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	failed := map[string]bool{}
	for range 200 {
		n := r.IntN(len(writings))
		actions := randomActions(r, n)
		exchanged, changed := asJSON(r, actions, true), asJSON(r, actions, true)
		for i := range actions {
			if i > 0 && actions[i].Item != nil && actions[i-1].Item != nil && !reflect.DeepEqual(actions[i].Item.Map(), actions[i-1].Item.Map()) {
				exchanged[i].Item, exchanged[i-1].Item = exchanged[i-1].Item, exchanged[i].Item
				failed["exchanged"] = !sendsSame(t, n, actions, exchanged)
				break
			}
		}
		if actions[0].Verb == op.Put {
			changed[0].Item = op.JSONContent([]byte(`{"other":{"S":"x"}}`), 0)
			failed["changed"] = !sendsSame(t, n, actions, changed)
		}
	}
	require.Equal(t, map[string]bool{"exchanged": true, "changed": true}, failed)
}

// jsonActions returns actions with an item in JSON of each write.
func jsonActions(n int) []op.Action {
	actions := []op.Action{{
		Verb: op.Put, Plan: &core.Plan{Schema: &core.Schema{Partition: core.Attribute{Name: "PK"}}}, Idempotent: true,
		Item: op.JSONContent([]byte(`{"PK":{"S":"a"},"n":{"N":"1"}}`), 0),
	}}
	if writings[n].most > 1 {
		actions = append(actions, op.Action{Verb: op.Delete, Key: op.Item{"PK": text("b")}, Idempotent: true}, actions[0])
	}
	return actions
}

// signedAgain returns the signature of a request, made of what was received.
func signedAgain(t *testing.T, s sent) string {
	t.Helper()
	old := s.Header.Get("Authorization")
	_, names, _ := strings.Cut(old, "SignedHeaders=")
	names, _, _ = strings.Cut(names, ",")
	again, err := http.NewRequestWithContext(t.Context(), s.Method, s.URL.String(), strings.NewReader(s.text))
	require.NoError(t, err)
	for name := range strings.SplitSeq(names, ";") {
		if value := s.Header.Get(name); value != "" {
			again.Header.Set(name, value)
		}
	}
	at, err := time.Parse("20060102T150405Z", s.Header.Get("X-Amz-Date"))
	require.NoError(t, err)
	hash := sha256.Sum256([]byte(s.text))
	require.NoError(t, v4.NewSigner().SignHTTP(t.Context(), aws.Credentials{AccessKeyID: "AKID", SecretAccessKey: "secret"},
		again, hex.EncodeToString(hash[:]), "dynamodb", "eu-north-1", at))
	return again.Header.Get("Authorization")
}

// Each attempt sends the whole body, with its signature.
func TestEachAttemptSendsTheItems(t *testing.T) {
	t.Parallel()
	for n, w := range writings {
		var list []sent
		c := newEnv(&script{replies: []reply{requests(t, &list, throttles), requests(t, &list, fails500), requests(t, &list, fine)}})
		c.JSON = SendsJSON(c.Client)
		r := w.send(c, t.Context(), jsonActions(n))
		require.NoError(t, r.err, w.name)
		require.Len(t, list, 3, w.name)
		for _, s := range list {
			require.Contains(t, s.text, `{"PK":{"S":"a"},"n":{"N":"1"}}`)
			require.Equal(t, list[0].text, s.text)
			require.Equal(t, s.Header.Get("Authorization"), signedAgain(t, s), w.name)
			s.text += " "
			require.NotEqual(t, s.Header.Get("Authorization"), signedAgain(t, s), "the negative control")
		}
	}
}

// Calls at the same time send their own items, however slowly the transport reads the bodies. After
// a call, nothing is left of its body to read.
func TestConcurrentBodies(t *testing.T) {
	t.Parallel()
	var calls sync.WaitGroup
	for n, w := range writings {
		for i := range 4 {
			calls.Go(func() {
				var item string
				var late io.Reader
				slow := func(r *http.Request) (*http.Response, error) {
					var body bytes.Buffer
					for {
						if _, err := io.CopyN(&body, r.Body, 16); err != nil {
							break
						}
						runtime.Gosched()
					}
					if !strings.Contains(body.String(), item) {
						t.Errorf("the body has another item: %s", body.String())
					}
					late = r.Body
					return fine(r)
				}
				c := newEnv(&script{replies: []reply{slow}})
				c.JSON = SendsJSON(c.Client)
				for call := range 20 {
					actions := jsonActions(n)
					item = fmt.Sprintf(`{"PK":{"S":"%d %d"}}`, i, call)
					actions[0].Item = op.JSONContent([]byte(item), 0)
					if r := w.send(c, t.Context(), actions); r.err != nil {
						t.Error(r.err)
					}
					if rest, err := io.ReadAll(late); err != nil || len(rest) > 0 {
						t.Errorf("%s, %v", rest, err)
					}
				}
			})
		}
	}
	calls.Wait()
}

// looking is a middleware that keeps a copy of the items of inputs.
func looking(items *[]op.Item) func(*dynamodb.Options) {
	return func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
			return s.Initialize.Add(middleware.InitializeMiddlewareFunc("Looking", func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
				*items = append(*items, itemsIn(in.Parameters)...)
				return next.HandleInitialize(ctx, in)
			}), middleware.After)
		})
	}
}

func itemsIn(in any) (items []op.Item) {
	if in, ok := in.(*dynamodb.BatchGetItemInput); ok {
		return in.RequestItems["Keys"].Keys
	}
	for _, at := range placesOf(in) {
		items = append(items, *at)
	}
	return items
}

// interceptor keeps the items of inputs before they are serialized.
type interceptor struct{ items *[]op.Item }

func (i interceptor) BeforeSerialization(_ context.Context, in *smithyhttp.InterceptorContext) error {
	*i.items = append(*i.items, itemsIn(in.Input)...)
	return nil
}

// otherForm is a protocol of the SDK's identity that writes bodies in another form, such as that of
// a later version of the SDK.
type otherForm struct {
	smithyhttp.ClientProtocol
	form func(body string) io.Reader
}

func (p otherForm) SerializeRequest(ctx context.Context, schema *smithy.OperationSchema, in smithy.Serializable, req *smithyhttp.Request) error {
	if err := p.ClientProtocol.SerializeRequest(ctx, schema, in, req); err != nil {
		return err
	}
	body, err := io.ReadAll(req.GetStream())
	if err != nil {
		return err
	}
	changed, err := req.SetStream(p.form(string(body)))
	if err == nil {
		*req = *changed
	}
	return err
}

// withForm returns an option with that protocol.
func withForm(form func(string) io.Reader) func(*dynamodb.Options) {
	return func(o *dynamodb.Options) { o.Protocol = otherForm{o.Protocol, form} }
}

func otherOptions(o *dynamodb.Options) { o.RetryMaxAttempts = 5 }

func withOtherProtocol(o *dynamodb.Options) { o.Protocol = otherProtocol{o.Protocol} }

// The body has the items whatever the options of the call are. The input has them too if others
// than the SDK's protocol can use it.
func TestOptionsOfAWrite(t *testing.T) {
	t.Parallel()
	item := op.Item{"PK": text("a"), "n": number(1)}
	for n, w := range writings {
		var inputs []op.Item
		for name, c := range map[string]struct {
			option func(*dynamodb.Options)
			change func(*Config)
			seen   bool
		}{
			"plain":            {},
			"attribute values": {change: func(c *Config) { c.AttributeValues = true }},
			"not decided":      {change: func(c *Config) { c.JSON = false }},
			"other options":    {option: otherOptions},
			"a middleware":     {option: looking(&inputs), seen: true},
			"an interceptor":   {option: func(o *dynamodb.Options) { o.Interceptors.AddBeforeSerialization(interceptor{&inputs}) }, seen: true},
			"another protocol": {option: withOtherProtocol},
			"another stream":   {option: withForm(func(body string) io.Reader { return strings.NewReader(body) })},
			"whitespace": {option: withForm(func(body string) io.Reader {
				return bytes.NewReader([]byte("\n" + strings.ReplaceAll(body, ":{", " :\t{")))
			})},
			"other members": {option: withForm(func(body string) io.Reader { return bytes.NewReader([]byte(`{"x":{"Item":{}},` + body[1:])) })},
			"no item": {option: withForm(func(body string) io.Reader {
				return bytes.NewReader([]byte(strings.ReplaceAll(body, `"Item":{}`, `"x":{}`)))
			})},
			"no JSON": {option: withForm(func(body string) io.Reader { return bytes.NewReader([]byte(strings.ReplaceAll(body, `:{}`, `:{`))) })},
		} {
			var list []sent
			config := newEnv(&script{replies: []reply{requests(t, &list, fine)}})
			config.JSON = true
			if c.option != nil {
				config.SDK = append(config.SDK, c.option)
			}
			if c.change != nil {
				c.change(config)
			}
			inputs = nil
			r := w.send(config, t.Context(), jsonActions(n))
			require.NoError(t, r.err, name)
			require.Len(t, list, 1, name)
			stored := 0
			for _, sentItem := range sentItems(list[0].body) {
				require.Equal(t, map[string]any{"PK": map[string]any{"S": "a"}, "n": map[string]any{"N": "1"}}, sentItem, name)
				stored++
			}
			require.Equal(t, min(w.most, 2), stored, name)
			require.Equal(t, c.seen, inputs != nil, name)
			for _, input := range inputs {
				require.Equal(t, item, input, name)
			}
		}
	}
}

// sentItems returns the items that a body stores.
func sentItems(body any) (items []any) {
	switch body := body.(type) {
	case []any:
		for _, element := range body {
			items = append(items, sentItems(element)...)
		}
	case map[string]any:
		for name, member := range body {
			if item, ok := member.(map[string]any); ok && name == "Item" && len(item) > 0 {
				items = append(items, item)
			} else {
				items = append(items, sentItems(member)...)
			}
		}
	}
	return items
}

// Checks of an input see the keys of items in JSON.
func TestKeysInInputs(t *testing.T) {
	t.Parallel()
	schema := &core.Schema{
		Partition: core.Attribute{Name: "PK"},
		Indexes:   []*core.Index{{Partition: []core.Attribute{{Name: "n"}}}, {Partition: []core.Attribute{{Name: "none"}}}},
	}
	a := op.Action{Verb: op.Put, Plan: &core.Plan{Schema: schema}, Item: op.JSONContent([]byte(`{"x":{"S":"x"},"PK":{"S":"a"},"n":{"N":"1"}}`), 0)}
	in := a.PutItemInput("app")
	(&Config{JSON: true}).itemWriter(in, []*op.Action{&a}).addKeys()
	require.Equal(t, op.Item{"PK": text("a"), "n": number(1)}, in.Item)
}

// Items are sent in JSON only with a client of the SDK that nothing was added to.
func TestSendsJSON(t *testing.T) {
	t.Parallel()
	client := func(option func(*dynamodb.Options)) trestle.Client { return newEnv(&script{}, option).Client }
	none := (*dynamodb.Client)(nil)
	for name, c := range map[string]struct {
		client trestle.Client
		want   bool
	}{
		"plain":            {client(otherOptions), true},
		"nil":              {none, false},
		"another client":   {wrappedClient{client(otherOptions)}, false},
		"a middleware":     {client(looking(new([]op.Item))), false},
		"an interceptor":   {client(func(o *dynamodb.Options) { o.Interceptors.AddBeforeSerialization(interceptor{}) }), false},
		"another protocol": {client(withOtherProtocol), false},
		"no protocol":      {client(func(o *dynamodb.Options) { o.Protocol = nil }), false},
	} {
		require.Equal(t, c.want, SendsJSON(c.client), name)
	}
}

// Every kind of interceptor is found.
func TestIntercepted(t *testing.T) {
	t.Parallel()
	kinds := reflect.TypeFor[smithyhttp.InterceptorRegistry]()
	require.Positive(t, kinds.NumField())
	for i := range kinds.NumField() {
		var r smithyhttp.InterceptorRegistry
		r = r.Copy()
		require.False(t, intercepted(&r))
		list := reflect.ValueOf(&r).Elem().Field(i)
		list.Set(reflect.MakeSlice(list.Type(), 1, 1))
		require.True(t, intercepted(&r), kinds.Field(i).Name)
	}
}
