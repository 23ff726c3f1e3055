package policy_test

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/policy"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// model is a policy as the test generates it. Its evaluation follows the text of the IAM guide, one
// sentence for each line, with regular expressions and without any shortcut.
type model []modelStatement

type modelStatement struct {
	Effect      string
	Action      []string                       `json:",omitempty"`
	NotAction   []string                       `json:",omitempty"`
	Resource    []string                       `json:",omitempty"`
	NotResource []string                       `json:",omitempty"`
	Condition   map[string]map[string][]string `json:",omitempty"`
}

// naive is a defect of the model, for the negative control.
type naive uint8

const (
	correct            naive = iota
	orderMatters             // the last statement that applies decides
	absentNeverMatches       // ForAllValues does not hold without values
	prefixMatches            // a pattern matches the beginning of a text
	anyIsAll                 // ForAnyValue is like ForAllValues
	absentNegation           // a negated operator does not hold without the key
	exceptionsListed         // NotAction is like Action
)

// decide evaluates the policy.
func (m model) decide(r *policy.Access, n naive) policy.Decision {
	allowed, denied := false, false
	for _, s := range m {
		if !s.applies(r, n) {
			continue
		}
		if n == orderMatters {
			allowed, denied = false, false
		}
		allowed = allowed || s.Effect == "Allow"
		denied = denied || s.Effect == "Deny"
	}
	switch {
	case denied:
		return policy.Denied
	case allowed:
		return policy.Allowed
	}
	return policy.NotAllowed
}

func (s modelStatement) applies(r *policy.Access, n naive) bool {
	for name, keys := range s.Condition {
		for key, values := range keys {
			if !conditionHolds(name, values, r.Keys[strings.ToLower(key)], n) {
				return false
			}
		}
	}
	action := strings.ToLower(r.Action)
	actions := oneLike(lower(s.Action), action, n)
	if s.NotAction != nil {
		actions = oneLike(lower(s.NotAction), action, n) == (n == exceptionsListed)
	}
	if s.NotResource != nil {
		return actions && !oneLike(s.NotResource, r.Resource, n)
	}
	return actions && oneLike(s.Resource, r.Resource, n)
}

// conditionHolds evaluates one key of one operator.
func conditionHolds(name string, want, got []string, n naive) bool {
	base, ifExists := strings.CutSuffix(name, "IfExists")
	set := ""
	if before, after, ok := strings.Cut(base, ":"); ok {
		set, base = before, after
	}
	if base == "Null" {
		return (want[0] == "true") == (len(got) == 0)
	}
	negated := strings.HasPrefix(base, "StringNot")
	count := 0
	for _, g := range got {
		is := oneEqual(want, g)
		if strings.HasSuffix(base, "Like") {
			is = oneLike(want, g, n)
		}
		if is != negated {
			count++
		}
	}
	switch {
	case set == "ForAllValues" && len(got) == 0:
		return n != absentNeverMatches
	case len(got) == 0 && set == "":
		return ifExists || negated && n != absentNegation
	case len(got) == 0:
		return ifExists
	case set == "ForAllValues" || n == anyIsAll:
		return count == len(got)
	}
	return count > 0
}

func oneEqual(want []string, got string) bool {
	for _, w := range want {
		if w == got {
			return true
		}
	}
	return false
}

// oneLike matches with a regular expression.
func oneLike(patterns []string, text string, n naive) bool {
	for _, p := range patterns {
		expression := strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(regexp.QuoteMeta(p))
		if n != prefixMatches {
			expression += "$"
		}
		if regexp.MustCompile(`(?s)^` + expression).MatchString(text) {
			return true
		}
	}
	return false
}

func lower(texts []string) []string {
	var l []string
	for _, t := range texts {
		l = append(l, strings.ToLower(t))
	}
	return l
}

const (
	bills = "arn:aws:dynamodb:us-east-1:123456789012:table/bills"
	index = things + "/index/byColor"
)

