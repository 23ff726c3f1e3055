package differential

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// coverage counts how often the operations of many histories reached something.
type coverage map[string]int

// Rows that the rules check.
const (
	rowOperations     = "operations"
	rowSucceeded      = "operations that succeed"
	rowReads          = "reads"
	rowResumed        = "page resumed"
	rowConditionTrue  = "condition true"
	rowConditionFalse = "condition false"
)

func (c coverage) add(other coverage) {
	for row, n := range other {
		c[row] += n
	}
}

// count counts one operation. Its marks count only if the request passed validation.
func (c coverage) count(op operation, o outcome) {
	c[rowOperations]++
	operation := strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%T", op.input), "*dynamodb."), "Input")
	c["operation "+operation]++
	if op.invalid != "" {
		c["invalid request: "+op.invalid]++
	}
	switch op.input.(type) {
	case *dynamodb.QueryInput, *dynamodb.ScanInput, *dynamodb.GetItemInput, *dynamodb.BatchGetItemInput, *dynamodb.TransactGetItemsInput:
		c[rowReads]++
	}
	if o.failed() {
		c["error "+o.code]++
	} else {
		c[rowSucceeded]++
	}
	if o.code != codeValidation {
		for _, mark := range op.marks {
			c[mark]++
		}
	}
	c.countConditions(op, o)
	c.countFilter(op, o)
	c.countLegacy(op, o)
}

// countConditions counts conditions that were true and false. For a canceled transaction, only the
// false ones are known.
func (c coverage) countConditions(op operation, o outcome) {
	conditions := conditionsOf(op.input)
	switch o.code {
	case "":
		c[rowConditionTrue] += conditions
	case codeCondition:
		c[rowConditionFalse]++
	case codeCanceled:
		for _, code := range strings.Fields(o.facts[factReasons]) {
			c["reason "+code]++
			if code == reasonCondition {
				c[rowConditionFalse]++
			}
		}
	}
}

const reasonCondition = "ConditionalCheckFailed"

// conditionsOf returns the number of conditions in a request.
func conditionsOf(input any) int {
	n := 0
	add := func(condition *string) {
		if condition != nil {
			n++
		}
	}
	switch in := input.(type) {
	case *dynamodb.PutItemInput:
		add(in.ConditionExpression)
	case *dynamodb.UpdateItemInput:
		add(in.ConditionExpression)
	case *dynamodb.DeleteItemInput:
		add(in.ConditionExpression)
	case *dynamodb.TransactWriteItemsInput:
		for _, action := range in.TransactItems {
			switch {
			case action.Put != nil:
				add(action.Put.ConditionExpression)
			case action.Update != nil:
				add(action.Update.ConditionExpression)
			case action.Delete != nil:
				add(action.Delete.ConditionExpression)
			case action.ConditionCheck != nil:
				n++
			}
		}
	}
	return n
}

func (c coverage) countFilter(op operation, o outcome) {
	if o.page == nil {
		return
	}
	if slices.Contains(op.marks, "FilterExpression") {
		c["filter true"] += o.page.count
		c["filter false"] += o.page.scanned - o.page.count
	}
	if o.page.scanned > 0 {
		c["page with entries"]++
	}
	if in, ok := op.input.(*dynamodb.QueryInput); ok && in.Limit == nil && o.page.last != nil {
		c["page cut at 1 MB"]++
	}
}

// String returns a table of all counts.
func (c coverage) String() string {
	var b strings.Builder
	for _, row := range slices.Sorted(maps.Keys(c)) {
		fmt.Fprintf(&b, "%8d  %s\n", c[row], row)
	}
	return b.String()
}
