// Package tag parses struct tags strictly. It reports what package reflect silently ignores, such
// as a missing quote or a repeated key, with its offset. It also suggests the intended spelling.
package tag

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Pair is one key:"value" of a struct tag.
type Pair struct {
	Key    string
	Value  string // unquoted
	Offset int    // of the key in the tag, in bytes
}

// Pairs are the pairs of one tag, in order.
type Pairs []Pair

// Lookup returns the value of a key. It returns false if the tag does not contain the key.
func (p Pairs) Lookup(key string) (string, bool) {
	for _, pair := range p {
		if pair.Key == key {
			return pair.Value, true
		}
	}
	return "", false
}

// Issue is a violation of the tag convention: key:"value" pairs that are separated by spaces.
type Issue struct {
	Offset int // in the tag, in bytes
	Reason string
	Hint   string // what is correct
}

// Parse splits a tag into pairs. Each mistake is one issue. After an issue it continues where it
// can recognize the next pair, and it returns the pairs that were probably meant. A repeated key is
// returned once.
func Parse(tag reflect.StructTag) (Pairs, []Issue) {
	p := parser{text: string(tag), pairs: make(Pairs, 0, 2)}
	for p.skipSpace(); p.pos < len(p.text); p.skipSpace() {
		if !p.pair() {
			break
		}
	}
	return p.pairs, p.issues
}

type parser struct {
	text   string
	pos    int
	pairs  Pairs
	issues []Issue
}

// add records an issue, unless one with the same reason is already recorded.
func (p *parser) add(offset int, reason, hint string) {
	if slices.ContainsFunc(p.issues, func(x Issue) bool { return x.Reason == reason }) {
		return
	}
	p.issues = append(p.issues, Issue{offset, reason, hint})
}

// skipSpace moves to the next pair. Only spaces may separate pairs.
func (p *parser) skipSpace() {
	start := p.pos
	p.pos += len(p.rest()) - len(strings.TrimLeft(p.rest(), " \t\r\n"))
	between := p.text[start:p.pos]
	if i := strings.IndexAny(between, "\t\r\n"); i >= 0 && p.pos < len(p.text) {
		p.add(start+i, "the pairs of a tag are separated by a tab or a line break", "separate them by spaces on one line")
	}
}

func (p *parser) rest() string { return p.text[p.pos:] }

// pair parses one pair. It returns false if the rest of the tag cannot be parsed.
func (p *parser) pair() bool {
	start := p.pos
	key := p.takeWhile(isKeyByte)
	if key == "" {
		return p.skipNonKey()
	}
	between := p.takeWhile(func(b byte) bool { return b == ':' || b == '=' || b == ' ' })
	switch {
	case strings.HasPrefix(p.rest(), `"`):
		return p.value(start, key, between == ":")
	case strings.Contains(between, ":") && pairStart().MatchString(p.rest()):
		p.add(start, key+" has no value", "add a value, or remove the key")
	case strings.Contains(between, ":"):
		word := unquoted.Replace(p.takeWhile(func(b byte) bool { return b != ' ' }))
		p.add(start, "the value of "+key+" does not start with a quote right after the colon", "write "+formatPair(key, word))
		p.addPair(Pair{key, word, start})
	default:
		p.pos = start + len(key)
		p.takeWhile(func(b byte) bool { return b != ' ' })
		p.add(start, key+" has no value", "add a value, or remove the key")
	}
	return true
}

// skipNonKey reports text that is not a key where a key is expected.
func (p *parser) skipNonKey() bool {
	if p.text[p.pos] == ',' {
		p.add(p.pos, "the pairs of a tag are separated by a comma", "separate them by spaces")
		p.pos++
		return true
	}
	p.add(p.pos, "expected a key", "write key:\"value\" pairs, separated by one space")
	return false
}

// value parses the value of a key, starting at its quote.
func (p *parser) value(start int, key string, colon bool) bool {
	quote := p.pos
	raw, closed := p.quoted()
	switch follows := p.rest(); {
	case !closed:
		p.add(quote, "the value of "+key+" has no closing quote", `end it with "`)
		return false
	case follows == "" || strings.ContainsAny(follows[:1], " ,\t\r\n"):
	case pairStart().MatchString(follows):
		p.add(p.pos, "missing space before the next key", "separate the pairs of a tag by one space")
	default:
		p.add(p.pos-1, "the value of "+key+" ends at this quote, but no pair follows", "add the missing quote before it, or remove this one")
		return false
	}
	if !colon {
		key = strings.TrimRight(key, "-;.|/")
		p.add(start, "only a colon may separate "+key+" from its value", "write "+key+":"+raw)
	}
	value, err := strconv.Unquote(raw)
	switch {
	case err == nil:
	case strings.ContainsAny(raw, "\r\n"):
		value = strings.Join(strings.Fields(strings.Trim(raw, `"`)), "")
		p.add(quote, "the value of "+key+" contains a line break", "write it on one line")
	default:
		value = strings.Trim(raw, `"`)
		p.add(quote, "the value of "+key+" is not a Go string", "escape the backslash, as in "+formatPair(key, value))
	}
	p.addPair(Pair{key, value, start})
	return true
}

// unquoted removes quotes of any kind.
var unquoted = strings.NewReplacer(`"`, "", "'", "", "`", "")

// pairStart matches the start of a pair.
var pairStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][-\w.]*:"`) })

// quoted returns a value with its quotes. It returns false if the closing quote is missing.
func (p *parser) quoted() (raw string, closed bool) {
	start := p.pos
	for p.pos++; p.pos < len(p.text) && p.text[p.pos] != '"'; p.pos++ {
		if p.text[p.pos] == '\\' {
			p.pos++
		}
	}
	if p.pos >= len(p.text) {
		p.pos = len(p.text)
		return "", false
	}
	p.pos++
	return p.text[start:p.pos], true
}

func (p *parser) addPair(pair Pair) {
	if _, again := p.pairs.Lookup(pair.Key); again {
		p.add(pair.Offset, pair.Key+" appears twice in the tag", "remove one of the two")
		return
	}
	p.pairs = append(p.pairs, pair)
}

// takeWhile returns the next bytes that satisfy a condition and moves after them.
func (p *parser) takeWhile(is func(byte) bool) string {
	start := p.pos
	for p.pos < len(p.text) && is(p.text[p.pos]) {
		p.pos++
	}
	return p.text[start:p.pos]
}

func isKeyByte(b byte) bool { return b > ' ' && !strings.ContainsRune(`:=",`, rune(b)) && b != 0x7f }

func formatPair(key, value string) string { return key + ":" + strconv.Quote(value) }
