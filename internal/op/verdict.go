package op

import (
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/errs"
)

// Judgement is the meaning of a failed conditional check.
type Judgement struct {
	Then     clause.Then // what it means for the operation
	Met      Item        // the item for which the check failed; nil for none, and for one that counts as none
	Expired  bool        // the item has expired
	Outdated bool        // the action was planned from another state of the item
	Kind     error       // the sentinel error
	Members  []int       // the members whose operation failed; nil: that of the action
	Reason   string      // a description that is more exact than the kind; empty: none
	Cure     string      // how to fix it, if the caller did not request the condition; empty: see the kind
}

// Judge returns the meaning of a failed conditional check of the action: that of the false clauses
// which decide. stored is the item for which it failed, or nil if there is none. There are further
// judgements if operations fail whose counts the action changes too.
func (a *Action) Judge(stored Item) []Judgement {
	met := a.Expiry.Alive(a.Plan, stored)
	j := Judgement{Met: met, Expired: stored != nil && met == nil, Outdated: clause.Outdated(a.Clauses, met), Kind: errs.Condition}
	deciding := clause.Deciding(a.Clauses, stored, met)
	if len(deciding) == 0 { // as for an action without clauses
		return []Judgement{j}
	}
	list := make([]Judgement, len(deciding))
	for i, c := range deciding {
		list[i] = j
		list[i].Then, list[i].Kind, list[i].Members, list[i].Reason, list[i].Cure = c.Then, c.Error(met), c.Members, c.Reason, c.Cure
	}
	return list
}
