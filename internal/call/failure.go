package call

import (
	"errors"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// Failure is why an operation failed, in the library's terms, with all that an error of a public room is made of.
type Failure struct {
	Operation string
	Plan      *core.Plan // may be nil
	Entity    string
	Table     string
	Index     string
	Kind      error      // of the glossary; nil where the service's own error says it all
	Outcome   op.Outcome // NoWrite: it is not a write
	RequestID string
	Attempts  int
	Key       op.Item
	Met       op.Item // the item that a failed condition met
	Cure      string
	Err       error // the SDK's error, or a refusal
}

// Error says what failed without a value of any item.
func (f *Failure) Error() string { return f.Operation + " failed" }

// Unwrap gives the kind and the cause.
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

// keyOf is the table's key of an action's item; nil where it is not known.
func keyOf(act *op.Action) op.Item {
	if act.Key != nil || act.Item == nil || act.Plan == nil {
		return act.Key
	}
	key := op.Item{}
	for a := range act.Plan.Table.Sides() {
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
