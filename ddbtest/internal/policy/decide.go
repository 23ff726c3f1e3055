package policy

import "strings"

// Access is what a request needs a permission for: one action on one resource.
type Access struct {
	Action   string              // such as "dynamodb:GetItem"
	Resource string              // an ARN, or "*"
	Keys     map[string][]string // the values of condition keys, by the constants of this package
}

// The condition keys of DynamoDB, in lower case: the case of a condition key does not count.
const (
	LeadingKeys            = "dynamodb:leadingkeys"
	FirstPartition         = "dynamodb:firstpartitionkeyvalues"
	SecondPartition        = "dynamodb:secondpartitionkeyvalues"
	ThirdPartition         = "dynamodb:thirdpartitionkeyvalues"
	FourthPartition        = "dynamodb:fourthpartitionkeyvalues"
	Attributes             = "dynamodb:attributes"
	Select                 = "dynamodb:select"
	ReturnValues           = "dynamodb:returnvalues"
	ReturnConsumedCapacity = "dynamodb:returnconsumedcapacity"
	EnclosingOperation     = "dynamodb:enclosingoperation"
	FullTableScan          = "dynamodb:fulltablescan"
)

// contextKeys lists the condition keys, and whether they have several values.
var contextKeys = map[string]bool{
	LeadingKeys: true, FirstPartition: true, SecondPartition: true, ThirdPartition: true, FourthPartition: true,
	Attributes: true, Select: false, ReturnValues: false, ReturnConsumedCapacity: false,
	EnclosingOperation: false, FullTableScan: false,
}

// Decision is the result for one access.
type Decision uint8

// The decisions.
const (
	NotAllowed Decision = iota // no statement allows it
	Denied                     // a statement denies it
	Allowed
)

// Decide returns the decision for an access. A statement that denies it overrides all others.
func (d *Document) Decide(a *Access) Decision {
	result := NotAllowed
	for i := range d.statements {
		switch s := &d.statements[i]; {
		case !s.applies(a):
		case s.deny:
			return Denied
		default:
			result = Allowed
		}
	}
	return result
}

// applies reports whether the statement is about the access.
func (s *statement) applies(a *Access) bool {
	if anyMatches(s.actions, strings.ToLower(a.Action)) == s.notActions ||
		anyMatches(s.resources, a.Resource) == s.notResources {
		return false
	}
	for i := range s.conditions {
		if !s.conditions[i].holds(a) {
			return false
		}
	}
	return true
}
