package check

import (
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// Legacy rejects legacy parameters, the predecessors of expressions. If the request also has an
// expression, the error is the service's. Otherwise it is our own, because legacy parameters are
// not supported. Expressions are the request's members that may hold one.
func Legacy(legacy []string, expressions ...Expression) error {
	if len(legacy) == 0 {
		return nil
	}
	old := "{" + strings.Join(legacy, ", ") + "}"
	var given []string
	for _, e := range expressions {
		if e.Text != nil {
			given = append(given, e.Member)
		}
	}
	if len(given) > 0 {
		return awserr.Validation("Can not use both expression and non-expression parameters in the same request: "+
			"Non-expression parameters: %s Expression parameters: {%s}", old, strings.Join(given, ", "))
	}
	return awserr.Validation("ddbtest does not support the legacy parameters %s: use expressions", old)
}

// Unsupported rejects other members that are not supported, because they would be ignored silently.
func Unsupported(members []string) error {
	if len(members) == 0 {
		return nil
	}
	return awserr.Validation("ddbtest does not support the parameters {%s}", strings.Join(members, ", "))
}

// Expression is a member of a request that may hold an expression.
type Expression struct {
	Member string
	Text   *string
}
