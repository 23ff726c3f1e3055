package page_test

import (
	"maps"
	"net/url"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/control"
	"github.com/trestledb/trestle/ddbtest"
)

// TestRules adds a rule by the form, which acts, and removes it.
func TestRules(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	require.Equal(t, base+"#rules", s.post(base+"rules", url.Values{
		"operations": {"PutItem", "UpdateItem"}, "table": {"orders"}, "first": {"1"}, "effect": {"InternalError"}, "afterCommit": {"true"},
	}))
	rows := s.get(base).rows("Acted")
	require.Len(t, rows, 1)
	require.Equal(t, "0", rows[0][2])
	require.Error(t, put(t.Context(), s.client, order("ada", "1", "monday", "1", nil)))
	require.Len(t, s.db.Dump("orders"), 1, "the effect is after the commit")
	require.Equal(t, "1", s.get(base).rows("Acted")[0][2])
	require.Equal(t, base+"#rules", s.post(base+"rules/1/remove", nil))
	require.Empty(t, s.get(base).rows("Acted"))
	require.Equal(t, base+"#rules", s.post(base+"rules/1/remove", nil), "it was removed meanwhile")
}

// members are valid members of effects.
var members = map[string]string{
	"duration": "1s", "code": "LimitExceededException", "status": "400", "message": "busy", "action": "0", "reason": "ConditionalCheckFailed",
	"count": "1", "probability": "0.5", "limits": "TableReadProvisionedThroughputExceeded",
}

// TestAllEffects adds a rule for each effect, and checks that the form and the style sheet have it.
func TestAllEffects(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	style, err := os.ReadFile("static/style.css")
	require.NoError(t, err)
	d := s.get(base)
	for _, e := range control.Effects() {
		require.Contains(t, d.texts("option"), e.Name)
		form := url.Values{"effect": {e.Name}}
		for _, name := range e.Required {
			form.Set(name, members[name])
			require.Contains(t, attr(d.id("rule-"+name).Parent, "class"), "of-"+e.Name)
		}
		if len(e.Required)+len(e.Optional) > 0 {
			require.Contains(t, string(style), "option[value="+e.Name+"]:checked) .of-"+e.Name)
		}
		s.post(base+"rules", form)
		for _, name := range e.Required {
			without := maps.Clone(form)
			without.Del(name)
			d := s.wrong(base+"rules", without)
			require.NotEmpty(t, text(d.id("rule-"+name+"-problem")))
		}
	}
	require.Len(t, s.get(base).rows("Acted"), len(control.Effects()))
}

// TestAllOperations checks that the form offers each operation of the SDK's clients that a rule can
// have, and no other.
func TestAllOperations(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	var offered []string
	for _, n := range s.get(base).all("input") {
		if attr(n, "name") == "operations" {
			offered = append(offered, attr(n, "value"))
		}
	}
	var supported []string
	for _, client := range []reflect.Type{reflect.TypeFor[*dynamodb.Client](), reflect.TypeFor[*dynamodbstreams.Client]()} {
		for i := range client.NumMethod() {
			if name := client.Method(i).Name; s.db.CheckRule(ddbtest.Op(name), ddbtest.Reset) == nil {
				supported = append(supported, name)
			}
		}
	}
	require.Greater(t, len(supported), 20)
	require.ElementsMatch(t, supported, offered)
}

// TestInvalidRules checks that a problem is shown beside its field, that what was typed is kept,
// and that no rule is added.
func TestInvalidRules(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	for field, typed := range map[string]string{
		"first": "x", "nth": "0", "every": "-1", "times": "1.5", "rate": "2", "effect": "None", "duration": "1s", "status": "x", "count": "<b>",
	} {
		form := url.Values{"effect": {"Reset"}, "operations": {"GetItem"}, "table": {"kept"}}
		form.Set(field, typed)
		d := s.wrong(base+"rules", form)
		require.NotEmpty(t, text(d.id("rule-"+field+"-problem")), field)
		if field != "effect" {
			require.Equal(t, typed, attr(d.id("rule-"+field), "value"))
		}
		require.Equal(t, "kept", attr(d.id("rule-table"), "value"))
		checked := 0
		for _, n := range d.all("input") {
			if strings.Contains(strings.Join(attributeNames(n), " "), "checked") {
				checked++
				require.Equal(t, "GetItem", attr(n, "value"))
			}
		}
		require.Equal(t, 1, checked)
		require.Contains(t, d.texts("title")[0], "Error")
	}
	d := s.wrong(base+"rules", url.Values{"effect": {"Reset"}, "operations": {"None"}})
	require.NotEmpty(t, text(d.id("rule-operations-problem")))
	d = s.wrong(base+"rules", url.Values{"effect": {"CutPage"}, "count": {"1"}, "operations": {"GetItem"}})
	require.Contains(t, d.text(), "Correct this", "a problem of the whole rule")
	require.Empty(t, s.get(base).rows("Acted"))
}
