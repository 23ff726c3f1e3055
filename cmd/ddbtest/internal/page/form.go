package page

import (
	"net/url"
	"slices"
	"strings"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
)

// typed is a form that was sent, and what is wrong with it.
type typed struct {
	values   url.Values
	problems []strict.Problem
}

// form is a form to show.
type form struct {
	Fields   []field
	Problems []shownProblem // all of them, for the summary above the fields
}

// shownProblem is a problem in the summary of a form.
type shownProblem struct {
	Text string
	ID   string // of its field; "" if it is about the whole form
}

// field is a field of a form.
type field struct {
	ID, Name, Label string
	Hint            string
	Value           string
	Problem         string   // shown beside the field
	Class           string   // of its element
	Numeric         bool     // phones show keys for numbers
	List            string   // the ID of a list of suggestions
	Options         []option // if it is a choice
}

// option is a value of a choice.
type option struct {
	Value, Text string
	Selected    bool
}

// newForm returns a form. It fills the fields with what was typed, and sets their problems. The
// IDs of its elements begin with its name, because a page has several forms.
func newForm(name string, t *typed, fields []field) form {
	f := form{Fields: fields}
	for i := range f.Fields {
		field := &f.Fields[i]
		field.ID = name + "-" + field.Name
		field.Value = t.value(field.Name)
		for j := range field.Options {
			field.Options[j].Selected = field.Options[j].Value == field.Value
		}
		field.Problem = t.problem(field.Name)
		if field.Problem != "" {
			f.Problems = append(f.Problems, shownProblem{field.Label + ": " + field.Problem, field.ID})
		}
	}
	if t == nil {
		return f
	}
	for _, p := range t.problems {
		if !slices.ContainsFunc(f.Fields, func(field field) bool { return field.Name == p.Field }) {
			f.Problems = append(f.Problems, shownProblem{Text: p.String()})
		}
	}
	return f
}

// value returns what was typed into a field.
func (t *typed) value(field string) string {
	if t == nil {
		return ""
	}
	return t.values.Get(field)
}

// problem returns the problems of a field as one text.
func (t *typed) problem(field string) string {
	if t == nil {
		return ""
	}
	var texts []string
	for _, p := range t.problems {
		if p.Field == field {
			p.Field = ""
			texts = append(texts, p.String())
		}
	}
	return strings.Join(texts, "; ")
}

// optionsOf returns options whose texts are their values.
func optionsOf(values ...string) []option {
	options := make([]option, len(values))
	for i, v := range values {
		options[i] = option{Value: v, Text: v}
	}
	return options
}
