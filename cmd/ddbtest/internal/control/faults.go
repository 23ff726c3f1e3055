package control

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/fixture"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
	"github.com/trestledb/trestle/ddbtest"
)

var faultRoutes = []Route{
	read("/faults", listFaults),
	send(http.MethodPost, "/faults", addFault),
	do(http.MethodDelete, "/faults", clearFaults),
	read("/faults/{id}", getFault),
	act("/faults/{id}/check", checkFault),
	do(http.MethodDelete, "/faults/{id}", removeFault),
}

// Fault is a rule: it selects requests, limits how often it acts, and has effects. The members are
// the options of package ddbtest, except Matching, which is a Go function.
type Fault struct {
	Operations []string        `json:"operations,omitempty"`
	Table      *string         `json:"table,omitempty"`
	Index      *string         `json:"index,omitempty"`
	Key        json.RawMessage `json:"key,omitempty"` // attributes in DynamoDB JSON

	Nth   *int     `json:"nth,omitempty"`
	Every *int     `json:"every,omitempty"`
	First *int     `json:"first,omitempty"`
	Times *int     `json:"times,omitempty"`
	Rate  *float64 `json:"rate,omitempty"`
	For   *string  `json:"for,omitempty" example:"\"2s\""`

	Effects []Effect `json:"effects"`
}

// FaultState is a rule that was added.
type FaultState struct {
	ID    int    `json:"id"`
	Hits  int    `json:"hits"` // how often it acted
	Text  string `json:"text"` // as source text of Go, without values
	Fault *Fault `json:"fault"`
}

// FaultList has the rules in the order in which they are evaluated.
type FaultList struct {
	Faults []FaultState `json:"faults"`
}

// part is an option of a rule with the member that it comes from.
type part struct {
	field  string
	option ddbtest.RuleOption
}

// parts returns the valid options and effects of the rule, and what is wrong with the others.
func (f *Fault) parts() (parts []part, problems []strict.Problem) {
	if f.Operations != nil {
		parts = append(parts, part{"operations", ddbtest.Op(f.Operations...)})
	}
	add(&parts, "table", f.Table, ddbtest.OnTable)
	add(&parts, "index", f.Index, ddbtest.OnIndex)
	add(&parts, "nth", f.Nth, ddbtest.Nth)
	add(&parts, "every", f.Every, ddbtest.Every)
	add(&parts, "first", f.First, ddbtest.First)
	add(&parts, "times", f.Times, ddbtest.Times)
	add(&parts, "rate", f.Rate, ddbtest.Rate)
	if f.Key != nil {
		key, err := fixture.ParseItem(f.Key)
		if err != nil {
			problems = append(problems, strict.Problem{Field: "key", Message: err.Error(), Cure: `write the key as {"id":{"S":"a"}}`})
		} else {
			parts = append(parts, part{"key", ddbtest.OnKey(key)})
		}
	}
	if f.For != nil {
		d, p := duration("for", *f.For)
		if problems = append(problems, p...); len(p) == 0 {
			parts = append(parts, part{"for", ddbtest.For(d)})
		}
	}
	for i := range f.Effects {
		field := fmt.Sprintf("effects[%d]", i)
		p := f.Effects[i].check(field)
		if problems = append(problems, p...); len(p) == 0 {
			parts = append(parts, f.Effects[i].part(field))
		}
	}
	return parts, problems
}

// add adds an option if its value is present.
func add[T any](parts *[]part, field string, value *T, option func(T) ddbtest.RuleOption) {
	if value != nil {
		*parts = append(*parts, part{field, option(*value)})
	}
}

func optionsOf(parts []part) []ddbtest.RuleOption {
	options := make([]ddbtest.RuleOption, len(parts))
	for i, p := range parts {
		options[i] = p.option
	}
	return options
}

// validate implements [validator].
func (f *Fault) validate(c *call) []strict.Problem {
	parts, problems := f.parts()
	options := optionsOf(parts)
	if f.Effects != nil && len(f.Effects) == 0 {
		problems = append(problems, strict.Problem{Field: "effects", Message: "a rule has at least one effect", Cure: `add one, such as {"effect":"Reset"}`})
	}
	if len(options) == 0 || !isEffect(options[len(options)-1]) { // check the options with any effect
		options = append(options, ddbtest.Reset)
	}
	for _, p := range problemsOf(c.db.DB.CheckRule(options...)) {
		problems = append(problems, locate(c.db.DB, f, parts, p.Message))
	}
	return problems
}

