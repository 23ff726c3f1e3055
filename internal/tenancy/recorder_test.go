package tenancy_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	sdk "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
)

// recorder sees all requests and replies of a client. It knows the keys of a tenant without the
// code of the library.
type recorder struct {
	layout *layout
	mu     sync.Mutex
	inputs []any
	values map[string]bool // of partition key attributes, in requests and replies
	scans  int
	// change, if set, changes an input before it is sent, as a defect of the planner would.
	change func(in any)
}

// options are those of a client whose requests are recorded.
func (r *recorder) options(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Recorder", r.handle), middleware.Before)
	})
}

func (r *recorder) handle(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
	if r.change != nil {
		r.change(in.Parameters)
	}
	out, meta, err := next.HandleInitialize(ctx, in)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inputs = append(r.inputs, in.Parameters)
	if _, scan := in.Parameters.(*dynamodb.ScanInput); scan {
		r.scans++
	}
	r.collect(reflect.ValueOf(in.Parameters), "")
	r.collect(reflect.ValueOf(out.Result), "")
	var failed *sdk.ConditionalCheckFailedException
	var canceled *sdk.TransactionCanceledException
	if errors.As(err, &failed) {
		r.collect(reflect.ValueOf(failed.Item), "")
	}
	if errors.As(err, &canceled) {
		r.collect(reflect.ValueOf(canceled.CancellationReasons), "")
	}
	return out, meta, err
}

// isPartition reports whether an attribute is a partition key of the table or of an index.
func isPartition(attribute string) bool {
	return attribute == "PK" || attribute == "SK" || attribute == "GSI1PK"
}

var stringMember = reflect.TypeFor[*sdk.AttributeValueMemberS]()

// collect collects the texts of partition keys below a value, and the texts in expressions, whose
// attributes it does not know: those that look like keys.
func (r *recorder) collect(v reflect.Value, attribute string) {
	switch {
	case !v.IsValid():
	case v.Type() == stringMember:
		if text := v.Interface().(*sdk.AttributeValueMemberS).Value; isPartition(attribute) || strings.HasPrefix(attribute, ":") && r.looksLikeKey(text) {
			r.values[text] = true
		}
	case v.Kind() == reflect.Map:
		for _, k := range v.MapKeys() {
			r.collect(v.MapIndex(k), k.String())
		}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		for i := range v.Len() {
			r.collect(v.Index(i), attribute)
		}
	case v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface:
		r.collect(v.Elem(), attribute)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				r.collect(v.Field(i), attribute)
			}
		}
	}
}

func (r *recorder) looksLikeKey(text string) bool {
	return strings.HasPrefix(text, r.layout.start) || strings.HasPrefix(text, "X"+r.layout.start)
}

// take returns what was recorded since the last call.
func (r *recorder) take() (inputs []any, keys map[string]bool, scans int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	inputs, keys, scans = r.inputs, r.values, r.scans
	r.inputs, r.values, r.scans = nil, map[string]bool{}, 0
	return inputs, keys, scans
}

// owns reports whether a key is one of a tenant: in PK and GSI1PK after the literal T, in SK after
// XT.
func (l *layout) owns(tenant, key string) bool {
	text := tenant
	if l.escape {
		var b strings.Builder
		for i := range len(tenant) {
			if c := tenant[i]; c <= '$' {
				b.WriteString("$" + string(rune(c+0x25)))
			} else {
				b.WriteByte(c)
			}
		}
		text = b.String()
	}
	rest, ok := strings.CutPrefix(strings.TrimPrefix(key, "X"), l.start+text)
	return ok && (rest == "" || strings.HasPrefix(rest, l.delim))
}
