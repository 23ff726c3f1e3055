package chart

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/internal/core"
)

// description is a parsed description of a schema.
type description struct {
	version  int               // the version of the description; 1 if it is absent
	keys     string            // how keys encode values
	table    string            // the table's key
	tableKey map[string]bool   // the attributes of the table's key
	typeAttr string            // empty: keys identify the types
	ttl      string            // empty: none
	formats  map[string]string // sample output of the custom formats, by name and kind
	indexes  map[string]string // by name
	entities map[string]*entity
	order    []string // the names of the entities, in order
	indexed  []string // the names of the indexes, in order
}

// entity is a type in the description: its key templates, the attributes of its roles, and the
// layouts of its attributes, by attribute name.
type entity struct {
	keys       map[string]string
	roles      map[string]string // by role; "" for the role rest
	attributes map[string]*layout
}

// parser parses a description line by line.
type parser struct {
	d    *description
	e    *entity // the current entity; nil before the first
	told map[string]bool
}

// parse returns an error if the text is not a complete description. Otherwise, missing lines would
// look like things that never existed.
func parse(text string) (*description, error) {
	p := parser{
		d:    &description{version: 1, tableKey: map[string]bool{}, formats: map[string]string{}, indexes: map[string]string{}, entities: map[string]*entity{}},
		told: map[string]bool{},
	}
	number, wrong := 0, 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSpace(line); line != "" && !p.line(line) {
			wrong = number
			break
		}
	}
	switch d := p.d; {
	case d.version > descriptionVersion:
		return nil, fmt.Errorf("it is of version %d, and version %d is the latest that this program reads", d.version, descriptionVersion)
	case wrong > 0:
		return nil, fmt.Errorf("line %d is none of a schema's description, or one too many", wrong)
	case d.keys == "" || d.table == "":
		return nil, fmt.Errorf("a schema's description tells how keys are written, and the table's key")
	case d.version == 1:
		d.inferTimes()
	}
	return p.d, nil
}

// line parses a line. It returns false if the line is invalid or a duplicate.
func (p *parser) line(line string) bool {
	kind, rest, _ := strings.Cut(line, " ")
	name, value := cutWord(rest)
	if rest == "" {
		return false
	}
	switch kind {
	case "entity":
		p.e = &entity{keys: map[string]string{}, roles: map[string]string{}, attributes: map[string]*layout{}}
		p.d.entities[name], p.d.order = p.e, append(p.d.order, name)
		return p.once(kind, name) && value == ""
	case "key", "access", "role", "attribute":
		return p.e != nil && p.once(fmt.Sprint(len(p.d.order), kind), name) && p.ofEntity(kind, name, value)
	default:
		return p.e == nil && p.ofTable(kind, name, value, rest)
	}
}

// once returns false for a duplicate.
func (p *parser) once(kind, name string) bool {
	thing := kind + " " + name
	defer func() { p.told[thing] = true }()
	return !p.told[thing]
}

func (p *parser) ofTable(kind, name, value, rest string) bool {
	d := p.d
	switch kind {
	case "description":
		var err error
		d.version, err = strconv.Atoi(name)
		return p.once(kind, "") && err == nil && d.version > 0 && value == "" && d.keys == ""
	case "keys":
		d.keys = rest
		return p.once(kind, "") && name == "format"
	case "table":
		d.table = rest
		d.setTableKey(rest)
		return p.once(kind, "")
	case "type":
		d.typeAttr, _ = cutWord(value)
		return p.once(kind, "") && name == "in"
	case "time-to-live":
		d.ttl, _ = cutWord(value)
		return p.once(kind, "") && name == "in"
	case "index":
		d.indexes[name], d.indexed = value, append(d.indexed, name)
		return p.once(kind, name)
	case "format":
		of, samples := cutWord(value)
		d.formats[name+" "+of] = samples
		return p.once(kind, name+" "+of)
	}
	return false
}

func (p *parser) ofEntity(kind, name, value string) (ok bool) {
	switch kind {
	case "key":
		p.e.keys[name] = value
	case "role":
		p.e.roles[name], _ = cutWord(value)
		role, _ := core.RoleNamed(name)
		return (value == "") == role.NoAttribute
	case "attribute":
		p.e.attributes[name], ok = parseLayout(value, p.d.version)
		return ok
	}
	return value != ""
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

// itself reports whether a key attribute is also an attribute of the type.
func (e *entity) itself(key string) bool { return e.attributes[key] != nil }

// inferTimes marks key attributes with a time format as times, for descriptions of version 1, which
// lack Go types.
func (d *description) inferTimes() {
	for _, e := range d.entities {
		for key, l := range e.attributes {
			template, found := strings.CutPrefix(e.keys[key], "<"+key+":")
			format, _, whole := strings.Cut(template, ">")
			if name, _, _ := strings.Cut(format, ","); found && whole && slices.Contains(timeFormats, name) {
				l.goType = goType{kind: kindTime, format: format}
			}
		}
	}
}
