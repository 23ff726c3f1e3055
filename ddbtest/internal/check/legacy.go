package check

import (
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// Legacy refuses the members of the API's older form, from before there were expressions: beside an expression in the service's words, else in
// our own, for they are not understood here. Expressions are the names of the request's members with expressions, each with whether it is there.
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
	return awserr.Validation("ddbtest does not understand the legacy parameters %s: use expressions", old)
}

// Unread refuses other members that are not understood here, for what they ask for would silently not be done.
func Unread(members []string) error {
	if len(members) == 0 {
		return nil
	}
	return awserr.Validation("ddbtest does not understand the parameters {%s}", strings.Join(members, ", "))
}

// Expression is a request's member that may hold an expression.
type Expression struct {
	Member string
	Text   *string
}
