package check_test

import (
	"testing"

	"github.com/trestledb/trestle/ddbtest/internal/check"
)

func TestUnsupportedMembers(t *testing.T) {
	t.Parallel()
	requireMessage(t, "", check.Unsupported(nil))
	requireMessage(t, "ddbtest does not support the parameters {ReplicaUpdates, ResourcePolicy}", check.Unsupported([]string{"ReplicaUpdates", "ResourcePolicy"}))
}

func TestLegacyMembers(t *testing.T) {
	t.Parallel()
	expression := "a = :a"
	none, some := check.Expression{Member: "FilterExpression"}, check.Expression{Member: "ConditionExpression", Text: &expression}
	requireMessage(t, "", check.Legacy(nil, none, some))
	requireMessage(t, "ddbtest does not support the legacy parameters {Expected, ConditionalOperator}: use expressions",
		check.Legacy([]string{"Expected", "ConditionalOperator"}, none))
	requireMessage(t, "Can not use both expression and non-expression parameters in the same request: "+
		"Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}", check.Legacy([]string{"Expected"}, none, some))
}
