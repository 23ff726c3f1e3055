package define

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/keysyntax"
	"github.com/trestledb/trestle/keys"
)

// typeKey is the key of a type on the table or on an index.
type typeKey struct {
	plan       *core.Plan
	key        core.Key
	shared     bool
	undeclared bool      // on an undeclared index, because items have its key attributes as fields
	ofTable    bool      // the key of the table
	label      string    // the declaration
	prefixes   [2]string // the literal prefixes of all partition keys and all sort keys
}

// overlaps reports the pairs of types whose keys can clash, on the table and on each index.
func overlaps(s *core.Schema) []Issue {
	table := make([]typeKey, 0, len(s.Plans))
	for _, p := range s.Plans {
		if len(p.Table.Partition) > 0 && (len(p.Table.Sort) > 0 || s.Sort.Name == "") {
			key := newTypeKey(p, p.Table, p.Shared, "table key")
			key.ofTable = true
			table = append(table, key)
		}
	}
	met := map[[2]*core.Plan]bool{} // the pairs of types whose items can clash on the table
	issues := clashes(table, met, true)
	for _, x := range s.Indexes {
		issues = append(issues, clashes(keysOn(s, x), met, tableKeyOnly(s, x))...)
	}
	return issues
}

// tableKeyOnly reports whether the index's key consists only of the table's key attributes. Types
// that clash on the table then clash on the index too.
func tableKeyOnly(s *core.Schema, x *core.Index) bool {
	beyond := func(a core.Attribute) bool { return !s.InTableKey(a.Name) }
	return !slices.ContainsFunc(x.Partition, beyond) && !slices.ContainsFunc(x.Sort, beyond)
}

// keysOn returns the types whose items can be on an index. All types share the keys of the tenant
// index.
func keysOn(s *core.Schema, x *core.Index) []typeKey {
	var places []typeKey
	for _, p := range s.Plans {
		for _, k := range p.Indexes {
			switch {
			case k.Index != x:
			case k.Access != nil:
				places = append(places, newTypeKey(p, k.Key, k.Access.Shared, "access pattern "+k.Access.Name+" on "+x.Name))
			default:
				made := newTypeKey(p, k.Key, x == s.TenantIndex, "index "+x.Name+", not declared")
				made.undeclared = true
				places = append(places, made)
			}
		}
	}
	return places
}

func newTypeKey(p *core.Plan, key core.Key, shared bool, label string) typeKey {
	made := typeKey{plan: p, key: key, shared: shared, label: label}
	made.prefixes[partition] = prefix(key.Partition[0])
	if len(key.Sort) > 0 {
		made.prefixes[sort] = prefix(key.Sort[0])
	}
	return made
}

// prefix returns the literal prefix of all keys of an attribute. It limits what queries of the type
// read.
func prefix(k *core.KeyAttr) string {
	text, _ := k.Template.Prefix() // fails only for a whole key
	return text
}

// clashes checks every pair of types. It skips two types that both have shared:"yes": the type
// attribute identifies the type, or the table's key does on an index. Other checks report sharing
// without either. A type that clashes with several types has one issue. A clash on the table is not
// reported again for an index with the same key attributes.
func clashes(places []typeKey, met map[[2]*core.Plan]bool, ofTable bool) []Issue {
	var issues []Issue
	for j, b := range places {
		var others []string
		for _, a := range places[:j] {
			if sameType(a.plan, b.plan) || a.shared && b.shared || !canClash(a, b) || ofTable && met[[2]*core.Plan{a.plan, b.plan}] {
				continue
			}
			clash, found := overlap(a, b)
			switch {
			case !found:
			case others == nil:
				issues = append(issues, clashIssue(a, b, clash))
				fallthrough
			default:
				others = append(others, a.plan.Name)
				if ofTable {
					met[[2]*core.Plan{a.plan, b.plan}] = true
				}
			}
		}
		if len(others) > 1 {
			issues[len(issues)-1].Reason += "; so can " + joinWords(others[1:])
		}
	}
	return issues
}

// sameType reports whether a and b define the same type twice. Validate reports this separately.
func sameType(a, b *core.Plan) bool { return a.Type == b.Type && a.Name == b.Name }

// canClash reports whether the literal prefixes of two keys permit a clash. This cheap check
// excludes most pairs.
func canClash(a, b typeKey) bool {
	return compatible(a.prefixes[partition], b.prefixes[partition]) && compatible(a.prefixes[sort], b.prefixes[sort])
}

func compatible(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) }

