package page

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/control"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
	"github.com/trestledb/trestle/ddbtest"
)

// ruleForm is the form for a new rule.
type ruleForm struct {
	form
	Operations       []operationGroup
	OperationProblem string
	Select           []field // which requests
	Limit            []field // how often
	Effect           field
	Members          []field // of effects
	AfterCommit      bool
	Tables, Indexes  []string // suggestions
	Open             bool     // it was sent, and shows problems
}

// operationGroup is a group of operations to choose from.
type operationGroup struct {
	Name       string
	Operations []option
	Chosen     bool // one of them
}

// The names of the fields, which are those of the control endpoint but for operations and effect.
const (
	fieldOperations  = "operations"
	fieldEffect      = "effect"
	fieldAfterCommit = "afterCommit"
)

var operationGroups = []struct {
	name       string
	operations []string
}{
	{"Items", []string{
		"GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan",
		"BatchGetItem", "BatchWriteItem", "TransactGetItems", "TransactWriteItems",
	}},
	{"PartiQL", []string{"ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction"}},
	{"Streams", []string{"ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"}},
	{"Tables", []string{
		"CreateTable", "DescribeTable", "UpdateTable", "DeleteTable", "ListTables",
		"UpdateTimeToLive", "DescribeTimeToLive", "TagResource", "UntagResource", "ListTagsOfResource",
		"UpdateContinuousBackups", "DescribeContinuousBackups", "DescribeLimits", "DescribeEndpoints",
		"ListBackups", "ListExports", "ListImports", "ListGlobalTables",
		"DescribeContributorInsights", "DescribeKinesisStreamingDestination",
	}},
}

// memberLabels are the labels of the members of effects.
var memberLabels = []struct{ name, label string }{
	{"duration", "Duration"}, {"limits", "Limits"}, {"code", "Error code"}, {"status", "HTTP status"}, {"message", "Message"},
	{"action", "Action"}, {"reason", "Reason"}, {"count", "Count"}, {"probability", "Probability"},
}

// memberHints say how some members are written.
var memberHints = map[string]string{
	"duration": `Such as "300ms" or "2s"`, "limits": "Names of exceeded limits, separated by spaces", "code": "Such as LimitExceededException",
	"action": "Its number in the transaction, from 0", "reason": "Such as ConditionalCheckFailed", "probability": "From 0 to 1",
}

// newRuleForm returns the form, with what was typed.
func newRuleForm(tables []tableRow, t *typed) ruleForm {
	selection := []field{
		{Name: "table", Label: "Table", Hint: "Empty for all tables", List: "rule-tables"},
		{Name: "index", Label: "Index", Hint: "Empty for tables and indexes", List: "rule-indexes"},
	}
	limits := []field{
		{Name: "first", Label: "The first", Hint: "requests", Numeric: true}, {Name: "nth", Label: "Only the n-th", Hint: "request", Numeric: true},
		{Name: "every", Label: "Every n-th", Hint: "request", Numeric: true}, {Name: "times", Label: "At most", Hint: "times", Numeric: true},
		{Name: "rate", Label: "With probability", Hint: "from 0 to 1", Numeric: true},
	}
	effects := control.Effects()
	names := make([]string, len(effects))
	for i, e := range effects {
		names[i] = e.Name
	}
	fields := slices.Concat(selection, limits, []field{{Name: fieldEffect, Label: "Effect", Options: optionsOf(names...)}}, memberFields(effects))
	r := ruleForm{form: newForm("rule", t, fields), Open: t != nil}
	first, second := len(selection), len(selection)+len(limits)
	r.Select, r.Limit = r.Fields[:first], r.Fields[first:second]
	r.Effect, r.Members = r.Fields[second], r.Fields[second+1:]
	var chosen []string
	if t != nil {
		r.OperationProblem = t.problem(fieldOperations)
		chosen, r.AfterCommit = t.values[fieldOperations], t.values.Get(fieldAfterCommit) != ""
	}
	for _, g := range operationGroups {
		group := operationGroup{Name: g.name, Operations: optionsOf(g.operations...)}
		for i := range group.Operations {
			group.Operations[i].Selected = slices.Contains(chosen, group.Operations[i].Value)
			group.Chosen = group.Chosen || group.Operations[i].Selected
		}
		r.Operations = append(r.Operations, group)
	}
	for i := range tables {
		r.Tables = append(r.Tables, tables[i].Name)
		for _, ix := range tables[i].Indexes {
			r.Indexes = append(r.Indexes, ix.Name)
		}
	}
	slices.Sort(r.Indexes)
	r.Indexes = slices.Compact(r.Indexes)
	return r
}

