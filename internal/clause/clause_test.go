package clause_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
)

var (
	key     = core.Attribute{Name: "k"}
	anItem  = clause.AnItem{Key: &key}
	noItem  = clause.NoItem{Key: &key}
	isOne   = clause.Value("a", number("1"))
	expired = clause.Expired{Attribute: "ttl"}
)

// TestRender checks the parentheses of a condition: a clause that stands alone has none, and an
// implied one is not sent.
func TestRender(t *testing.T) {
	t.Parallel()
	for want, preds := range map[string][]clause.Pred{
		"":                                       {},
		"attribute_exists(#n0)":                  {anItem},
		"attribute_not_exists(#n0) OR #n1 = :v0": {clause.Or{noItem, isOne}},
		"#n0 = :v0 AND (attribute_not_exists(#n1) OR #n0 = :v1)":               {isOne, clause.Or{noItem, isOne}},
		"#n0 = :v0 AND #n1 >= :v1 AND #n1 < :v2":                               {isOne, clause.Attribute("b", clause.During, number("1"), number("2"))},
		"NOT (#n0 >= :v0 AND #n0 < :v1)":                                       {clause.Not{Pred: clause.Attribute("b", clause.During, number("1"), number("2"))}},
		"(#n0 = :v0)":                                                          {clause.Caller{Pred: isOne}},
		"(attribute_not_exists(#n0) OR attribute_type(#n0, :v0) OR #n0 = :v1)": {&clause.State{Attribute: "a", Absent: true, Null: true, Values: []av{number("0")}}},
	} {
		var list []clause.Clause
		for _, p := range preds {
			list = append(list, clause.Clause{Pred: p}, clause.Clause{Pred: expired, Implied: true})
		}
		require.Equal(t, want, string(clause.Render(nil, list, expr.NewBuilder())))
		require.Equal(t, len(preds), clause.Sent(list))
	}
}

// TestItemsAreMetAsAWhole checks that a reply without the key shows an item, and that only no item
// is none.
func TestItemsAreMetAsAWhole(t *testing.T) {
	t.Parallel()
	for _, it := range []item{{}, {"a": text("x")}} {
		require.True(t, anItem.Holds(it))
		require.False(t, noItem.Holds(it))
	}
	require.False(t, anItem.Holds(nil))
	require.True(t, noItem.Holds(nil))
}

// TestNeedItem checks that the requirement of an item is computed from all clauses.
func TestNeedItem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		need  bool
		preds []clause.Pred
	}{
		{false, nil},
		{false, []clause.Pred{noItem, clause.Value("a", nil), clause.Not{Pred: expired}, clause.NotNull{At: &core.BoundPath{Attribute: "a"}}}},
		{true, []clause.Pred{clause.Value("a", nil), isOne}},
		{true, []clause.Pred{anItem}},
		{true, []clause.Pred{clause.Kind{At: &core.BoundPath{Attribute: "a"}}}},
		{false, []clause.Pred{clause.Or{isOne, noItem}}},
		{true, []clause.Pred{clause.And{isOne, noItem}}},
	} {
		var list []clause.Clause
		for _, p := range c.preds {
			list = append(list, clause.Clause{Pred: p})
		}
		require.Equal(t, c.need, clause.NeedItem(list), c.preds)
	}
}

// TestReplaced checks that the values of all conditions with values are replaced, and that the
// original keeps its own.
func TestReplaced(t *testing.T) {
	t.Parallel()
	list := []clause.Clause{{Pred: clause.Or{noItem, isOne, clause.Attribute("b", clause.Ne, number("1"))}}, {Pred: anItem}}
	own := clause.Replaced(list, func(av) av { return text("x") })
	require.Equal(t, "attribute_not_exists(#n0) OR #n1 = :v0 OR #n2 <> :v1", string(own[0].Pred.Render(nil, expr.NewBuilder())))
	b := expr.NewBuilder()
	own[0].Pred.Render(nil, b)
	require.Equal(t, item{":v0": text("x"), ":v1": text("x")}, b.Values())
	b = expr.NewBuilder()
	list[0].Pred.Render(nil, b)
	require.Equal(t, item{":v0": number("1"), ":v1": number("1")}, b.Values())
}
