package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
)

var (
	warnings = []string{"d#12345 WARNING1 24T14:50", "d#12345 WARNING1 24T14:45", "d#12345 WARNING1 24T14:40"}
	onApr24  = []string{"d#12345 WARNING1 24T14:40", "d#12345 WARNING1 24T14:45", "d#12345 WARNING1 24T14:50", "d#12345 NORMAL 24T14:55"}
	onApr11  = []string{"d#54321 WARNING3 11T05:55", "d#54321 NORMAL 11T06:00"}
	sarasOne = []string{"d#11223 WARNING4 27T16:15"}
)

// Every request returns exactly these rows in this order. It reads no other rows, except those that
// a filter drops.
func TestRequests(t *testing.T) {
	t.Parallel()
	days := func(from, to int) attr.Period {
		return attr.Period{Start: attr.Day(2020, time.April, from).Start, End: attr.Day(2020, time.April, to).End}
	}
	requests := []struct {
		name    string
		read    func(deviceLog) read
		want    []string
		dropped int
	}{
		{"by a filter", func(l deviceLog) read { return l.InStateByFilter("d#12345", "WARNING1") }, warnings, 1},
		{"by the key", func(l deviceLog) read { return l.InState("d#12345", "WARNING1") }, warnings, 0},
		{"a device that does not exist", func(l deviceLog) read { return l.InState("d#1234", "WARNING1") }, nil, 0},
		{"a period", func(l deviceLog) read { return l.OnDuty("Liz", days(20, 25)) }, onApr24, 0},
		{"a period that ends with the last day", func(l deviceLog) read { return l.OnDuty("Liz", days(20, 24)) }, onApr24, 0},
		{"a day", func(l deviceLog) read { return l.OnDuty("Liz", attr.Day(2020, time.April, 24)) }, onApr24, 0},
		{"a month", func(l deviceLog) read { return l.OnDuty("Liz", attr.Month(2020, time.April)) }, append(onApr11[:2:2], onApr24...), 0},
		{"the next month", func(l deviceLog) read { return l.OnDuty("Liz", attr.Month(2020, time.May)) }, nil, 0},
		{"escalated", func(l deviceLog) read { return l.EscalatedTo("Sara") }, sarasOne, 0},
		{"escalated, a state", func(l deviceLog) read { return l.EscalatedIn("Sara", "WARNING4") }, sarasOne, 0},
		{"escalated, another state", func(l deviceLog) read { return l.EscalatedIn("Sara", "WARNING") }, nil, 0},
		{"escalated, a state on a day", func(l deviceLog) read {
			return l.EscalatedDuring("Sara", "WARNING4", attr.Day(2020, time.April, 27))
		}, sarasOne, 0},
		{"escalated, a state the day after", func(l deviceLog) read {
			return l.EscalatedDuring("Sara", "WARNING4", attr.Day(2020, time.April, 28))
		}, nil, 0},
		{"the last ten minutes", func(l deviceLog) read { return l.Recent("d#11223", 10*time.Minute) },
			[]string{"d#11223 WARNING4 27T16:15", "d#11223 WARNING4 27T16:10"}, 0},
		{"the last nine minutes", func(l deviceLog) read { return l.Recent("d#11223", 9*time.Minute) }, sarasOne, 0},
		{"the last minute", func(l deviceLog) read { return l.Recent("d#11223", time.Minute) }, nil, 0},
	}
	onBoth(t, rowsOf(t, reported), func(t *testing.T, l deviceLog) {
		for _, r := range requests {
			t.Run(r.name, func(t *testing.T) {
				got, err := r.read(l)(t.Context())
				require.NoError(t, err)
				require.Equal(t, result{r.want, len(r.want) + r.dropped, 0.5}, got)
			})
		}
	})
}

// Items that a filter drops still cost read units. A long report in another state makes the read
// with a filter expensive, but not the read by key.
func TestDroppedItemsCostReadUnits(t *testing.T) {
	t.Parallel()
	rows := rowsOf(t, reported)
	require.Equal(t, "NORMAL", rows[3].State)
	rows[3].Detail = strings.Repeat("x", 11_541)
	read := 0
	for _, r := range rows[:4] {
		item := rawItem(r)
		delete(item, "State#Date") // the first version of the table has none
		read += size(item)
	}
	require.Equal(t, 11_793, read)
	onBoth(t, rows, func(t *testing.T, l deviceLog) {
		got, err := l.InStateByFilter("d#12345", "WARNING1")(t.Context())
		require.NoError(t, err)
		require.Equal(t, result{warnings, 4, 1.5}, got)
		got, err = l.InState("d#12345", "WARNING1")(t.Context())
		require.NoError(t, err)
		require.Equal(t, result{warnings, 3, 0.5}, got)
	})
}

// A report is on the index as long as it is escalated.
func TestSettledReportIsNotOnTheIndex(t *testing.T) {
	t.Parallel()
	rows := rowsOf(t, reported)
	sara := rows[10]
	require.Equal(t, "Sara", sara.EscalatedTo)
	onBoth(t, rows, func(t *testing.T, l deviceLog) {
		waiting := func(who string) []string {
			got, err := l.EscalatedTo(who)(t.Context())
			require.NoError(t, err)
			require.Equal(t, len(got.rows), got.scanned)
			return got.rows
		}
		require.NoError(t, l.Settle(t.Context(), sara))
		require.Empty(t, waiting("Sara"))
		require.NoError(t, l.Escalate(t.Context(), sara, "Tom"))
		require.Empty(t, waiting("Sara"))
		require.Equal(t, sarasOne, waiting("Tom"))
		require.ErrorIs(t, l.Settle(t.Context(), Report{Device: "d#11223", State: "NORMAL", At: sara.At}), trestle.ErrNotFound)
	})
}

// A condition on the state WARNING1 does not match WARNING10. A prefix of the sort key may match
// both.
func TestStateDoesNotMatchLongerState(t *testing.T) {
	t.Parallel()
	ten := "d#12345 WARNING10 24T14:52"
	onBoth(t, rowsOf(t, reported+"d#12345 WARNING10 2020-04-24T14:52:00 Liz"), func(t *testing.T, l deviceLog) {
		for _, r := range []struct {
			name string
			read read
			want []string
		}{
			{"the state", l.InState("d#12345", "WARNING1"), warnings},
			{"the other state", l.InState("d#12345", "WARNING10"), []string{ten}},
			{"states with a prefix", l.InStates("d#12345", "WARNING1"), append(onApr24[:3:3], ten)},
			{"sort keys with a prefix", l.BySortKeyPrefix("d#12345", "WARNING1"), append(onApr24[:3:3], ten)},
			{"sort keys with a prefix that ends in the delimiter", l.BySortKeyPrefix("d#12345", "WARNING1#"), onApr24[:3]},
		} {
			got, err := r.read(t.Context())
			require.NoError(t, err)
			require.Equal(t, r.want, got.rows, r.name)
			require.Equal(t, len(r.want), got.scanned, r.name)
		}
	})
}
