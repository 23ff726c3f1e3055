package legacy

import (
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// Parameter is a member of a request, and whether the request has it. A map without entries counts
// as given.
type Parameter struct {
	Name  string
	Given bool
}

// KeyConditions is the name of the only legacy parameter that may be together with expressions.
const KeyConditions = "KeyConditions"

// CheckTogether rejects a request that has legacy parameters and expressions. KeyConditions may be
// together with other expressions than KeyConditionExpression. The error message lists the members
// in the order of the arguments.
func CheckTogether(parameters, expressions []Parameter) error {
	given := names(expressions)
	if given == nil {
		return nil
	}
	legacy := names(parameters)
	if len(legacy) > 0 && legacy[len(legacy)-1] == KeyConditions && given[len(given)-1] != "KeyConditionExpression" {
		legacy = legacy[:len(legacy)-1]
	}
	if len(legacy) == 0 {
		return nil
	}
	return awserr.Validation("Can not use both expression and non-expression parameters in the same request: "+
		"Non-expression parameters: {%s} Expression parameters: {%s}", strings.Join(legacy, ", "), strings.Join(given, ", "))
}

// names returns the names of the given parameters.
func names(parameters []Parameter) []string {
	var given []string
	for _, p := range parameters {
		if p.Given {
			given = append(given, p.Name)
		}
	}
	return given
}

// checkOperator rejects a ConditionalOperator without at least two conditions.
func checkOperator(operator string, conditions int) error {
	switch {
	case operator == "" || conditions > 1:
		return nil
	case conditions == 1:
		return awserr.Validation("ConditionalOperator can only be used when Filter or Expected has two or more elements")
	default:
		return awserr.Validation("ConditionalOperator cannot be used without Filter or Expected")
	}
}
