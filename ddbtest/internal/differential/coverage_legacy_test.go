package differential

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// TestDifferentialOfLegacyParameters compares requests with legacy parameters.
func TestDifferentialOfLegacyParameters(t *testing.T) {
	t.Parallel()
	compareEngines(t, *flagOperations, generateLegacy, coverage.missingLegacy)
}

// countLegacy counts the outcomes of the legacy parameters of a request.
func (c coverage) countLegacy(op operation, o outcome) {
	add := func(part, outcome string, n int) { c["legacy "+part+": "+outcome] += n }
	for _, part := range op.legacy {
		parameter, _, _ := strings.Cut(part, " ")
		switch {
		case o.code == codeValidation && parameter == "AttributeUpdates":
			add(part, "refused", 1)
		case o.code == codeCondition && parameter == "Expected":
			add(part, "false", 1)
		case o.failed():
		case parameter == "QueryFilter" || parameter == "ScanFilter":
			add(part, "true", o.page.count)
			add(part, "false", o.page.scanned-o.page.count)
		case parameter == "KeyConditions" && o.page.scanned == 0:
			add(part, "false", 1)
		default:
			add(part, "true", 1)
		}
	}
}

// legacyRows are all parameters with their operators and outcomes.
func legacyRows() []string {
	var all []string
	add := func(part string, outcomes ...string) {
		for _, outcome := range outcomes {
			all = append(all, "legacy "+part+": "+outcome)
		}
	}
	for _, parameter := range []string{"Expected", "QueryFilter", "ScanFilter"} {
		for _, operator := range types.ComparisonOperator("").Values() {
			add(parameter+" "+string(operator), "true", "false")
		}
		add(parameter+" AND", "true", "false")
		add(parameter+" OR", "true", "false")
	}
	add("Expected Exists", "true", "false")
	add("Expected Value", "true", "false")
	for _, operator := range []string{"EQ", "LT", "LE", "GT", "GE", "BETWEEN", "BEGINS_WITH"} {
		add("KeyConditions "+operator, "true", "false")
	}
	for _, change := range []string{"PUT", "DELETE", "several"} {
		add("AttributeUpdates "+change, "true")
	}
	for _, change := range []string{"ADD to a number", "ADD to a set", "ADD to a list", "DELETE of members"} {
		add("AttributeUpdates "+change, "true", "refused")
	}
	for _, operation := range []string{"GetItem", "BatchGetItem", "Query", "Scan"} {
		add("AttributesToGet "+operation, "true")
	}
	for _, f := range invalidLegacy {
		all = append(all, "invalid request: "+f.name)
	}
	return append(all, "KeyConditions with FilterExpression", "KeyConditions with ProjectionExpression", rowResumed)
}

// leastLegacy is the count of each row per [rulesSize] operations.
const leastLegacy = 6

// missingLegacy returns what a run did not reach often enough.
func (c coverage) missingLegacy() []string {
	least := max(1, int(leastLegacy*min(1, float64(c[rowOperations])/rulesSize)))
	var all []string
	for _, row := range legacyRows() {
		if c[row] < least {
			all = append(all, fmt.Sprintf("%s: %d, less than %d", row, c[row], least))
		}
	}
	if float64(c[rowSucceeded]) < leastSucceeded*float64(c[rowOperations]) {
		all = append(all, fmt.Sprintf("%d of %d operations succeeded", c[rowSucceeded], c[rowOperations]))
	}
	return all
}

// A run that misses a row must be reported.
func TestCoverageRulesOfLegacyParameters(t *testing.T) {
	t.Parallel()
	full := coverage{rowOperations: rulesSize, rowSucceeded: rulesSize}
	for _, row := range legacyRows() {
		full[row] = leastLegacy
	}
	require.Empty(t, full.missingLegacy())
	for row := range full {
		if row == rowOperations {
			continue
		}
		poor := coverage{}
		poor.add(full)
		poor[row] /= 3
		require.Len(t, poor.missingLegacy(), 1, row)
	}
	require.Greater(t, len(legacyRows()), 3*13*2)
}
