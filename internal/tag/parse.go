package tag

import (
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Pair is one key:"value" of a struct tag.
type Pair struct {
	Key    string
	Value  string // unquoted
	Offset int    // of the key in the tag, in bytes
}

// Pairs are the pairs of one tag, in its order.
type Pairs []Pair

// Lookup returns the value of a key; false where the tag does not have it.
func (p Pairs) Lookup(key string) (string, bool) {
	for _, pair := range p {
		if pair.Key == key {
			return pair.Value, true
		}
	}
	return "", false
}

// Problem is a place where a tag breaks the convention of key:"value" pairs, separated by spaces.
type Problem struct {
	Offset int // in the tag, in bytes
	Reason string
	Hint   string // what would be right
}

// Parse takes a tag apart. It reads on after a problem where that makes sense; the pairs it could read are returned in any
// case, a repeated key only once.
func Parse(tag reflect.StructTag) (Pairs, []Problem) {
	p := parser{text: string(tag), pairs: make(Pairs, 0, 2)}
	for p.skipSpace(); p.pos < len(p.text); p.skipSpace() {
		if !p.pair() {
			break
		}
	}
	return p.pairs, p.problems
}

type parser struct {
	text     string
	pos      int
	pairs    Pairs
	problems []Problem
}

func (p *parser) problem(offset int, reason, hint string) bool {
	p.problems = append(p.problems, Problem{offset, reason, hint})
	return false
}

func (p *parser) skipSpace() {
	for p.pos < len(p.text) && p.text[p.pos] == ' ' {
		p.pos++
	}
}

// pair reads one pair; false where nothing sensible can follow.
func (p *parser) pair() bool {
	start := p.pos
	for p.pos < len(p.text) && isKeyByte(p.text[p.pos]) {
		p.pos++
	}
	key, rest := p.text[start:p.pos], p.text[p.pos:]
	switch {
	case key == "" && rest[0] == ',':
		p.pos++
		p.problem(start, "a comma between the pairs of a tag", "separate them by spaces")
		return true
	case key == "":
		return p.problem(start, "a key is expected here", `write key:"value"`)
	case strings.HasPrefix(rest, `:"`):
		p.pos++
	case strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(rest, ":"), " "), `"`):
		p.problem(start, "a colon, and nothing else, stands between "+key+" and its value", `write `+key+`:"value"`)
		p.pos += strings.IndexByte(rest, '"')
	case strings.HasPrefix(rest, ":"):
		return p.problem(start, "the value of "+key+" does not start with a quote right after the colon", `write `+key+`:"value"`)
	default:
		return p.problem(start, key+" has no value", `write `+key+`:"value"`)
	}
	value, ok := p.quoted(key)
	if !ok {
		return false
	}
	p.add(Pair{key, value, start})
	if p.pos < len(p.text) && p.text[p.pos] != ' ' && p.text[p.pos] != ',' {
		p.problem(p.pos, "no space before the next key", "separate the pairs of a tag by one space")
	}
	return true
}

// quoted reads a value in quotes.
func (p *parser) quoted(key string) (string, bool) {
	start := p.pos
	for p.pos++; p.pos < len(p.text) && p.text[p.pos] != '"'; p.pos++ {
		if p.text[p.pos] == '\\' {
			p.pos++
		}
	}
	if p.pos >= len(p.text) {
		return "", p.problem(start, "the value of "+key+" has no closing quote", `end it with "`)
	}
	p.pos++
	if plain := p.text[start+1 : p.pos-1]; !strings.ContainsAny(plain, "\\\n") && utf8.ValidString(plain) {
		return plain, true
	}
	value, err := strconv.Unquote(p.text[start:p.pos])
	if err != nil {
		return "", p.problem(start, "the value of "+key+" is not a Go string", `write a backslash as \\`)
	}
	return value, true
}

func (p *parser) add(pair Pair) {
	if _, again := p.pairs.Lookup(pair.Key); again {
		p.problem(pair.Offset, pair.Key+" is given twice, and only the first one counts", "leave one of them out")
		return
	}
	p.pairs = append(p.pairs, pair)
}

func isKeyByte(b byte) bool { return b > ' ' && b != ':' && b != '"' && b != ',' && b != 0x7f }
