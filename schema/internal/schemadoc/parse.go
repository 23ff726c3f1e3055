package schemadoc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/internal/core"
)

// parser parses a description line by line.
type parser struct {
	d       Description
	version int
	entity  *Entity         // the current entity; nil before the first
	seen    map[string]bool // the lines so far, without their values
}

// Parse parses the text that Text returns. It returns an error if the text is not a complete
// description, because missing lines would look like things that never existed.
func Parse(text string) (*Description, error) {
	p := parser{d: Description{Formats: map[string]string{}}, seen: map[string]bool{}}
	number := 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		valid := p.line(line)
		switch {
		case p.version > version:
			return nil, fmt.Errorf("its version is %d, and this program reads version %d only", p.version, version)
		case !valid:
			return nil, fmt.Errorf("line %d is not valid, or is a duplicate", number)
		}
	}
	if p.d.Encoding == "" || p.d.Table == "" {
		return nil, errors.New("the line of the key encoding (keys) or of the table is missing")
	}
	return &p.d, nil
}

// line parses a line. It returns false if the line is invalid or a duplicate.
func (p *parser) line(line string) bool {
	keyword, rest, _ := strings.Cut(line, " ")
	name, value := cutWord(rest)
	switch {
	case rest == "":
		return false
	case p.version == 0: // the first line
		p.version, _ = strconv.Atoi(rest)
		return keyword == "description" && p.version > 0
	case keyword == "entity":
		p.entity = &Entity{Name: name, Keys: map[string]Key{}, Uniques: map[string]Key{}, Roles: map[string]string{}, Attributes: map[string]*Layout{}}
		p.d.Entities = append(p.d.Entities, p.entity)
		return p.first(keyword, name) && value == ""
	case p.entity != nil && keyword == "count": // a type can count in one attribute by several keys
		return p.first(p.entity.Name, keyword, rest) && p.count(name, value)
	case p.entity == nil:
		return p.tableLine(keyword, name, value, rest)
	default:
		return p.first(p.entity.Name, keyword, name) && p.entityLine(keyword, name, value)
	}
}

// first reports whether there was no such line before.
func (p *parser) first(words ...string) bool {
	line := fmt.Sprintf("%q", words)
	seen := p.seen[line]
	p.seen[line] = true
	return !seen
}

func (p *parser) tableLine(keyword, name, value, rest string) bool {
	d := &p.d
	switch keyword {
	case "keys":
		d.Encoding = rest
		return p.first(keyword) && name == "format"
	case "table":
		d.Table, d.TableKey = rest, attributeNames(rest)
		return p.first(keyword)
	case "type":
		d.TypeAttr, _ = cutWord(value)
		return p.first(keyword) && name == "in"
	case "time-to-live":
		d.TTL, _ = cutWord(value)
		return p.first(keyword) && name == "in"
	case "partitions":
		d.Recorded = true
		return p.first(keyword) && rest == "recorded"
	case "tenant-index":
		d.TenantIndex = rest
		return p.first(keyword)
	case "index":
		d.Indexes = append(d.Indexes, &Index{name, value, isLocal(value)})
		return p.first(keyword, name)
	case "format":
		kind, samples := cutWord(value)
		d.Formats[name+" "+kind] = samples
		return p.first(keyword, name, kind)
	}
	return false
}

// isLocal reports whether the text of an index names the kind of local indexes after its key.
func isLocal(text string) bool {
	for afterComma := false; text != ""; {
		if text[0] == '"' {
			_, text = cutWord(text)
		}
		var part string
		part, text, _ = strings.Cut(text, " ")
		if afterComma && strings.TrimSuffix(part, ",") == core.LocalLabel {
			return true
		}
		afterComma = strings.HasSuffix(part, ",")
	}
	return false
}

func (p *parser) entityLine(keyword, name, value string) (ok bool) {
	switch keyword {
	case "key":
		p.entity.Keys[name], ok = parseKey(value)
		return ok && value != ""
	case "access":
		return value != ""
	case "unique":
		p.entity.Uniques[name], ok = parseKey(value)
		return ok && value != ""
	case "role":
		p.entity.Roles[name], _ = cutWord(value)
		role, _ := core.RoleNamed(name)
		return (value == "") == role.NoAttribute
	case "lifetime":
		return value == "" && p.entity.parseLifetime(name)
	case "attribute":
		p.entity.Attributes[name], ok = parseLayout(value)
		return ok
	}
	return false
}

// count parses a count in a type.
func (p *parser) count(in, value string) bool {
	as, text := cutWord(value)
	p.entity.Counts = append(p.entity.Counts, Count{In: in, As: as, Text: text})
	return text != ""
}

// attributeNames returns the names in a list such as a:S b:N / c:S.
func attributeNames(list string) (names []string) {
	for list != "" {
		var name string
		if strings.HasPrefix(list, `"`) {
			name, list = cutWord(list)
			_, list, _ = strings.Cut(list, " ")
		} else {
			name, list, _ = strings.Cut(list, " ")
			name, _, _ = strings.Cut(name, ":")
		}
		if name != "/" {
			names = append(names, name)
		}
	}
	return names
}

// parseKey returns false if the shards of a key are not valid.
func parseKey(text string) (k Key, ok bool) {
	k = Key{Text: text, Type: defaultKeyType, Absent: map[string]string{}}
	rest := text
	if quoted, err := strconv.QuotedPrefix(text); err == nil && text[0] == '"' {
		k.Template, _ = strconv.Unquote(quoted)
		rest = text[len(quoted):]
	}
	rest, absent, _ := strings.Cut(rest, keyAbsent)
	for clause := range strings.SplitSeq(absent, " or ") {
		if name, value, found := strings.Cut(clause, " is "); found {
			k.Absent[name] = value
		}
	}
	rest, shards, sharded := strings.Cut(rest, keySharded)
	rest, attributeType, found := strings.Cut(rest, keyType)
	if found {
		k.Type = attributeType
	}
	rest, kinds, _ := strings.Cut(rest, keyKinds)
	k.Kinds = strings.Split(kinds, ", ")
	if k.Template == "" {
		k.Template = rest
	}
	ok = k.parseShards(shards, sharded)
	return k, ok
}
