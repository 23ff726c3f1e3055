package tenancy_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/schema"
)

var update = flag.Bool("update", false, "write the golden files anew")

const arn = "arn:aws:dynamodb:eu-north-1:123456789012:table/photos"

// The golden file has the policy of a tenant with all characters that need care, and that of a
// policy variable.
func TestPolicy_golden(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, l := range layouts() {
		y := l.types()
		for _, c := range []schema.PolicyConfig{{TableARN: arn, Tenant: "u1"}, {TableARN: arn, Tenant: "a*b?c$ é"}, {TableARN: arn, Variable: "aws:PrincipalTag/tenant"}} {
			p, err := schema.TenantPolicy(y.schema, c)
			require.NoError(t, err)
			require.True(t, json.Valid([]byte(p.Document)))
			b.WriteString("== " + l.name + " " + c.Tenant + c.Variable + "\n" + p.Document + strings.Join(p.Limits, "\n") + "\n\n")
		}
	}
	path := filepath.Join("testdata", "policies.txt")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
}

func TestPolicy_refuses(t *testing.T) {
	t.Parallel()
	y := (&layouts()[0]).types()
	for _, c := range []schema.PolicyConfig{
		{}, {TableARN: arn}, {TableARN: arn, Tenant: "a", Variable: "aws:userid"}, {Tenant: "a"}, {TableARN: "photos", Tenant: "a"},
		{TableARN: arn + "/index/GSI1", Tenant: "a"}, {TableARN: strings.TrimSuffix(arn, "photos"), Tenant: "a"}, {TableARN: strings.Replace(arn, "photos", "*", 1), Tenant: "a"},
		{TableARN: arn, Tenant: "\u0416"}, {TableARN: arn, Tenant: "\x7f\u0100"}, {TableARN: arn, Tenant: "\xff"},
		{TableARN: arn, Variable: "${aws:userid}"}, {TableARN: arn, Variable: "a*"},
	} {
		_, err := schema.TenantPolicy(y.schema, c)
		require.ErrorIs(t, err, trestle.ErrInvalid, "%+v", c)
	}
	s := entity.NewSchema(entity.Config{})
	entity.Define[plan](s)
	for _, c := range []schema.PolicyConfig{{TableARN: arn, Tenant: "a"}, {TableARN: arn, Variable: "aws:userid"}} {
		_, err := schema.TenantPolicy(s, c)
		require.ErrorIs(t, err, trestle.ErrInvalid)
	}
	_, err := schema.TenantPolicy(nil, schema.PolicyConfig{TableARN: arn, Tenant: "a"})
	require.Error(t, err)
}

// like matches a text with a pattern of StringLike, as IAM documents it.
func like(pattern, text string) bool {
	switch {
	case pattern == "":
		return text == ""
	case len(pattern) > 3 && pattern[:2] == "${" && pattern[3] == '}':
		return text != "" && text[0] == pattern[2] && like(pattern[4:], text[1:])
	case pattern[0] == '*':
		return like(pattern[1:], text) || text != "" && like(pattern, text[1:])
	case pattern[0] == '?':
		return text != "" && like(pattern[1:], text[1:])
	default:
		return text != "" && text[0] == pattern[0] && like(pattern[1:], text[1:])
	}
}

// The policy of a tenant matches its keys and those of no other tenant, also where the delimiter is
// a wildcard of policies. The control is a pattern without escaping and without the delimiter.
func TestPolicy_random(t *testing.T) {
	t.Parallel()
	indexes := []entity.IndexConfig{{Name: "GSI1"}}
	wildcards := []layout{
		{name: "asterisk", start: "T*", delim: "*", config: entity.Config{Delimiter: "*", Indexes: indexes}},
		{name: "question mark", start: "T?", delim: "?", config: entity.Config{Delimiter: "?", Indexes: indexes}},
	}
	for _, l := range append(layouts(), wildcards...) {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			randomPolicies(t, &l)
		})
	}
}

func randomPolicies(t *testing.T, l *layout) {
	t.Helper()
	y, r := l.types(), testrand.New(t)
	naive := 0
	for range testsize.Pick(500, 1_250, 25_000) {
		pair := pairs(r, l)
		p, err := schema.TenantPolicy(y.schema, schema.PolicyConfig{TableARN: arn, Tenant: pair[0]})
		if err != nil {
			continue
		}
		var doc struct {
			Statement []struct{ Condition map[string]map[string]any }
		}
		require.NoError(t, json.Unmarshal([]byte(p.Document), &doc))
		patterns := doc.Statement[0].Condition["ForAllValues:StringLike"]["dynamodb:LeadingKeys"].([]any)
		for _, tenant := range pair {
			start := l.start + inKeys(l, tenant)
			for _, key := range []string{start, start + l.key("#A#1"), start + l.key("#$U#unique#x")} {
				matches := slices.ContainsFunc(patterns, func(pattern any) bool { return like(pattern.(string), key) })
				require.Equal(t, tenant == pair[0], matches)
				if tenant != pair[0] && like(l.start+pair[0]+"*", key) {
					naive++
				}
			}
		}
	}
	require.Positive(t, naive, "the control matches no other tenant")
}