// memberFields returns the fields for the members of effects. The classes of a field are the
// effects that have it, so that the style sheet can hide it for others.
func memberFields(effects []control.EffectMembers) []field {
	fields := make([]field, len(memberLabels))
	for i, m := range memberLabels {
		var of, classes []string
		for _, e := range effects {
			switch {
			case slices.Contains(e.Required, m.name):
				of = append(of, e.Name)
			case slices.Contains(e.Optional, m.name):
				of = append(of, e.Name+" (optional)")
			default:
				continue
			}
			classes = append(classes, "of-"+e.Name)
		}
		fields[i] = field{
			Name: m.name, Label: m.label, Class: "member " + strings.Join(classes, " "), Numeric: m.name == "count" || m.name == "status" || m.name == "action",
			Hint: strings.TrimPrefix(memberHints[m.name]+". For "+strings.Join(of, ", "), ". "),
		}
	}
	return fields
}

// readRule reads the rule of the form. The fields that are empty are absent.
func readRule(values url.Values) (*control.Fault, []strict.Problem) {
	r := ruleReader{values: values}
	afterCommit := values.Get(fieldAfterCommit) != ""
	effect := control.Effect{
		Effect: values.Get(fieldEffect), Duration: r.text("duration"), Limits: r.list("limits"), Code: r.text("code"), Message: r.text("message"),
		Status: r.integer("status"), Action: r.integer("action"), Reason: r.text("reason"), Count: r.integer("count"), Probability: r.number("probability"),
	}
	if afterCommit {
		effect.AfterCommit = &afterCommit
	}
	fault := &control.Fault{
		Operations: values[fieldOperations], Table: r.text("table"), Index: r.text("index"),
		Nth: r.integer("nth"), Every: r.integer("every"), First: r.integer("first"), Times: r.integer("times"), Rate: r.number("rate"),
		Effects: []control.Effect{effect},
	}
	return fault, r.problems
}

// ruleReader reads fields and collects their problems.
type ruleReader struct {
	values   url.Values
	problems []strict.Problem
}

func (r *ruleReader) text(name string) *string { return orNil(strings.TrimSpace(r.values.Get(name))) }

// list returns a field with names that are separated by spaces or commas, or nil if it is empty.
func (r *ruleReader) list(name string) []string {
	text := r.text(name)
	if text == nil {
		return nil
	}
	return strings.FieldsFunc(*text, func(c rune) bool { return c == ' ' || c == ',' })
}

func (r *ruleReader) integer(name string) *int {
	return parsed(r, name, "is not an integer", strconv.Atoi)
}

func (r *ruleReader) number(name string) *float64 {
	return parsed(r, name, "is not a number", func(text string) (float64, error) { return strconv.ParseFloat(text, 64) })
}

// parsed returns a field, or nil if it is empty or invalid.
func parsed[T any](r *ruleReader, name, message string, parse func(string) (T, error)) *T {
	text := r.text(name)
	if text == nil {
		return nil
	}
	v, err := parse(*text)
	if err != nil {
		r.problems = append(r.problems, strict.Problem{Field: name, Message: message})
		return nil
	}
	return &v
}

// checkFields returns the problems that one field has by itself. It checks a rule with that field
// only.
func checkFields(db *databases.Database, f *control.Fault) []strict.Problem {
	var problems []strict.Problem
	check := func(field string, part control.Fault) {
		if part.Effects == nil {
			part.Effects = []control.Effect{{Effect: ddbtest.Reset.String()}}
		}
		for _, p := range control.CheckFault(db, &part) {
			if _, member, of := strings.Cut(p.Field, "]."); of { // as in effects[0].count
				p.Field = member
			} else {
				p.Field = field
			}
			problems = append(problems, p)
		}
	}
	check(fieldOperations, control.Fault{Operations: f.Operations})
	check("table", control.Fault{Table: f.Table})
	check("index", control.Fault{Index: f.Index})
	check("nth", control.Fault{Nth: f.Nth})
	check("every", control.Fault{Every: f.Every})
	check("first", control.Fault{First: f.First})
	check("times", control.Fault{Times: f.Times})
	check("rate", control.Fault{Rate: f.Rate})
	check(fieldEffect, control.Fault{Effects: f.Effects})
	return problems
}

// withoutFields appends problems to others, except those of fields that have one already: a number
// that cannot be read is not also missing.
func withoutFields(problems, others []strict.Problem) []strict.Problem {
	all := slices.Clone(others)
	for _, p := range problems {
		if !slices.ContainsFunc(others, func(other strict.Problem) bool { return other.Field == p.Field }) {
			all = append(all, p)
		}
	}
	return all
}