// Texts of few letters collide often.
var (
	someActions   = []string{"*", "dynamodb:*", "dynamodb:Get*", "dynamodb:?etItem", "dynamodb:PutItem", "dynamodb:*Item", "DYNAMODB:query", "s3:*"}
	someResources = []string{"*", things, bills, index, "arn:aws:dynamodb:*:*:table/*", "arn:aws:dynamodb:us-*:*:table/t*/index/?y*"}
	someValues    = []string{"a", "b", "ab", "a*", "*b", "?", "a?b", "*", "ba", "a#b"}
	listOperators = []string{"ForAllValues:StringEquals", "ForAllValues:StringNotEquals", "ForAllValues:StringLike", "ForAllValues:StringNotLike",
		"ForAnyValue:StringEquals", "ForAnyValue:StringNotEquals", "ForAnyValue:StringLike", "ForAnyValue:StringNotLikeIfExists", "Null"}
	oneOperators = []string{"StringEquals", "StringNotEquals", "StringLike", "StringNotLike", "StringEqualsIfExists", "StringLikeIfExists", "Null"}
)

func pick(r *rand.Rand, from []string) []string {
	var picked []string
	for range 1 + r.IntN(3) {
		picked = append(picked, from[r.IntN(len(from))])
	}
	return picked
}

func randomStatement(r *rand.Rand) modelStatement {
	s := modelStatement{Effect: []string{"Allow", "Allow", "Deny"}[r.IntN(3)], Condition: map[string]map[string][]string{}}
	if actions := pick(r, someActions); r.IntN(4) == 0 {
		s.NotAction = actions
	} else {
		s.Action = actions
	}
	if resources := pick(r, someResources); r.IntN(4) == 0 {
		s.NotResource = resources
	} else {
		s.Resource = resources
	}
	for range r.IntN(3) {
		key, operators := policy.LeadingKeys, listOperators
		if r.IntN(2) == 0 {
			key, operators = policy.Select, oneOperators
		}
		operator, values := operators[r.IntN(len(operators))], pick(r, someValues)
		if operator == "Null" {
			values = []string{[]string{"true", "false"}[r.IntN(2)]}
		}
		if s.Condition[operator] == nil {
			s.Condition[operator] = map[string][]string{}
		}
		s.Condition[operator][key] = values
	}
	return s
}

func randomRequest(r *rand.Rand) *policy.Access {
	q := &policy.Access{
		Action:   "dynamodb:" + []string{"GetItem", "PutItem", "Query"}[r.IntN(3)],
		Resource: []string{things, bills, index}[r.IntN(3)],
		Keys:     map[string][]string{},
	}
	if r.IntN(3) > 0 {
		q.Keys[policy.LeadingKeys] = pick(r, someValues)
	}
	if r.IntN(3) > 0 {
		q.Keys[policy.Select] = pick(r, someValues)[:1]
	}
	return q
}

// differs evaluates random policies and returns how often each decision was made, and the first
// policy for which the model decides differently.
func differs(t *testing.T, r *rand.Rand, cases int, n naive) (decisions map[policy.Decision]int, document string) {
	t.Helper()
	decisions = map[policy.Decision]int{}
	for range cases {
		var m model
		for range 1 + r.IntN(3) {
			m = append(m, randomStatement(r))
		}
		text, err := json.Marshal(map[string]any{"Version": "2012-10-17", "Statement": m})
		require.NoError(t, err)
		p, err := policy.Parse(text, nil)
		require.NoError(t, err, string(text))
		for range 5 {
			q := randomRequest(r)
			decision := p.Decide(q)
			decisions[decision]++
			if decision != m.decide(q, n) {
				return decisions, string(text)
			}
		}
	}
	return decisions, ""
}

// TestDecideMatchesModel compares decisions with those of the model.
func TestDecideMatchesModel(t *testing.T) {
	t.Parallel()
	decisions, document := differs(t, testrand.New(t), testsize.Pick(500, 3_000, 100_000), correct)
	require.Empty(t, document)
	for _, d := range []policy.Decision{policy.NotAllowed, policy.Allowed, policy.Denied} {
		require.Positive(t, decisions[d], d)
	}
}

// TestDecideMatchesModelControl does the same with models that have a defect each.
func TestDecideMatchesModelControl(t *testing.T) {
	t.Parallel()
	for n := orderMatters; n <= exceptionsListed; n++ {
		_, document := differs(t, testrand.New(t), 3_000, n)
		require.NotEmpty(t, document, n)
	}
}
