package query_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// seat has an index whose sort key has four attributes.
type seat struct {
	_     entity.Key   `type:"seat" pk:"S#<hall>" sk:"<id>"`
	_     entity.Index `name:"by-place" on:"Places"`
	_     entity.Index `name:"by-guest" on:"GSI1" pk:"G#<guest>" sk:"<id>"`
	Hall  string       `dynamodbav:"hall"`
	Floor int          `dynamodbav:"floor"`
	Row   int          `dynamodbav:"row"`
	Chair int          `dynamodbav:"chair"`
	ID    string       `dynamodbav:"id"`
	Guest string       `dynamodbav:"guest,omitempty"`
}

var (
	seatSchema = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}, {
		Name: "Places", Partition: []entity.Attribute{entity.S("hall")},
		Sort: []entity.Attribute{entity.N("floor"), entity.N("row"), entity.N("chair"), entity.S("id")},
	}}})
	seats     = entity.Define[seat](seatSchema)
	seatFloor = attr.Must(func(s *seat) *int { return &s.Floor })
	seatRow   = attr.Must(func(s *seat) *int { return &s.Row })
	seatChair = attr.Must(func(s *seat) *int { return &s.Chair })
	seatID    = attr.Must(func(s *seat) *string { return &s.ID })
	seatGuest = attr.Must(func(s *seat) *string { return &s.Guest })
	seatHall  = attr.Must(func(s *seat) *string { return &s.Hall })
)

// A condition that skips attributes of the sort key is rejected, for any number of skipped
// attributes.
func TestConditionsWithoutGaps(t *testing.T) {
	t.Parallel()
	table, err := seatSchema.Open(silent{}, "hall", entity.PlainCursors())
	require.NoError(t, err)
	q := query.On(seats.In(table), "by-place", seat{Hall: "h"})
	equal := []attr.KeyCond[seat]{seatFloor.Eq(1), seatRow.Eq(1), seatChair.Eq(1), seatID.Eq("1")}
	ranges := []attr.KeyCond[seat]{seatFloor.Ge(1), seatRow.Lt(1), seatChair.Between(1, 2), attr.BeginsWith(seatID, "1")}
	served := 0
	for asked := range 1 << len(equal) {
		// index of the attribute with a range condition; the last value: none
		for open := range len(equal) + 1 {
			var conds []attr.KeyCond[seat]
			complete := true // from the left, with the range at the end
			for i := range equal {
				switch {
				case asked>>i&1 == 0:
					continue
				case i == open:
					conds = append(conds, ranges[i])
				default:
					conds = append(conds, equal[i])
				}
				complete = complete && len(conds) == i+1 && open >= i
			}
			_, err := q.Where(conds...).Input()
			if complete {
				require.NoError(t, err, "asked %04b, range %d", asked, open)
				served++
				continue
			}
			require.ErrorIs(t, err, trestle.ErrInvalid, "asked %04b, range %d", asked, open)
			_, err = q.Where(conds...).Count(t.Context())
			require.ErrorIs(t, err, trestle.ErrInvalid)
			_, err = q.Where(conds...).Limit(1).Page(t.Context(), "")
			require.ErrorIs(t, err, trestle.ErrInvalid)
		}
	}
	require.Equal(t, 19, served)
}

// Conditions from the left without a gap find their items.
func TestConditionsOnFourAttributes(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table, err := seatSchema.Open(e.Client(t), "hall")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		r := seats.In(table)
		for i := range 8 {
			require.NoError(t, r.Put(t.Context(), &seat{Hall: "h", ID: string(rune('0' + i)), Floor: i >> 2, Row: i >> 1 & 1, Chair: i & 1}))
		}
		for want, conds := range map[string][]attr.KeyCond[seat]{
			"4567": {seatFloor.Gt(0)}, "67": {seatFloor.Eq(1), seatRow.Eq(1)}, "5": {seatFloor.Eq(1), seatRow.Eq(0), seatChair.Ge(1)},
			"2": {seatFloor.Eq(0), seatRow.Eq(1), seatChair.Eq(0), seatID.Eq("2")},
		} {
			ids := ""
			for _, s := range collect(t, query.On(r, "by-place", seat{Hall: "h"}).Where(conds...).All(t.Context())) {
				ids += s.ID
			}
			require.Equal(t, want, ids)
		}
	})
}

// A condition on a field in the partition key of another index is rejected like any other.
func TestConditionsOnAnotherPartition(t *testing.T) {
	t.Parallel()
	table, err := seatSchema.Open(silent{}, "hall")
	require.NoError(t, err)
	r := seats.In(table)
	for name, q := range map[string]query.Query[seat]{
		"of an index":  query.Of(r, seat{Hall: "h"}).Where(seatGuest.Eq("ada")),
		"of the table": query.On(r, "by-guest", seat{Guest: "ada"}).Where(seatHall.Eq("h")),
	} {
		_, err := q.Input()
		require.ErrorIs(t, err, trestle.ErrInvalid, name)
	}
}
