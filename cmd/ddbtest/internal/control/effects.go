package control

import (
	"reflect"
	"slices"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
	"github.com/trestledb/trestle/ddbtest"
)

// Effect is what a rule does to a request. Its other members depend on its name.
type Effect struct {
	Effect      string   `json:"effect"` // such as "Reset"
	AfterCommit *bool    `json:"afterCommit,omitempty"`
	Duration    *string  `json:"duration,omitempty" example:"\"2s\""`
	Limits      []string `json:"limits,omitempty"`
	Code        *string  `json:"code,omitempty"`
	Message     *string  `json:"message,omitempty"`
	Status      *int     `json:"status,omitempty"`
	Action      *int     `json:"action,omitempty"`
	Reason      *string  `json:"reason,omitempty"`
	Count       *int     `json:"count,omitempty"`
	Probability *float64 `json:"probability,omitempty"`
}

// effectKind describes an effect: its members, of which some are optional, and how it is made of
// them.
type effectKind struct {
	required, optional []string
	make               func(*Effect) ddbtest.Effect
}

// faults are the effects without members.
var faults = []ddbtest.Fault{
	ddbtest.Reset, ddbtest.Refused, ddbtest.Hang, ddbtest.InternalError, ddbtest.Unavailable, ddbtest.Truncate, ddbtest.WrongChecksum,
	ddbtest.InvalidJSON, ddbtest.LateDuplicate, ddbtest.LateDuplicateAfterWrite, ddbtest.Conflict, ddbtest.ReplicatedWriteConflict,
	ddbtest.InProgress, ddbtest.CollectionFull, ddbtest.EmptyPage, ddbtest.ExpiredIterator, ddbtest.TrimmedData,
}

// effectKinds are all effects.
var effectKinds = func() map[string]effectKind {
	kinds := map[string]effectKind{
		"Delay": {required: []string{"duration"}, make: func(e *Effect) ddbtest.Effect {
			d, _ := duration("", *e.Duration) // checked before
			return ddbtest.Delay(d)
		}},
		"Throttle": {optional: []string{"limits"}, make: func(e *Effect) ddbtest.Effect { return ddbtest.Throttle(e.Limits...) }},
		"Error": {required: []string{"code", "status"}, optional: []string{"message"}, make: func(e *Effect) ddbtest.Effect {
			message := ""
			if e.Message != nil {
				message = *e.Message
			}
			return ddbtest.Error(*e.Code, message, *e.Status)
		}},
		"Cancel": {required: []string{"action", "reason"}, make: func(e *Effect) ddbtest.Effect {
			return ddbtest.Cancel(*e.Action, *e.Reason)
		}},
		"Unprocessed":     {required: []string{"count"}, make: func(e *Effect) ddbtest.Effect { return ddbtest.Unprocessed(*e.Count) }},
		"UnprocessedRate": {required: []string{"probability"}, make: func(e *Effect) ddbtest.Effect { return ddbtest.UnprocessedRate(*e.Probability) }},
		"CutPage":         {required: []string{"count"}, make: func(e *Effect) ddbtest.Effect { return ddbtest.CutPage(*e.Count) }},
	}
	for _, f := range faults {
		kinds[f.String()] = effectKind{make: func(*Effect) ddbtest.Effect { return f }}
	}
	return kinds
}()

// part returns the effect, which was checked before, with the member that may be wrong.
func (e *Effect) part(field string) part {
	kind := effectKinds[e.Effect]
	effect := kind.make(e)
	if e.AfterCommit != nil && *e.AfterCommit {
		return part{field + ".afterCommit", ddbtest.AfterCommit(effect)}
	}
	if members := slices.Concat(kind.required, kind.optional); len(members) == 1 {
		field += "." + members[0]
	}
	return part{field, effect}
}

// check returns what is wrong with the members of the effect.
func (e *Effect) check(field string) []strict.Problem {
	kind, ok := effectKinds[e.Effect]
	if !ok {
		return []strict.Problem{{Field: field + ".effect", Message: "unknown effect", Cure: strict.Nearest(e.Effect, sortedKeys(effectKinds))}}
	}
	var problems []strict.Problem
	present := e.members()
	for _, name := range kind.required {
		if !slices.Contains(present, name) {
			problems = append(problems, strict.Problem{Field: field + "." + name, Message: "is required for " + e.Effect})
		}
	}
	for _, name := range present {
		if !slices.Contains(kind.required, name) && !slices.Contains(kind.optional, name) {
			problems = append(problems, strict.Problem{Field: field + "." + name, Message: e.Effect + " does not have it", Cure: "remove it"})
		}
	}
	if e.Duration != nil {
		_, p := duration(field+".duration", *e.Duration)
		problems = append(problems, p...)
	}
	return problems
}

// members returns the names of the members that are present, except those that every effect has.
func (e *Effect) members() (names []string) {
	v := reflect.ValueOf(e).Elem()
	for i, f := range strict.Fields(v.Type()) {
		if f.Name != "effect" && f.Name != "afterCommit" && !v.Field(i).IsNil() {
			names = append(names, f.Name)
		}
	}
	return names
}
