package write_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/tx"
)

// Numbers has 384 numbers: no update expression can set all of them.
type Numbers struct {
	A00, A10, A20, A30, A40, A50, A60, A70, A80, A90, AA0, AB0, AC0, AD0, AE0, AF0 int
	B00, B10, B20, B30, B40, B50, B60, B70, B80, B90, BA0, BB0, BC0, BD0, BE0, BF0 int
	C00, C10, C20, C30, C40, C50, C60, C70, C80, C90, CA0, CB0, CC0, CD0, CE0, CF0 int
	D00, D10, D20, D30, D40, D50, D60, D70, D80, D90, DA0, DB0, DC0, DD0, DE0, DF0 int
	E00, E10, E20, E30, E40, E50, E60, E70, E80, E90, EA0, EB0, EC0, ED0, EE0, EF0 int
	F00, F10, F20, F30, F40, F50, F60, F70, F80, F90, FA0, FB0, FC0, FD0, FE0, FF0 int
	G00, G10, G20, G30, G40, G50, G60, G70, G80, G90, GA0, GB0, GC0, GD0, GE0, GF0 int
	H00, H10, H20, H30, H40, H50, H60, H70, H80, H90, HA0, HB0, HC0, HD0, HE0, HF0 int
	I00, I10, I20, I30, I40, I50, I60, I70, I80, I90, IA0, IB0, IC0, ID0, IE0, IF0 int
	J00, J10, J20, J30, J40, J50, J60, J70, J80, J90, JA0, JB0, JC0, JD0, JE0, JF0 int
	K00, K10, K20, K30, K40, K50, K60, K70, K80, K90, KA0, KB0, KC0, KD0, KE0, KF0 int
	L00, L10, L20, L30, L40, L50, L60, L70, L80, L90, LA0, LB0, LC0, LD0, LE0, LF0 int
	M00, M10, M20, M30, M40, M50, M60, M70, M80, M90, MA0, MB0, MC0, MD0, ME0, MF0 int
	N00, N10, N20, N30, N40, N50, N60, N70, N80, N90, NA0, NB0, NC0, ND0, NE0, NF0 int
	O00, O10, O20, O30, O40, O50, O60, O70, O80, O90, OA0, OB0, OC0, OD0, OE0, OF0 int
	P00, P10, P20, P30, P40, P50, P60, P70, P80, P90, PA0, PB0, PC0, PD0, PE0, PF0 int
	Q00, Q10, Q20, Q30, Q40, Q50, Q60, Q70, Q80, Q90, QA0, QB0, QC0, QD0, QE0, QF0 int
	R00, R10, R20, R30, R40, R50, R60, R70, R80, R90, RA0, RB0, RC0, RD0, RE0, RF0 int
	S00, S10, S20, S30, S40, S50, S60, S70, S80, S90, SA0, SB0, SC0, SD0, SE0, SF0 int
	T00, T10, T20, T30, T40, T50, T60, T70, T80, T90, TA0, TB0, TC0, TD0, TE0, TF0 int
	U00, U10, U20, U30, U40, U50, U60, U70, U80, U90, UA0, UB0, UC0, UD0, UE0, UF0 int
	V00, V10, V20, V30, V40, V50, V60, V70, V80, V90, VA0, VB0, VC0, VD0, VE0, VF0 int
	W00, W10, W20, W30, W40, W50, W60, W70, W80, W90, WA0, WB0, WC0, WD0, WE0, WF0 int
	X00, X10, X20, X30, X40, X50, X60, X70, X80, X90, XA0, XB0, XC0, XD0, XE0, XF0 int
}

// wide has a unique value, a count, a creation time and a version besides its numbers.
type wide struct {
	_      entity.Key    `type:"wide" pk:"WIDE#<id>" sk:"WIDE"`
	_      entity.Index  `name:"by-number" on:"GSI1" pk:"WIDES" sk:"<A00:04>"`
	_      entity.Unique `key:"<title>"`
	ID     string        `dynamodbav:"id"`
	Title  string        `dynamodbav:"title"`
	Likes  int           `dynamodbav:"likes"`
	Leaves int           `dynamodbav:"leaves"`
	Numbers
	Version int64 `dynamodbav:"version" entity:"version"`
}

// plainWide has nothing but numbers and a text.
type plainWide struct {
	_     entity.Key `type:"plain" pk:"PLAIN#<id>" sk:"PLAIN"`
	ID    string     `dynamodbav:"id"`
	Title string     `dynamodbav:"title"`
	Numbers
}

type leaf struct {
	_    entity.Key     `type:"leaf" pk:"LEAF#<id>" sk:"LEAF"`
	_    entity.Counted `in:"wide" as:"leaves" pk:"WIDE#<wide>" sk:"WIDE"`
	ID   string         `dynamodbav:"id"`
	Wide string         `dynamodbav:"wide"`
}

// TestAnUpsertCreatesAWideItem: the zeros of a new item do not fit into an update expression.
func TestAnUpsertCreatesAWideItem(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		schema := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		wides, plains, leaves := entity.Define[wide](schema), entity.Define[plainWide](schema), entity.Define[leaf](schema)
		table, err := schema.Open(e.Client(t), "wides")
		require.NoError(t, err)
		ctx := t.Context()
		require.NoError(t, table.Create(ctx))
		repo, plain := wides.In(table), plains.In(table)
		title, likes := attr.Named[wide]("title"), attr.Typed[int](attr.Named[wide]("likes"))

		got, err := repo.Upsert(ctx, wide{ID: "a"}, title.Set("A"), attr.Add(likes, 2))
		require.NoError(t, err)
		require.Equal(t, wide{ID: "a", Title: "A", Likes: 2, Version: 1}, got)
		got, err = repo.Upsert(ctx, wide{ID: "a"}, attr.Add(likes, 2))
		require.NoError(t, err)
		require.Equal(t, wide{ID: "a", Title: "A", Likes: 4, Version: 2}, got)
		_, err = repo.Upsert(ctx, wide{ID: "b"}, title.Set("A"))
		require.ErrorIs(t, err, trestle.ErrTaken)
		_, err = repo.Upsert(ctx, wide{ID: "b"}, title.Set("B"), attr.If(likes.Eq(1)))
		require.ErrorIs(t, err, trestle.ErrCondition)
		require.NoError(t, tx.Write(ctx, repo.Op().Upsert(wide{ID: "b"}, title.Set("B")), leaves.In(table).Op().Create(&leaf{ID: "x", Wide: "b"})))
		got, err = repo.Strong().Get(ctx, wide{ID: "b"})
		require.NoError(t, err)
		require.Equal(t, wide{ID: "b", Title: "B", Leaves: 1, Version: 1}, got)
		require.NoError(t, testchecks.Items(ctx, table, 10))
		require.NoError(t, testchecks.Guards(ctx, table))
		require.NoError(t, testchecks.Counts(ctx, table))

		for i, r := range []trestle.Return{trestle.AllNew, trestle.UpdatedNew, trestle.AllOld, trestle.UpdatedOld} {
			example := plainWide{ID: fmt.Sprint(i)}
			returned, err := plain.Op().Upsert(example, attr.Named[plainWide]("title").Set("t")).Return(r).Do(ctx)
			require.NoError(t, err)
			require.Equal(t, r == trestle.AllNew || r == trestle.UpdatedNew, returned.Found)
			want := example
			want.Title = "t"
			stored, err := plain.Strong().Get(ctx, example)
			require.NoError(t, err)
			require.Equal(t, want, stored)
		}
	})
}
