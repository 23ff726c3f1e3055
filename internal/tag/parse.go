package tag

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
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

// Problem is a violation of the tag convention: key:"value" pairs that are separated by spaces.
type Problem struct {
	Offset int // in the tag, in bytes
	Reason string
	Hint   string // what is correct
}

// Parse splits a tag into pairs. Each mistake is one problem. After a problem it continues where it
// can recognize the next pair, and it returns the pairs that were probably meant. A repeated key is
// returned once.
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

// problem records a problem, unless one with the same reason is already recorded.
func (p *parser) problem(offset int, reason, hint string) {
	if slices.ContainsFunc(p.problems, func(x Problem) bool { return x.Reason == reason }) {
		return
	}
	p.problems = append(p.problems, Problem{offset, reason, hint})
}

// skipSpace moves to the next pair. Only spaces may separate pairs.
func (p *parser) skipSpace() {
	start := p.pos
	p.pos += len(p.rest()) - len(strings.TrimLeft(p.rest(), " \t\r\n"))
	between := p.text[start:p.pos]
	if i := strings.IndexAny(between, "\t\r\n"); i >= 0 && p.pos < len(p.text) {
		p.problem(start+i, "a tab or a line break between the pairs of a tag", "separate them by spaces, on one line")
	}
}

func (p *parser) rest() string { return p.text[p.pos:] }

// pair parses one pair. It returns false if the rest of the tag cannot be parsed.
func (p *parser) pair() bool {
	start := p.pos
	key := p.while(isKeyByte)
	if key == "" {
		return p.noKey()
	}
	between := p.while(func(b byte) bool { return b == ':' || b == '=' || b == ' ' })
	switch {
	case strings.HasPrefix(p.rest(), `"`):
		return p.value(start, key, between == ":")
	case strings.Contains(between, ":") && pairStart.MatchString(p.rest()):
		p.problem(start, key+" has no value", "give it one, or leave it out")
	case strings.Contains(between, ":"):
		word := unquoted.Replace(p.while(func(b byte) bool { return b != ' ' }))
		p.problem(start, "the value of "+key+" does not start with a quote right after the colon", "write "+spelled(key, word))
		p.add(Pair{key, word, start})
	default:
		p.pos = start + len(key)
		p.while(func(b byte) bool { return b != ' ' })
		p.problem(start, key+" has no value", "give it one, or leave it out")
	}
	return true
}

// noKey reports text that is not a key where a key is expected.
func (p *parser) noKey() bool {
	if p.text[p.pos] == ',' {
		p.problem(p.pos, "a comma between the pairs of a tag", "separate them by spaces")
		p.pos++
		return true
	}
	p.problem(p.pos, "a key is expected here", "separate the pairs of a tag by one space, each a key, a colon and a value in quotes")
	return false
}

// value parses the value of a key, starting at its quote.
func (p *parser) value(start int, key string, colon bool) bool {
	quote := p.pos
	raw, closed := p.quoted()
	switch follows := p.rest(); {
	case !closed:
		p.problem(quote, "the value of "+key+" has no closing quote", `end it with "`)
		return false
	case follows == "" || strings.ContainsAny(follows[:1], " ,\t\r\n"):
	case pairStart.MatchString(follows):
		p.problem(p.pos, "no space before the next key", "separate the pairs of a tag by one space")
	default:
		p.problem(p.pos-1, "the value of "+key+" ends at this quote, and no pair follows", "a quote is missing before it, or it is one too many")
		return false
	}
	if !colon {
		key = strings.TrimRight(key, "-;.|/")
		p.problem(start, "only a colon may stand between "+key+" and its value", "write "+key+":"+raw)
	}
	value, err := strconv.Unquote(raw)
	switch {
	case err == nil:
	case strings.ContainsAny(raw, "\r\n"):
		value = strings.Join(strings.Fields(strings.Trim(raw, `"`)), "")
		p.problem(quote, "the value of "+key+" has a line break in it", "write it on one line")
	default:
		value = strings.Trim(raw, `"`)
		p.problem(quote, "the value of "+key+" is not a Go string", "write a backslash as in "+spelled(key, value))
	}
	p.add(Pair{key, value, start})
	return true
}

// unquoted removes quotes of any kind.
var unquoted = strings.NewReplacer(`"`, "", "'", "", "`", "")

// pairStart matches the start of a pair.
var pairStart = regexp.MustCompile(`^[A-Za-z_][-\w.]*:"`)

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

func (p *parser) add(pair Pair) {
	if _, again := p.pairs.Lookup(pair.Key); again {
		p.problem(pair.Offset, pair.Key+" is given twice, and only the first one counts", "leave one of them out")
		return
	}
	p.pairs = append(p.pairs, pair)
}

// while returns the next bytes that satisfy a condition and moves after them.
func (p *parser) while(is func(byte) bool) string {
	start := p.pos
	for p.pos < len(p.text) && is(p.text[p.pos]) {
		p.pos++
	}
	return p.text[start:p.pos]
}

func isKeyByte(b byte) bool { return b > ' ' && !strings.ContainsRune(`:=",`, rune(b)) && b != 0x7f }

func spelled(key, value string) string { return key + ":" + strconv.Quote(value) }
