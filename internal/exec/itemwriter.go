package exec

import (
	"bytes"
	"context"
	"io"
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/op"
)

// SendsJSON reports whether items can be sent as JSON with a client: it is the SDK's, and nothing
// but the SDK's own protocol uses the items of its inputs.
func SendsJSON(client trestle.Client) bool {
	c, ok := client.(*dynamodb.Client)
	if !ok || c == nil {
		return false
	}
	o := c.Options()
	return sendsJSON(&o)
}

func sendsJSON(o *dynamodb.Options) bool {
	return len(o.APIOptions) == 0 && !intercepted(&o.Interceptors) && o.Protocol != nil && o.Protocol.ID() == jsonProtocol
}

// intercepted reports whether there is an interceptor of any kind.
func intercepted(r *smithyhttp.InterceptorRegistry) bool {
	kinds := reflect.ValueOf(r).Elem()
	for i := range kinds.NumField() {
		if kind := kinds.Field(i); kind.Kind() != reflect.Slice || kind.Len() > 0 {
			return true
		}
	}
	return false
}

// itemWriter is the protocol of one request with items in JSON: those that a write stores, or the
// keys of a batch read. The SDK's own protocol serializes the input, in which these items are
// empty, and the writer puts the JSON in their places. This happens once, before the SDK signs the
// body and sends it, so each attempt sends the same body.
//
// If the input can be used by others than the SDK's protocol, it gets the items as attribute maps.
type itemWriter struct {
	smithyhttp.ClientProtocol
	items []writtenItem
	keys  *writtenKeys // of a batch read, instead of items
}

// writtenItem is an item of an input, in the order of the input.
type writtenItem struct {
	at  *op.Item // in the input
	put *op.Action
}

// itemWriter returns the writer of an input that was made from actions, or nil if the input has all
// items.
func (c *Config) itemWriter(in any, actions []*op.Action) *itemWriter {
	if !slices.ContainsFunc(actions, func(a *op.Action) bool { return a.Item.JSON() != nil }) {
		return nil
	}
	places := placesOf(in)
	w := &itemWriter{items: make([]writtenItem, 0, len(places))}
	for _, a := range actions {
		if a.Verb == op.Put {
			w.items = append(w.items, writtenItem{places[len(w.items)], a})
		}
	}
	if !c.JSON || c.AttributeValues {
		w.fill()
		return nil
	}
	return w
}

// fill sets the items of the input.
func (w *itemWriter) fill() {
	if w.keys != nil {
		w.keys.fill()
	}
	for _, i := range w.items {
		*i.at = i.put.Item.Map()
	}
}

// addKeys sets the key attributes of the items, for checks of the input.
func (w *itemWriter) addKeys() {
	if w.keys != nil {
		w.keys.fill()
	}
	for _, i := range w.items {
		if i.put.Item.JSON() == nil {
			continue
		}
		row, keys := i.put.Item.Row(), op.Item{}
		for _, a := range i.put.Plan.Schema.KeyAttributes() {
			if av := row.Attribute(a.Name); av != nil {
				keys[a.Name] = av
			}
		}
		*i.at = keys
	}
}

// options adds the writer to the options of a call, after those of the user.
func (w *itemWriter) options(user []func(*dynamodb.Options)) []func(*dynamodb.Options) {
	if w == nil {
		return user
	}
	return append(slices.Clip(user), w.install)
}

// install sets the protocol of a call.
func (w *itemWriter) install(o *dynamodb.Options) {
	if !sendsJSON(o) {
		w.fill()
		return
	}
	w.ClientProtocol, o.Protocol = o.Protocol, w
}

// SerializeRequest sets the body of a request.
func (w *itemWriter) SerializeRequest(ctx context.Context, schema *smithy.OperationSchema, in smithy.Serializable, req *smithyhttp.Request) error {
	if err := w.ClientProtocol.SerializeRequest(ctx, schema, in, req); err != nil {
		return err
	}
	if !w.setItems(in, req) {
		w.fill()
		return w.ClientProtocol.SerializeRequest(ctx, schema, in, req)
	}
	return nil
}

// setItems sets the items in the body of a request. It returns false if the SDK wrote the body in
// an unknown way.
func (w *itemWriter) setItems(in any, req *smithyhttp.Request) bool {
	stream, ok := req.GetStream().(*bytes.Reader)
	if !ok {
		return false
	}
	body := make([]byte, stream.Len())
	if _, err := io.ReadFull(stream, body); err != nil {
		return false
	}
	body, ok = w.splice(in, body)
	stream.Reset(body)
	req.ContentLength = int64(len(body))
	return ok
}
