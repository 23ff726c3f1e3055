package policy_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/policy"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// test is a random condition on the leading keys with the leading keys of a request.
type test struct {
	set, operator string
	ifExists      bool
	patterns      []string
	keys          []string
}

func (c test) document() string {
	suffix := ""
	if c.ifExists {
		suffix = "IfExists"
	}
	return document(fmt.Sprintf(`%q:{"dynamodb:LeadingKeys":[%s]}`, c.set+":"+c.operator+suffix, `"`+strings.Join(c.patterns, `","`)+`"`))
}

func randomTest(r *rand.Rand) test {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	word := func(letters string) string {
		b := make([]byte, r.IntN(5))
		for i := range b {
			b[i] = letters[r.IntN(len(letters))]
		}
		return string(b)
	}
	c := test{
		set: pick("ForAllValues", "ForAnyValue"), operator: pick("StringEquals", "StringNotEquals", "StringLike", "StringNotLike"),
		ifExists: r.IntN(2) == 0,
	}
	for range 1 + r.IntN(3) {
		c.patterns = append(c.patterns, word("ab*?"))
	}
	for range r.IntN(4) {
		c.keys = append(c.keys, word("aab*"))
	}
	return c
}

// naive evaluates the condition with regular expressions and by the words of the user guide.
func (c test) naive(wildcards bool) bool {
	if len(c.keys) == 0 {
		return c.ifExists || c.set == "ForAllValues"
	}
	fulfilled := 0
	for _, key := range c.keys {
		found := false
		for _, p := range c.patterns {
			quoted := regexp.QuoteMeta(p)
			if wildcards && strings.HasSuffix(c.operator, "Like") {
				quoted = strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(quoted)
			}
			found = found || regexp.MustCompile(`^(?s:`+quoted+`)$`).MatchString(key)
		}
		if found != strings.Contains(c.operator, "Not") {
			fulfilled++
		}
	}
	return fulfilled > 0 && (c.set == "ForAnyValue" || fulfilled == len(c.keys))
}

// TestRandomConditions compares the decisions with the naive reference. A reference without
// wildcards must differ.
func TestRandomConditions(t *testing.T) {
	t.Parallel()
	r, missed := testrand.New(t), 0
	for range testsize.Pick(2_000, 5_000, 500_000) {
		c := randomTest(r)
		got := parse(t, c.document()).Decide(&policy.Access{
			Action: "dynamodb:GetItem", Resource: things, Keys: map[string][]string{policy.LeadingKeys: c.keys},
		}) == policy.Allowed
		require.Equal(t, c.naive(true), got, "%+v", c)
		if c.naive(false) != got {
			missed++
		}
	}
	require.Positive(t, missed, "the reference without wildcards is not caught")
}
