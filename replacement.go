package trestle

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// IndexReplacement is the plan of replacing a global index by one with the same key and another
// projection, while programs use the table. DynamoDB cannot change the projection of an index.
// Method CheckReplacement of a table returns it.
type IndexReplacement struct {
	Table    string
	From, To string
	Steps    []ReplacementStep // in order
}

// ReplacementStep is one step of an [IndexReplacement].
type ReplacementStep struct {
	Text string
	Done bool // the table and the schema have the result of the step
	// Input is the request of the step, for the SDK's client. It is nil if the step is not a
	// request, if an earlier step is not done, and while DynamoDB executes it. A table with
	// provisioned capacity needs the capacity of the new index in addition.
	Input *dynamodb.UpdateTableInput
}

// Next returns the first step that is not done. It returns false if all are done.
func (r IndexReplacement) Next() (ReplacementStep, bool) {
	for _, s := range r.Steps {
		if !s.Done {
			return s, true
		}
	}
	return ReplacementStep{}, false
}

// String returns the steps, one per line, with a mark on those that are done.
func (r IndexReplacement) String() string {
	var b strings.Builder
	for _, s := range r.Steps {
		mark := "[ ] "
		if s.Done {
			mark = "[x] "
		}
		b.WriteString(mark + s.Text + "\n")
	}
	return b.String()
}
