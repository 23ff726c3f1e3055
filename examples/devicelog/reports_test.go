package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// A hand-written range of day strings loses its last day, because the times of that day sort after
// the string of the day. If only days are stored, the same range includes the last day.
func TestRangeOfDayStringsLosesTheLastDay(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		newRawLog(t, client, rowsOf(t, reported), now)
		s := entity.NewSchema(rawConfig(t, "State#Date", byOperator(), escalated()))
		rows := entity.Define[textRow](s)
		table, err := s.Open(client, "DeviceStateLog", entity.PlainCursors())
		require.NoError(t, err)
		between := func(operator, from, to string) result {
			q := query.On(rows.In(table), "by-operator", textRow{Operator: operator}).Where(textualDate.Between(from, to))
			got, err := reading(q, textRow.line)(t.Context())
			require.NoError(t, err)
			return got
		}
		require.Len(t, between("Liz", "2020-04-20", "2020-04-25").rows, 4)
		require.Equal(t, result{units: 0.5}, between("Liz", "2020-04-20", "2020-04-24"))

		var want []string
		for _, device := range []string{"d#1", "d#2", "d#3"} {
			r := textRow{DeviceID: device, State: "WARNING1", Date: "2020-04-24", Operator: "Eve"}
			require.NoError(t, rows.In(table).Put(t.Context(), &r))
			want = append(want, r.line())
		}
		require.ElementsMatch(t, want, between("Eve", "2020-04-20", "2020-04-24").rows, "their keys are equal, so their order is undefined")
	})
}

// An existing row does not change when the model reads and writes it.
func TestExistingRowsDoNotChange(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(rawConfig(t, "State#Date", byOperator(), escalated()))
	states := entity.Define[stateRow](s)
	for _, r := range rowsOf(t, reported) {
		row, err := states.Decode(rawItem(r))
		require.NoError(t, err)
		item, err := states.Encode(&row)
		require.NoError(t, err)
		require.Equal(t, rawItem(r), item)
	}
}

// Two reports of the same time are two items, although they have the same key on the index. Their
// order is undefined.
func TestReportsOfTheSameTimeAreTwoItems(t *testing.T) {
	t.Parallel()
	onBoth(t, rowsOf(t, "d#1 WARNING1 2020-04-24T14:40:00 Liz\nd#2 WARNING1 2020-04-24T14:40:00 Liz\nd#3 NORMAL 2020-04-24T14:40:00 Liz"),
		func(t *testing.T, l deviceLog) {
			got, err := l.OnDuty("Liz", attr.Day(2020, time.April, 24))(t.Context())
			require.NoError(t, err)
			require.ElementsMatch(t, []string{"d#1 WARNING1 24T14:40", "d#2 WARNING1 24T14:40", "d#3 NORMAL 24T14:40"}, got.rows)
		})
}

// The periods of consecutive days do not overlap and have no gap.
func TestMidnightBelongsToTheNextDay(t *testing.T) {
	t.Parallel()
	rows := rowsOf(t, "d#1 NORMAL 2020-04-24T00:00:00 Liz\nd#1 NORMAL 2020-04-24T23:59:59 Liz\nd#1 NORMAL 2020-04-25T00:00:00 Liz")
	onBoth(t, rows, func(t *testing.T, l deviceLog) {
		for day, want := range map[int]int{23: 0, 24: 2, 25: 1, 26: 0} {
			got, err := l.OnDuty("Liz", attr.Day(2020, time.April, day))(t.Context())
			require.NoError(t, err)
			require.Len(t, got.rows, want)
			require.Equal(t, want, got.scanned)
		}
	})
}

// If a device sends a report again, the report stays escalated.
func TestRepeatedReportStaysEscalated(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		store := NewStore(opened(t, e.Client(t), Schema, "devicelog"), now)
		r := Report{Device: "d#1", State: "WARNING4", At: now().Truncate(time.Second), Operator: "Sue"}
		sent := r
		require.NoError(t, store.Record(t.Context(), &r))
		_, err := store.Escalate(t.Context(), r, "Sara")
		require.NoError(t, err)
		require.NoError(t, store.Record(t.Context(), &sent))
		waiting, err := store.EscalatedTo("Sara").Collect(t.Context())
		require.NoError(t, err)
		require.Len(t, waiting, 1)
	})
}