// overlap reports whether two keys can clash. All partition key attributes must be able to be
// equal. Sort key attributes after the first are ignored, because the widest query reads all their
// values.
func overlap(a, b typeKey) (keyspace.Overlap, bool) {
	for i := 1; i < len(a.key.Partition); i++ {
		if _, meet := keyspace.FindOverlap(keyspace.CompositeKey{Partition: a.key.Partition[i].Template.Space()}, keyspace.CompositeKey{Partition: b.key.Partition[i].Template.Space()}); !meet {
			return keyspace.Overlap{}, false
		}
	}
	ofA, ofB := pair(a.key), pair(b.key)
	if a.sortsByTenant() && b.sortsByTenant() {
		ofA.Sort, ofB.Sort = ofOneTenant(a.plan, a.key.Sort[0]), ofOneTenant(b.plan, b.key.Sort[0])
	}
	return keyspace.FindOverlap(ofA, ofB)
}

func pair(k core.Key) keyspace.CompositeKey {
	p := keyspace.CompositeKey{Partition: k.Partition[0].Template.Space()}
	if len(k.Sort) > 0 {
		p.Sort = k.Sort[0].Template.Space()
	}
	return p
}

// sortsByTenant reports whether both keys of a type start with its tenant. All sort keys of a
// partition then have the same tenant, and so have the bounds of queries.
func (k typeKey) sortsByTenant() bool {
	t := k.plan.Tenant
	return t != nil && len(k.key.Sort) > 0 && startsWithTenant(k.key.Partition[0], t) && startsWithTenant(k.key.Sort[0], t)
}

// ofOneTenant returns the sort keys of one tenant.
func ofOneTenant(p *core.Plan, a *core.KeyAttr) *keyspace.Space {
	text := a.Template.String()
	first := keysyntax.Placeholders(text)[0]
	text = text[:first.Offset] + "t" + text[first.Offset+len(first.Text):]
	made, err := keys.Compile(text, keys.Options{
		Type: a.Type, Delimiter: p.Schema.Delimiter, Raw: p.Schema.Raw, Formats: p.Schema.Formats,
		Kind: func(name string) (keys.Kind, bool) {
			f := p.Shape.ByName(name)
			if f == nil {
				return 0, false
			}
			return f.KeyKind()
		},
	})
	if err != nil {
		return a.Template.Space()
	}
	return made.Space()
}

func clashIssue(a, b typeKey, clash keyspace.Overlap) Issue {
	reason := fmt.Sprintf("an item of %s and one of %s can have the same key", a.plan.Name, b.plan.Name)
	switch {
	case clash.Kind == keyspace.InRange && clash.QueryOfB:
		reason = fmt.Sprintf("a query of %s can read items of %s", b.plan.Name, a.plan.Name)
	case clash.Kind == keyspace.InRange:
		reason = fmt.Sprintf("a query of %s can read items of %s", a.plan.Name, b.plan.Name)
	}
	hint := "begin one of the templates with a different literal; if the types are meant to share keys, write shared:\"yes\" on both"
	untyped := b.ofTable && b.plan.Schema.TypeAttr == ""
	switch {
	case untyped:
		hint = "begin one of the templates with a different literal, or define one type for the items of both; shared:\"yes\" needs a type attribute, and each stored item must have it"
	case a.shared || b.shared:
		with, without := a, b
		if b.shared {
			with, without = b, a
		}
		reason += fmt.Sprintf("; %s has shared:\"yes\", but %s does not", with.plan.Name, without.plan.Name)
		hint = "write shared:\"yes\" on both if the types are meant to share keys"
	case a.undeclared || b.undeclared:
		hint = "a type is on an index if its items have all its key attributes; rename a field, or declare the index with shared:\"yes\" on both"
	}
	return typeIssue(b.plan, b.label, "", examples(a, b, clash), reason, hint)
}

// examples returns the templates of both types with an example key for each.
func examples(a, b typeKey, clash keyspace.Overlap) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, row := range []struct {
		typeKey
		sort string
	}{{a, clash.KeyA}, {b, clash.KeyB}} {
		fmt.Fprint(w, row.plan.Name)
		for k := range row.key.Attributes() {
			fmt.Fprintf(w, "\t%s %s", k.Name, k.Template)
		}
		fmt.Fprintf(w, "\tsuch as %s", exampleText(row.key.Partition[0], clash.PartitionKey))
		if len(row.key.Sort) > 0 {
			fmt.Fprintf(w, ", %s", exampleText(row.key.Sort[0], row.sort))
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush() // a strings.Builder never fails
	return text.String()
}

// exampleText returns an example key, quoted if it is text.
func exampleText(k *core.KeyAttr, key string) string {
	if k.Type == keys.S {
		return fmt.Sprintf("%q", key)
	}
	return key
}
