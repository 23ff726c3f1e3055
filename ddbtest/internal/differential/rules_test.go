package differential

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Shares that a run must reach, and the counts of parts per [rulesSize] operations.
const (
	leastSucceeded = 0.60 // of operations
	leastCondition = 0.30 // of conditions, true and false each
	leastResumed   = 0.15 // of reads
	leastPart      = 100
	leastRare      = 3
	rulesSize      = 20_000
)

// parts are all functions, operators and clauses of expressions, and all errors that DynamoDB Local
// can return.
var parts = []string{
	"attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains", "size",
	"=", "<>", "<", "<=", ">", ">=", "BETWEEN", "IN", "AND", "OR", "NOT", "( )", "path map.name", "path list[n]",
	"key =", "key <", "key <=", "key >", "key >=", "key BETWEEN", "key begins_with", "backward",
	"SET", "REMOVE", "ADD", "DELETE", "ADD to a number", "ADD to a set", "+", "-", "if_not_exists", "list_append",
	"FilterExpression", "filter true", "filter false", "ProjectionExpression", "ConditionCheck", "token sent again", "ReturnValuesOnConditionCheckFailure",
	"Select ALL_ATTRIBUTES", "Select ALL_PROJECTED_ATTRIBUTES", "Select COUNT", "Select SPECIFIC_ATTRIBUTES",
	"ReturnValues NONE", "ReturnValues ALL_OLD", "ReturnValues ALL_NEW", "ReturnValues UPDATED_OLD", "ReturnValues UPDATED_NEW",
	"error ValidationException", "error ConditionalCheckFailedException", "error ResourceNotFoundException", "error ResourceInUseException",
	"error LimitExceededException", "error TransactionCanceledException", "error IdempotentParameterMismatchException",
	"reason ConditionalCheckFailed", "reason None", "stream record", "item at the cursor deleted", "global index", "local index", "index of many attributes",
}

// rare are rows with lower counts, because they take more time.
var rare = []string{"page cut at 1 MB", "start anywhere", "UpdateTable adds an index", "UpdateTable deletes an index", "operation UpdateTimeToLive"}

// missing returns what a run did not reach often enough. The required counts are proportional to
// the number of operations.
func (c coverage) missing() []string {
	var all []string
	share := func(part, whole string, parts, wholes int, least float64) {
		if float64(parts) < least*float64(wholes) {
			all = append(all, fmt.Sprintf("%s: %d of %d %s, less than %v", part, parts, wholes, whole, least))
		}
	}
	conditions := c[rowConditionTrue] + c[rowConditionFalse]
	share(rowSucceeded, rowOperations, c[rowSucceeded], c[rowOperations], leastSucceeded)
	share(rowConditionTrue, "conditions", c[rowConditionTrue], conditions, leastCondition)
	share(rowConditionFalse, "conditions", c[rowConditionFalse], conditions, leastCondition)
	share(rowResumed, rowReads, c[rowResumed], c[rowReads], leastResumed)
	size := min(1, float64(c[rowOperations])/rulesSize)
	for _, part := range parts {
		if least := int(leastPart * size); c[part] < least {
			all = append(all, fmt.Sprintf("%s: %d, less than %d", part, c[part], least))
		}
	}
	for _, row := range rareRows() {
		if least := int(leastRare * size); c[row] < least {
			all = append(all, fmt.Sprintf("%s: %d, less than %d", row, c[row], least))
		}
	}
	return all
}

// rareRows returns all rare rows, including one for each kind of invalid request.
func rareRows() []string {
	all := slices.Clone(rare)
	for _, f := range allInvalidRequests() {
		all = append(all, "invalid request: "+f.name)
	}
	return all
}

// unknownErrors returns the errors that are not among the required parts.
func (c coverage) unknownErrors() []string {
	var all []string
	for row := range c {
		if strings.HasPrefix(row, "error ") && !slices.Contains(parts, row) {
			all = append(all, row)
		}
	}
	slices.Sort(all)
	return all
}

// A run that misses a requirement must be reported.
func TestCoverageRules(t *testing.T) {
	t.Parallel()
	full := coverage{rowOperations: rulesSize, rowSucceeded: 13_000, rowReads: 1000, rowResumed: 200, rowConditionTrue: 500, rowConditionFalse: 500}
	for _, part := range parts {
		full[part] = leastPart
	}
	for _, row := range rareRows() {
		full[row] = leastRare
	}
	require.Empty(t, full.missing())
	for row := range full {
		if row == rowOperations || row == rowReads {
			continue
		}
		poor := coverage{}
		poor.add(full)
		poor[row] /= 3
		require.Len(t, poor.missing(), 1, row)
	}
	require.Equal(t, []string{"error Strange"}, coverage{"error Strange": 1, "error ValidationException": 1}.unknownErrors())
}
