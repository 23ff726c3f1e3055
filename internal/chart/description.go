package chart

import (
	"strings"
)

// description is a schema's text, taken apart. Whatever it does not know is left out of it.
type description struct {
	keys     string            // how values are written into keys
	table    string            // the table's key
	tableKey map[string]bool   // its attributes
	typeAttr string            // empty: types are told apart by their keys
	ttl      string            // empty: none
	indexes  map[string]string // by name
	entities map[string]*entity
	order    []string // of the entities
	indexed  []string // the order of the indexes
}

// entity is a type's part of the text: its key templates, and how its attributes are stored, by attribute name.
type entity struct{ keys, attributes map[string]string }

func parse(text string) *description {
	d := &description{tableKey: map[string]bool{}, indexes: map[string]string{}, entities: map[string]*entity{}}
	e := &entity{} // what stands before the first is nobody's
	for line := range strings.Lines(text) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		name, value := cutWord(rest)
		switch kind {
		case "keys":
			d.keys = rest
		case "table":
			d.table = rest
			d.setTableKey(rest)
		case "type":
			d.typeAttr, _ = cutWord(value)
		case "time-to-live":
			d.ttl, _ = cutWord(value)
		case "index":
			d.indexes[name], d.indexed = value, append(d.indexed, name)
		case "entity":
			e = &entity{keys: map[string]string{}, attributes: map[string]string{}}
			d.entities[name], d.order = e, append(d.order, name)
		case "key":
			set(e.keys, name, value)
		case "attribute":
			set(e.attributes, name, value)
		}
	}
	return d
}

func set(m map[string]string, name, value string) {
	if m != nil {
		m[name] = value
	}
}

func (d *description) setTableKey(rest string) {
	for rest != "" {
		var name string
		if strings.HasPrefix(rest, `"`) {
			name, rest = cutWord(rest)
			_, rest, _ = strings.Cut(rest, " ")
		} else {
			name, rest, _ = strings.Cut(rest, " ")
			name, _, _ = strings.Cut(name, ":")
		}
		d.tableKey[name] = name != "/"
	}
}

// itself reports whether a key attribute is an attribute that the type stores anyway: a template is not what writes it.
func (e *entity) itself(key string) bool {
	template, _, _ := strings.Cut(e.keys[key], " as ")
	_, stored := e.attributes[key]
	return stored && template == "<"+key+">"
}
