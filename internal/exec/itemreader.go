package exec

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/trestledb/trestle/internal/core"
)

// itemReader is the protocol of one request that returns items. It reads the items of a reply as
// rows that have its JSON. The SDK's own protocol does everything else, and gets the reply without
// the items.
//
// If the reply is unusual in any way, the SDK gets all of it, and its output has the items. So
// there is one place that makes errors, except for replies that are damaged.
type itemReader struct {
	smithyhttp.ClientProtocol
	reply itemReply
	rest  restBody
}

// restBody is the body that the SDK gets.
type restBody struct{ bytes.Reader }

func (*restBody) Close() error { return nil }

// readsItems reports whether an itemReader reads the replies to an input. Otherwise the SDK does:
// the replies have no items, or another client than the SDK's may use the output in its own way.
func (c *Config) readsItems(in any) bool {
	if _, ok := c.Client.(*dynamodb.Client); !ok || c.AttributeValues {
		return false
	}
	switch in := in.(type) {
	case *dynamodb.GetItemInput, *dynamodb.QueryInput, *dynamodb.ScanInput, *dynamodb.BatchGetItemInput, *dynamodb.TransactGetItemsInput:
		return true
	case *dynamodb.UpdateItemInput:
		return in.ReturnValues != ""
	case *dynamodb.PutItemInput:
		return in.ReturnValues != ""
	case *dynamodb.DeleteItemInput:
		return in.ReturnValues != ""
	default:
		return false
	}
}

// jsonProtocol is the protocol whose replies an itemReader knows.
var jsonProtocol = smithy.ShapeID{Namespace: "aws.protocols", Name: "awsJson1_0"}

// install sets the protocol of a call, unless the SDK uses another one than jsonProtocol, or an
// interceptor gets the SDK's output.
func (r *itemReader) install(o *dynamodb.Options) {
	if r == nil || o.Protocol == nil || o.Protocol.ID() != jsonProtocol || outputIntercepted(&o.Interceptors) {
		return
	}
	r.ClientProtocol, o.Protocol = o.Protocol, r
}

// outputIntercepted reports whether there is an interceptor that gets the output of a request.
func outputIntercepted(r *smithyhttp.InterceptorRegistry) bool {
	return len(r.AfterDeserialization) > 0 || len(r.AfterAttempt) > 0 || len(r.AfterExecution) > 0
}

// errUnreadable is the error for a body on which the SDK panics. It does so on some that are no
// valid JSON.
var errUnreadable = errors.New("the reply is no valid JSON")

// DeserializeResponse reads the reply to one attempt.
func (r *itemReader) DeserializeResponse(ctx context.Context, schema *smithy.OperationSchema, types *smithy.TypeRegistry, resp *smithyhttp.Response, out smithy.Deserializable) (err error) {
	r.reply = itemReply{out: out, Buffer: core.NewBuffer()}
	if resp.StatusCode < 200 || resp.StatusCode >= 300 {
		return r.ClientProtocol.DeserializeResponse(ctx, schema, types, resp, out)
	}
	if r.reply.Body, err = readBody(resp, r.reply.Body[:0], !isWrite(out)); err != nil {
		return &smithy.DeserializationError{Err: err}
	}
	defer func() {
		if recover() != nil {
			err = &smithy.DeserializationError{Err: errUnreadable}
		}
	}()
	r.rest.Reset(r.reply.split())
	resp.Body = &r.rest
	return r.ClientProtocol.DeserializeResponse(ctx, schema, types, resp, out)
}

const (
	unknownLength = 16 << 10 // the first buffer for a body of unknown length
	maxLength     = 64 << 20 // the greatest length for which the header is trusted
)

// isWrite reports whether an output is that of a write. A write whose reply has a wrong checksum is
// applied, so it has not failed.
func isWrite(out any) bool {
	switch out.(type) {
	case *dynamodb.UpdateItemOutput, *dynamodb.PutItemOutput, *dynamodb.DeleteItemOutput:
		return true
	default:
		return false
	}
}

// readBody reads the body of a response into a buffer, and closes it. The SDK compares the checksum
// when the body is closed, also if the response has none; it ignores the result. checked makes a
// wrong checksum an error.
func readBody(resp *smithyhttp.Response, body []byte, checked bool) ([]byte, error) {
	length := resp.ContentLength
	if length < 0 || length > maxLength {
		length = unknownLength
	}
	body = slices.Grow(body, int(length)+1) // the last byte is for the read that returns io.EOF
	for {
		n, err := resp.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if err != nil {
			closed := resp.Body.Close()
			resp.Body = http.NoBody
			switch {
			case err != io.EOF:
				return nil, err
			case checked && closed != nil && resp.Header.Get("X-Amz-Crc32") != "":
				return nil, closed
			}
			return body, nil
		}
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
	}
}
