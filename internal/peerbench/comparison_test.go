package peerbench

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	rounds   = flag.Int("rounds", 0, "compare the libraries in this many rounds, print the table, and fail if a limit is missed")
	duration = flag.Duration("duration", 150*time.Millisecond, "the approximate duration of one measurement")
	only     = flag.Int("row", 0, "compare only this row")
	out      = flag.String("out", "", "the folder for the files for benchstat")
)

// TestComparison is `make bench`. Each round measures each subject of each row once. The subjects
// of a row take turns in another order in each round, so that a change of the machine's speed
// affects all of them.
func TestComparison(t *testing.T) {
	if *rounds == 0 {
		t.Skip("it runs with -rounds; make bench does")
	}
	rows := rows
	if *only > 0 {
		require.LessOrEqual(t, *only, len(rows))
		rows = rows[*only-1 : *only]
	}
	r := results{}
	subjects := make([][]subject, len(rows))
	for i := range rows {
		subjects[i] = rows[i].subjects(t)
	}
	for round := range *rounds {
		start := time.Now()
		for i := range rows {
			for _, s := range inOrder(subjects[i], round) {
				if round == 0 || !s.once {
					r.add(rows[i].number, s.name, s.measure(t, *duration))
				}
			}
		}
		fmt.Fprintf(os.Stderr, "round %d of %d: %.0f s\n", round+1, *rounds, time.Since(start).Seconds())
	}
	writeHead(os.Stdout, *rounds)
	missed := writeTable(os.Stdout, rows, r)
	if *out != "" {
		require.NoError(t, writeBenchstat(*out, rows, r))
	}
	for _, m := range missed {
		t.Error("missed:", m)
	}
}

// inOrder returns the subjects in the order of a round. Each subject is first as often as the
// others, and every other cycle is backwards.
func inOrder(all []subject, round int) []subject {
	n := len(all)
	turned := slices.Concat(all[round%n:], all[:round%n])
	if round/n%2 == 1 {
		slices.Reverse(turned)
	}
	return turned
}

// Each round has all subjects, in another order.
func TestOrderOfRounds(t *testing.T) {
	t.Parallel()
	all := []subject{{name: "a"}, {name: "b"}, {name: "c"}}
	seen := map[string]bool{}
	for round := range 6 {
		order := ""
		for _, s := range inOrder(all, round) {
			order += s.name
		}
		require.Len(t, order, 3)
		seen[order] = true
	}
	require.Len(t, seen, 6)
}

// Each subject does the task of its row once, and checks its result.
func TestRows(t *testing.T) {
	t.Parallel()
	for i := range rows {
		for _, s := range rows[i].subjects(t) {
			require.NotEmpty(t, s.measure(t, 0).values, "row %d, %s", rows[i].number, s.name)
		}
	}
}

// The table has all rows, in order, and compares each with the SDK.
func TestRowsAreComplete(t *testing.T) {
	t.Parallel()
	for i := range rows {
		require.Equal(t, i+1, rows[i].number)
		require.NotEmpty(t, rows[i].lines)
	}
	require.Len(t, rows, 18)
}
