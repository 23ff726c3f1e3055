package query

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Queries hold keys and values, which must not appear in logs. Package fmt therefore prints only
// the type and the access pattern.

// Format prints the type and the access pattern, for every verb.
//
//go:noinline
func (q Query[T]) Format(s fmt.State, _ rune) { q.q.format(s, "query") }

// Format prints the type and the access pattern, for every verb.
//
//go:noinline
func (q Projected[P]) Format(s fmt.State, _ rune) { q.q.format(s, "query") }

// Format prints the type and the access pattern, for every verb.
func (c Collection) Format(s fmt.State, _ rune) { c.q.format(s, "collection") }

// Format prints the type and the access pattern, for every verb.
//
//go:noinline
func (s TableScan[R]) Format(f fmt.State, _ rune) { s.q.format(f, "scan") }

// Format prints the type, for every verb.
func (r ItemRef) Format(s fmt.State, _ rune) {
	name := ""
	if r.source.Plan != nil {
		name = r.source.Plan.Name
	}
	describe(s, "reference", name, "")
}

func (r *request) format(s fmt.State, what string) {
	name := ""
	if r.query.Plan != nil {
		name = r.query.Plan.Name
	}
	describe(s, what, name, r.query.Access)
}

func describe(s fmt.State, words ...string) {
	_, _ = io.WriteString(s, strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " "))
}
