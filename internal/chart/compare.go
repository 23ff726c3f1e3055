package chart

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Compare says what a change of a schema means for items that are stored already, from the texts of before and after: which of them must
// be written again, moved, or cannot be read any more. What only new items will show is none of it.
func Compare(before, after string) []string {
	old, now := parse(before), parse(after)
	var found []string
	for _, line := range old.top {
		if !now.has[line] {
			found = append(found, table(line, now.top))
		}
	}
	for _, name := range old.names {
		was, is := old.entities[name], now.entities[name]
		if is == nil {
			found = append(found, fmt.Sprintf("entity %s is gone: its stored items are of no known type; delete them, or keep the type", name))
			continue
		}
		found = append(found, entity(name, was, is, now)...)
	}
	return found
}

// described is a schema's text, taken apart.
type described struct {
	top      []string
	has      map[string]bool
	names    []string
	entities map[string]*parts
	table    map[string]bool // the table's own key attributes
}

// parts is an entity's text.
type parts struct{ keys, attributes map[string]string }

func parse(text string) described {
	d := described{has: map[string]bool{}, entities: map[string]*parts{}, table: map[string]bool{}}
	var p *parts
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		kind, rest, _ := strings.Cut(line, " ")
		name, value, _ := strings.Cut(rest, " ")
		switch {
		case line == "":
		case kind == "entity":
			p = &parts{keys: map[string]string{}, attributes: map[string]string{}}
			d.names, d.entities[rest] = append(d.names, rest), p
		case p == nil:
			d.top, d.has[line] = append(d.top, line), true
			if kind == "table" {
				d.tableKeys(rest)
			}
		case kind == "key":
			p.keys[name] = value
		case kind == "attribute":
			p.attributes[name] = value
		}
	}
	return d
}

func (d *described) tableKeys(rest string) {
	for _, part := range strings.Fields(rest) {
		if name, _, ok := strings.Cut(part, ":"); ok {
			d.table[name] = true
		}
	}
}

// table says what a changed line about the table means.
func table(line string, now []string) string {
	kind, rest, _ := strings.Cut(line, " ")
	name, _, _ := strings.Cut(rest, " ")
	is := ""
	for _, l := range now {
		if k, r, _ := strings.Cut(l, " "); k == kind && (kind != "index" || strings.HasPrefix(r, name+" ")) {
			is = l
		}
	}
	switch {
	case kind == "index" && is == "":
		return fmt.Sprintf("index %s is gone: delete it from the table", name)
	case kind == "index":
		return fmt.Sprintf("index %s has changed: make it anew, and write every item that is on it again (was %q)", name, line)
	case kind == "keys":
		return fmt.Sprintf("the format of keys has changed: every item is under another key, and must be moved (was %q)", line)
	case kind == "table":
		return fmt.Sprintf("the table's key has changed: a new table is needed, and every item must be moved there (was %q)", line)
	default:
		return fmt.Sprintf("the table has changed: stored items say %q", line)
	}
}

// entity says what changed keys and attributes of a type mean.
func entity(name string, was, is *parts, now described) []string {
	var found []string
	for _, key := range sorted(was.keys) {
		before, after := was.keys[key], is.keys[key]
		switch {
		case before == after:
		case now.table[key]:
			found = append(found, fmt.Sprintf("%s: the template of %s was %s and is %s: every stored %s is under another key, and must be moved", name, key, before, after, name))
		case after == "":
			found = append(found, fmt.Sprintf("%s: it has no %s any more: remove it from every stored %s, or these stay on the index", name, key, name))
		default:
			found = append(found, fmt.Sprintf("%s: the template of %s was %s and is %s: every stored %s must be re-indexed, by writing it again", name, key, before, after, name))
		}
	}
	for _, key := range sorted(is.keys) {
		if _, had := was.keys[key]; !had {
			found = append(found, fmt.Sprintf("%s: it has the key %s now: every stored %s must be re-indexed, by writing it again", name, key, name))
		}
	}
	for _, attribute := range sorted(was.attributes) {
		before, after := was.attributes[attribute], is.attributes[attribute]
		switch {
		case before == after:
		case after == "":
			found = append(found, fmt.Sprintf("%s: attribute %s is gone: stored items keep it until they are put again", name, attribute))
		default:
			found = append(found, fmt.Sprintf("%s: attribute %s was stored as %s and is stored as %s: stored items may not be readable", name, attribute, before, after))
		}
	}
	return found
}

func sorted(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
