package expr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCondsAreValues(t *testing.T) {
	t.Parallel()
	var none Conds
	a, b, c := &Cond{Op: Eq}, &Cond{Op: Ne}, &Cond{Op: Lt}
	one := none.With(a)
	two := one.With(b)
	other := one.With(c)
	require.Equal(t, []int{0, 1, 2, 2}, []int{none.Len(), one.Len(), two.Len(), other.Len()})
	require.Same(t, a, two.At(0))
	require.Same(t, b, two.At(1))
	require.Same(t, c, other.At(1))
}

func TestSmallVecGrows(t *testing.T) {
	t.Parallel()
	var v SmallVec[int]
	for i := range 10 {
		v.Add(i)
		require.Equal(t, i, *v.At(i))
	}
	require.Equal(t, 10, v.Len())
}

// condOf and changeOf embed a condition and a change as package attr does.
type (
	condOf   struct{ *Cond }
	changeOf struct{ *Change }
)

func TestConditionsAndChangesCross(t *testing.T) {
	t.Parallel()
	c, d := condOf{&Cond{Op: Eq}}, changeOf{&Change{Verb: Set}}
	require.Nil(t, CondsOf[AnyCond](nil))
	require.Equal(t, []*Cond{c.Cond}, CondsOf([]condOf{c}))
	require.Equal(t, []*Change{d.Change, d.Change}, ChangesOf(d, []changeOf{d}))
	require.Error(t, CondOf(condOf{}).Err)
	require.Error(t, ChangeOf(nil).Err)
	require.Error(t, ChangeOf(changeOf{}).Err)
	require.Nil(t, All())
	require.Same(t, c.Cond, All(c.Cond))
	text, err := Condition(NewBuilder(), nil, nil)
	require.NoError(t, err)
	require.Empty(t, text)
}
