package attr_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/expr"
)

const canary = "c4n4ry"

// The printed form of a condition, a change, a handle or an error contains no operand and no key of
// a map.
func TestNoFormatterShowsValues(t *testing.T) {
	t.Parallel()
	p := plan[Thing](t)
	secret := attr.Named[Thing]("prefs." + canary)
	for _, v := range []any{
		status.Eq(canary), status.In(canary, canary), attr.Not(status.Between(canary, canary)), attr.And(status.Eq(canary), level.Ne(canary)),
		attr.BeginsWith(status, canary), attr.Contains(skills, canary), attr.Key(prefs, canary), attr.Key(prefs, canary).Eq(canary), secret,
		status.Set(canary), attr.Append(skills, canary), attr.If(status.Eq(canary)), attr.Size(attr.Key(prefs, canary)), attr.Compare(attr.Key(prefs, canary), status),
		attr.Named[Thing]("any." + canary + "[1]." + canary).Eq(canary), attr.Named[Thing]("a[" + canary).Eq(canary),
		condError(t, attr.And(attr.Named[Thing]("count").Eq(canary), attr.Named[Thing]("home."+canary).Exists(), status.Between(canary, "a"))),
		condError(t, attr.Named[Thing]("a["+canary).Eq(1)),
		condError(t, attr.Key(attr.Must(func(x *Thing) *map[string]string { return &x.Prefs }), canary).Between(canary, "")),
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
			require.NotContains(t, fmt.Sprintf(verb, v), canary, "%s of %T", verb, v)
			require.NotContains(t, fmt.Sprintf(verb, struct{ x any }{v}), canary, "%s of %T within", verb, v)
			require.NotContains(t, fmt.Sprintf(verb, []any{v}), canary)
		}
		var log bytes.Buffer
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "v", v)
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "v", v)
		require.NotContains(t, log.String(), canary)
		if text, err := json.Marshal(v); err == nil {
			require.NotContains(t, string(text), canary)
		}
	}
	_, err := compileUpdate(expr.NewBuilder(), p, []attr.Change[Thing]{attr.Key(prefs, canary).Set("a"), attr.Key(prefs, canary).Remove()})
	require.Error(t, err)
	require.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, err.Error()), canary)
}

func condError(t *testing.T, c attr.Cond[Thing]) error {
	_, err := expr.Condition(expr.NewBuilder(), plan[Thing](t), expr.CondOf(c))
	require.Error(t, err)
	return err
}

func TestStructure(t *testing.T) {
	t.Parallel()
	require.Equal(t, "NOT (status = ?) AND size(skills) > ?", fmt.Sprint(attr.And(attr.Not(status.Eq("a")), attr.Size(skills).Gt(1))))
	require.Equal(t, "Append(skills, ?)", fmt.Sprint(attr.Append(skills, "go")))
	require.Equal(t, "work.city", fmt.Sprint(city))
	require.Equal(t, "size(work.city)", fmt.Sprint(attr.Size(city)))
}
