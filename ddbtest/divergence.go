package ddbtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Error reports where the replies differ. It contains no value of them.
func (d *Divergence) Error() string {
	where := fmt.Sprintf("ddbtest: line %d of the log: another reply to %s", d.Line, d.Operation)
	want, got := outcomeOf(d.Want), outcomeOf(d.Got)
	if want.title != got.title {
		return fmt.Sprintf("%s: want %s, got %s", where, want.title, got.title)
	}
	return where + ": they differ" + place(want.body, got.body)
}

// outcome is a reply in the form that a divergence reports.
type outcome struct {
	title string // the status, with the code of an error
	body  any
}

func outcomeOf(reply string) outcome {
	status, body, _ := strings.Cut(reply, " ")
	o := outcome{title: status}
	_ = json.Unmarshal([]byte(body), &o.body)
	if fields, ok := o.body.(map[string]any); ok {
		if code, ok := fields["__type"].(string); ok {
			_, code, _ = strings.Cut("#"+code, "#")
			o.title += " " + code[strings.LastIndex(code, "#")+1:]
		}
	}
	return o
}

// place returns the path at which two bodies begin to differ.
func place(want, got any) string {
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			for _, name := range sortedNames(w, g) {
				if !reflect.DeepEqual(w[name], g[name]) {
					return at(" at "+name, place(w[name], g[name]))
				}
			}
		}
	case []any:
		if g, ok := got.([]any); ok {
			for i := range min(len(w), len(g)) {
				if !reflect.DeepEqual(w[i], g[i]) {
					return at(fmt.Sprintf(" at [%d]", i), place(w[i], g[i]))
				}
			}
			return fmt.Sprintf(" in length: want %d, got %d", len(w), len(g))
		}
	}
	return ""
}

// at joins an outer and an inner path.
func at(outer, inner string) string {
	if rest, ok := strings.CutPrefix(inner, " at "); ok {
		if !strings.HasPrefix(rest, "[") {
			outer += "."
		}
		return outer + rest
	}
	return outer + inner
}

func sortedNames(a, b map[string]any) []string {
	names := map[string]bool{}
	for name := range a {
		names[name] = true
	}
	for name := range b {
		names[name] = true
	}
	return slices.Sorted(maps.Keys(names))
}
