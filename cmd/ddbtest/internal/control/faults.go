package control

import (
	"encoding/json"
	"net/http"

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
	For   *string  `json:"for,omitempty"`

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

// options returns the options of the rule, and what is wrong with them.
func (f *Fault) options() (options []ddbtest.RuleOption, problems []strict.Problem) {
	if f.Operations != nil {
		options = append(options, ddbtest.Op(f.Operations...))
	}
	add(&options, f.Table, ddbtest.OnTable)
	add(&options, f.Index, ddbtest.OnIndex)
	add(&options, f.Nth, ddbtest.Nth)
	add(&options, f.Every, ddbtest.Every)
	add(&options, f.First, ddbtest.First)
	add(&options, f.Times, ddbtest.Times)
	add(&options, f.Rate, ddbtest.Rate)
	if f.Key != nil {
		key, err := fixture.ParseItem(f.Key)
		if err != nil {
			problems = append(problems, strict.Problem{Field: "key", Message: err.Error(), Cure: `write the key as {"id":{"S":"a"}}`})
		} else {
			options = append(options, ddbtest.OnKey(key))
		}
	}
	if f.For != nil {
		d, p := duration("for", *f.For)
		if problems = append(problems, p...); len(p) == 0 {
			options = append(options, ddbtest.For(d))
		}
	}
	return options, problems
}

// add adds an option if its value is present.
func add[T any](options *[]ddbtest.RuleOption, value *T, option func(T) ddbtest.RuleOption) {
	if value != nil {
		*options = append(*options, option(*value))
	}
}

// validate implements [validator].
func (f *Fault) validate(c *call) []strict.Problem {
	options, problems := f.options()
	effects, p := effectsOf(f.Effects)
	problems = append(problems, p...)
	if len(f.Effects) > 0 && len(effects) == 0 { // check the options with any effect
		effects = append(effects, ddbtest.Reset)
	}
	return append(problems, problemsOf(c.db.DB.CheckRule(append(options, effects...)...))...)
}

func addFault(c *call, f *Fault) (FaultState, error) {
	options, _ := f.options()
	effects, _ := effectsOf(f.Effects)
	rule := databases.Rule{Rule: c.db.DB.Fail(append(options, effects...)...), Source: f}
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
