package exec

import (
	"errors"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// Failure is the error of an operation. It has the data for the error types of the public packages.
type Failure struct {
	Operation string
	Plan      *core.Plan // may be nil
	Entity    string
	Table     string
	Index     string
	Kind      error      // a sentinel error; nil if Err alone is enough
	Outcome   op.Outcome // NoWrite if the operation is not a write
	RequestID string
	Attempts  int
	Key       op.Item
	Existing  op.Item // the item for which a conditional check failed
	Cure      string
	Err       error // the SDK's error, or a validation error
}

// Error returns a text without any value of an item.
func (f *Failure) Error() string { return f.Operation + " failed" }

// Unwrap returns the kind and the cause.
func (f *Failure) Unwrap() []error {
	var errs []error
	if f.Kind != nil {
		errs = append(errs, f.Kind)
	}
	if f.Err != nil {
		errs = append(errs, f.Err)
	}
	return errs
}

// keyOf returns the table's key of an action's item, or nil if it is unknown.
func keyOf(act *op.Action) op.Item {
	if act.Key != nil || act.Item == nil || act.Plan == nil {
		return act.Key
	}
	key := op.Item{}
	for a := range act.Plan.Table.Attributes() {
		key[a.Name] = act.Item[a.Name]
	}
	return key
}

func requestID(err error) string {
	var r interface{ ServiceRequestID() string }
	if errors.As(err, &r) {
		return r.ServiceRequestID()
	}
	return ""
}

func sameValue(a, b types.AttributeValue) bool { return reflect.DeepEqual(a, b) }
