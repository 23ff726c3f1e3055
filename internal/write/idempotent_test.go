package write

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/op"
)

type line struct {
	Qty int `dynamodbav:"qty"`
}

type basket struct {
	_     keyTag         `type:"basket" pk:"B#<id>" sk:"B"`
	ID    string         `dynamodbav:"id"`
	Note  string         `dynamodbav:"note,omitempty"`
	Lines []line         `dynamodbav:"lines"`
	Words []string       `dynamodbav:"words"`
	Sums  map[string]int `dynamodbav:"sums"`
}

// TestOnlyRepeatableUpdatesAreIdempotent checks that only changes with the same result when applied
// twice can be retried. List positions are not stable.
func TestOnlyRepeatableUpdatesAreIdempotent(t *testing.T) {
	t.Parallel()
	p := planOf[basket](t, define.Config{})
	note := attr.Must(func(b *basket) *string { return &b.Note })
	lines := attr.Must(func(b *basket) *[]line { return &b.Lines })
	words := attr.Must(func(b *basket) *[]string { return &b.Words })
	sums := attr.Must(func(b *basket) *map[string]int { return &b.Sums })
	qty := attr.Sub(attr.At(lines, 1), func(l *line) *int { return &l.Qty })
	for name, c := range map[string]struct {
		change attr.Change[basket]
		want   bool
	}{
		"set":                             {note.Set("x"), true},
		"remove":                          {note.Remove(), true},
		"set of an entry":                 {attr.Key(sums, "a").Set(1), true},
		"remove of an entry":              {attr.Key(sums, "a").Remove(), true},
		"set below an element":            {qty.Set(3), true},
		"set of an element":               {attr.At(words, 50).Set("z"), false},
		"remove of an element":            {attr.At(words, 1).Remove(), false},
		"remove below an element":         {qty.Remove(), false},
		"set of an element by its name":   {attr.Named[basket]("words[3]").Set("z"), false},
		"remove of one by its name":       {attr.Named[basket]("words[3]").Remove(), false},
		"add":                             {attr.Add(qty, 1), false},
		"append":                          {attr.Append(words, "x"), false},
		"set if absent":                   {note.SetIfAbsent("x"), false},
		"set of a constant, on condition": {attr.If(note.Exists()), false},
	} {
		args := updateArgs(p, basket{ID: "1"}, c.change)
		if name == "set of a constant, on condition" {
			args = updateArgs(p, basket{ID: "1"}, note.Set("x"), c.change)
		}
		o, err := Update(args)
		require.NoError(t, err, name)
		require.Equal(t, c.want, o.Primary.Idempotent, name)
	}
}

// TestReturningOldIsNotIdempotent checks that a write that returns the old item is not retried.
// The retry would return what the first attempt stored.
func TestReturningOldIsNotIdempotent(t *testing.T) {
	t.Parallel()
	p := planOf[basket](t, define.Config{})
	note := attr.Must(func(b *basket) *string { return &b.Note })
	for ret, want := range map[op.Return]bool{
		op.Nothing: true, op.AllNew: true, op.UpdatedNew: true, op.AllOld: false, op.UpdatedOld: false,
	} {
		args := updateArgs(p, basket{ID: "1"}, note.Set("x"))
		args.Return = ret
		o, err := Update(args)
		require.NoError(t, err)
		require.Equal(t, want, o.Primary.Idempotent)
		if ret != op.Nothing && ret != op.AllOld {
			continue
		}
		example := basket{ID: "1"}
		o, err = Delete(p, codec.PtrTo(&example), nil, ret)
		require.NoError(t, err)
		require.Equal(t, want, o.Primary.Idempotent)
		put := putArgs(p, &example)
		put.Return = ret
		o, _, err = Put(put)
		require.NoError(t, err)
		require.Equal(t, want, o.Primary.Idempotent)
	}
}
