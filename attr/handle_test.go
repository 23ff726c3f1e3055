package attr_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/expr"
)

var eventKept = attr.Must(func(x *Event) *string { return &x.Kept })

func TestNilConditionsAndChanges(t *testing.T) {
	t.Parallel()
	var c attr.Cond[Thing]
	require.Error(t, expr.CondOf(c).Err)
	require.Error(t, expr.CondsOf([]attr.Cond[Thing]{status.Eq("a"), nil})[1].Err)
	require.Error(t, expr.ChangesOf[attr.Change[Thing]](nil, nil)[0].Err)
	require.Nil(t, expr.CondsOf([]attr.Cond[Thing]{}))
	require.Nil(t, expr.All())
}

// A handle can be used by many goroutines and with many plans.
func TestHandlesAreShared(t *testing.T) {
	t.Parallel()
	one, two := plan[Event](t), plan[Event](t)
	var all sync.WaitGroup
	for i := range 32 {
		all.Go(func() {
			p := one
			if i%2 == 0 {
				p = two
			}
			for range 100 {
				text, err := expr.Condition(expr.NewBuilder(), p, expr.CondOf(eventKept.Eq("a")))
				if err != nil || text != "#n0 = :v0" {
					panic("a condition changed")
				}
			}
		})
	}
	all.Wait()
}

func TestOperandsAreCopied(t *testing.T) {
	t.Parallel()
	list := []string{"a"}
	c := attr.Append(skills, list...)
	list[0] = "changed"
	b := expr.NewBuilder()
	_, err := compileUpdate(b, plan[Thing](t), []attr.Change[Thing]{c})
	require.NoError(t, err)
	require.Equal(t, `L [S "a"]`, show(b.Values()[":v1"]))
}