func isEffect(option ddbtest.RuleOption) bool {
	_, ok := option.(ddbtest.Effect)
	return ok
}

// locate returns a problem of a rule with its field, if one part has it alone, and with the names
// of the endpoint.
func locate(db *ddbtest.DB, f *Fault, parts []part, message string) strict.Problem {
	for i, operation := range f.Operations {
		if p := operationProblem(db, operation); p != nil && p.raw == message {
			p.Field = fmt.Sprintf("operations[%d]", i)
			return p.Problem
		}
	}
	for _, p := range parts {
		if isFor(message, p.option) {
			located := problemOf(p.field, message)
			located.Cure = "name other operations, or omit it"
			return located
		}
		options := []ddbtest.RuleOption{p.option}
		if !isEffect(p.option) {
			options = append(options, ddbtest.Reset)
		}
		for _, alone := range problemsOf(db.CheckRule(options...)) {
			if alone.Message == message {
				return problemOf(p.field, strings.TrimPrefix(message, p.option.String()+": "))
			}
		}
	}
	return problemOf("", message)
}

// isFor reports whether a message is about an option or effect that is for other operations.
func isFor(message string, option ddbtest.RuleOption) bool {
	text := option.String()
	name, _, _ := strings.Cut(text, "(")
	return strings.HasPrefix(message, text+" is for ") || strings.HasPrefix(message, name+" is for ")
}

// problemOf returns a problem of a text of package ddbtest, with the names of the endpoint.
func problemOf(field, text string) strict.Problem {
	for _, advice := range []string{"did you mean ", "there are ", "the only one is "} {
		if message, names, ok := strings.Cut(text, ": "+advice); ok {
			return strict.Problem{Field: field, Message: inMembers(message), Cure: advice + names}
		}
	}
	return strict.Problem{Field: field, Message: inMembers(text)}
}

// unknownOperation is the problem of an operation, with the text of package ddbtest.
type unknownOperation struct {
	strict.Problem
	raw string
}

// operationProblem returns the problem of a name that no operation has, or nil.
func operationProblem(db *ddbtest.DB, name string) *unknownOperation {
	for _, p := range problemsOf(db.CheckRule(ddbtest.Op(name), ddbtest.Reset)) {
		return &unknownOperation{problemOf("", p.Message), p.Message}
	}
	return nil
}

func addFault(c *call, f *Fault) (FaultState, error) {
	parts, _ := f.parts()
	rule := databases.Rule{Rule: c.db.DB.Fail(optionsOf(parts)...), Source: f}
	return faultState(c.db.Rules.Add(rule), rule), nil
}

func faultState(id int, r databases.Rule) FaultState {
	source, _ := r.Source.(*Fault)
	return FaultState{ID: id, Hits: r.Hits(), Text: r.String(), Fault: source}
}

func listFaults(c *call) (FaultList, error) {
	list := FaultList{Faults: []FaultState{}}
	for _, id := range c.db.Rules.IDs() {
		if r, ok := c.db.Rules.Get(id); ok {
			list.Faults = append(list.Faults, faultState(id, r))
		}
	}
	return list, nil
}

func getFault(c *call) (FaultState, error) {
	id, r, err := numbered(c, &c.db.Rules, c.db.Rules.Get)
	if err != nil {
		return FaultState{}, err
	}
	return faultState(id, r), nil
}

// checkFault fails if a rule never acted.
func checkFault(c *call) (FaultState, error) {
	id, r, err := numbered(c, &c.db.Rules, c.db.Rules.Get)
	if err != nil {
		return FaultState{}, err
	}
	if err := r.CheckHit(); err != nil {
		p := problemOf("", err.Error())
		return FaultState{}, &Error{Status: http.StatusConflict, Problems: []strict.Problem{p}}
	}
	return faultState(id, r), nil
}

func removeFault(c *call) error {
	_, r, err := numbered(c, &c.db.Rules, c.db.Rules.Remove)
	if err != nil {
		return err
	}
	r.Remove()
	return nil
}

func clearFaults(c *call) error {
	for _, r := range c.db.Rules.Clear() {
		r.Remove()
	}
	return nil
}
