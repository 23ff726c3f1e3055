package clause

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// Replaced returns clauses with replaced values of states.
func Replaced(clauses []Clause, value func(types.AttributeValue) types.AttributeValue) []Clause {
	own := make([]Clause, len(clauses))
	for i, c := range clauses {
		own[i] = c
		own[i].Pred = replaced(c.Pred, value)
	}
	return own
}

func replaced(p Pred, value func(types.AttributeValue) types.AttributeValue) Pred {
	switch p := p.(type) {
	case *State:
		own := *p
		own.Values = replacedAll(p.Values, value)
		return &own
	case Test:
		p.Values = replacedAll(p.Values, value)
		return p
	case Or:
		own := make(Or, len(p))
		for i := range p {
			own[i] = replaced(p[i], value)
		}
		return own
	default:
		return p
	}
}

func replacedAll(list []types.AttributeValue, value func(types.AttributeValue) types.AttributeValue) []types.AttributeValue {
	own := make([]types.AttributeValue, len(list))
	for i, av := range list {
		own[i] = value(av)
	}
	return own
}
