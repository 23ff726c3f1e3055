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

// A range of days closed by hand loses its last day: behind a day's text stand the times of that day. Where days are all that is stored, the
// same range has it.
func TestTextsLoseTheLastDay(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		newRawLog(t, client, rowsOf(t, reported), now)
		s := entity.NewSchema(rawConfig(t, "State#Date", byOperator(), escalated()))
		rows := entity.Define[textRow](s)
		table, err := s.Open(client, "DeviceStateLog", entity.PlainCursors())
		require.NoError(t, err)
		between := func(operator, from, to string) answer {
			q := query.On(rows.In(table), "by-operator", textRow{Operator: operator}).Where(textualDate.Between(from, to))
			got, err := reading(q, textRow.line)(t.Context())
			require.NoError(t, err)
			return got
		}
		require.Len(t, between("Liz", "2020-04-20", "2020-04-25").rows, 4)
		require.Equal(t, answer{units: 0.5}, between("Liz", "2020-04-20", "2020-04-24"))

		var want []string
		for _, device := range []string{"d#1", "d#2", "d#3"} {
			r := textRow{DeviceID: device, State: "WARNING1", Date: "2020-04-24", Operator: "Eve"}
			require.NoError(t, rows.In(table).Put(t.Context(), &r))
			want = append(want, r.line())
		}
		require.ElementsMatch(t, want, between("Eve", "2020-04-20", "2020-04-24").rows, "in no order: their keys are equal")
	})
}

// The rows that the model writes are the rows that were there, to the byte.
func TestRowsStayWhatTheyWere(t *testing.T) {
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

// Two reports of one moment are two items, though they have one key on the index; which comes first is not said.
func TestOneMomentTwoReports(t *testing.T) {
	t.Parallel()
	onBoth(t, rowsOf(t, "d#1 WARNING1 2020-04-24T14:40:00 Liz\nd#2 WARNING1 2020-04-24T14:40:00 Liz\nd#3 NORMAL 2020-04-24T14:40:00 Liz"),
		func(t *testing.T, l deviceLog) {
			got, err := l.OnDuty("Liz", attr.Day(2020, time.April, 24))(t.Context())
			require.NoError(t, err)
			require.ElementsMatch(t, []string{"d#1 WARNING1 24T14:40", "d#2 WARNING1 24T14:40", "d#3 NORMAL 24T14:40"}, got.rows)
		})
}

// Days that follow each other share no moment and miss none.
func TestMidnightIsOfTheNextDay(t *testing.T) {
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

// A device that sends a report again does not undo what people have done with it.
func TestAReportSentTwiceStaysEscalated(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		store := NewStore(opened(t, e.Client(t), Schema, "devicelog"), now)
		r := Report{Device: "d#1", State: "WARNING4", At: now().Truncate(time.Second), Operator: "Sue"}
		sent := r
		require.NoError(t, store.Record(t.Context(), &r))
		_, err := store.Escalate(t.Context(), r, "Sara")
		require.NoError(t, err)
		require.NoError(t, store.Record(t.Context(), &sent))
		waiting, err := store.WaitingFor("Sara").Collect(t.Context())
		require.NoError(t, err)
		require.Len(t, waiting, 1)
	})
}
