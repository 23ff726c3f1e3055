package peerbench

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// writeTable writes the table in Markdown. It returns the lines that miss their limits, each with
// its number and the limit.
func writeTable(w io.Writer, rows []row, r results) (missed []string) {
	cells := [][]string{{"row", "task", "", "SDK", "guregu", "Trestle", "ratio", "asked", ""}}
	for i := range rows {
		for j := range rows[i].lines {
			number, task := "", ""
			if j == 0 {
				number, task = strconv.Itoa(rows[i].number), rows[i].task
			}
			l := &rows[i].lines[j]
			texts, ok := lineOf(l, r, rows[i].number)
			if !ok {
				missed = append(missed, fmt.Sprintf("row %d, %s: %s", rows[i].number, l.what, missOf(l, texts)))
			}
			cells = append(cells, append([]string{number, task}, texts...))
		}
	}
	writeCells(w, cells)
	return missed
}

// lineOf returns the cells of a line after the task. It returns false if the limit is missed, or if
// there is a limit and no value.
func lineOf(l *line, r results, number int) (cells []string, ok bool) {
	cells = []string{l.what}
	for _, subject := range []string{theSDK, guregu, l.subject()} {
		text := ""
		if v, ok := l.value(r, number, subject); ok {
			text = quantity(v, l.unit)
		}
		cells = append(cells, text)
	}
	figure, other, known := l.figure(r, number)
	ratio, asked, verdict := "", "", ""
	if known && l.how != alone {
		ratio = l.text(figure) + l.other(other)
	}
	ok = true
	if l.asked {
		asked, verdict = "≤ "+l.text(l.limit), "ok"
		if l.how == less || l.how == more {
			asked = "≥ " + l.text(l.limit)
		}
		if ok = known && l.holds(figure); !ok {
			verdict = "MISSED"
		}
	}
	return append(cells, ratio, asked, verdict), ok
}

// missOf returns the number of a line that misses its limit, and the limit, from its cells.
func missOf(l *line, cells []string) string {
	figure, asked := cells[4], cells[5]
	if l.how == alone {
		figure = cells[3] // there is no ratio
	}
	if figure == "" {
		figure = "no value"
	}
	return figure + ", asked " + asked
}

// writeCells writes the first line of the cells as the head of a table.
func writeCells(w io.Writer, cells [][]string) {
	widths := make([]int, len(cells[0]))
	for _, line := range cells {
		for i, c := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	rule := make([]string, len(widths))
	for i, n := range widths {
		rule[i] = strings.Repeat("-", max(n, 3))
	}
	for _, line := range slices.Insert(slices.Clone(cells), 1, rule) {
		for i, c := range line {
			fmt.Fprintf(w, "| %s%s ", c, strings.Repeat(" ", max(widths[i], 3)-utf8.RuneCountInString(c)))
		}
		fmt.Fprintln(w, "|")
	}
}

// The table shows medians and ratios, and which limits are missed.
func TestTable(t *testing.T) {
	t.Parallel()
	r := results{}
	for _, v := range []float64{900, 1000, 5000} {
		r.add(1, theSDK, sample{1, map[string]float64{processTime: v, allocations: 70, memory: 1}})
		r.add(1, guregu, sample{1, map[string]float64{processTime: v + 500}})
		r.add(1, "hand", sample{1, map[string]float64{processTime: 90}})
		r.add(1, ours, sample{1, map[string]float64{processTime: v / 10, allocations: 20, memory: 0}})
		r.add(2, theSDK, sample{1, map[string]float64{"items/s": 100}})
		r.add(2, ours, sample{1, map[string]float64{"items/s": 390, processTime: 160}})
	}
	rows := []row{
		{number: 1, task: "decode", lines: []line{
			asks("CPU", processTime, less, theSDK, 10),
			asks("CPU", processTime, less, guregu, 16),
			asks("CPU", processTime, portion, "hand", 1.2),
			asks("CPU", processTime, added, "hand", 11),
			atMost("allocations for each item", allocations, 2).perItem(10),
			shown("allocations", allocations),
			shown("memory", memory),
		}},
		{number: 2, task: "scan", lines: []line{
			asks("items in a second", "items/s", more, theSDK, 4),
			{what: "CPU", unit: processTime, how: portion, than: ours, row: 1, asked: true, limit: 1.5},
			atMost("unknown", "unknown", 1),
		}},
	}
	var text strings.Builder
	missed := writeTable(&text, rows, r)
	require.Equal(t, []string{
		"row 1, CPU: 15 × guregu, asked ≥ 16 ×",
		"row 2, items in a second: 3.90 × SDK, asked ≥ 4 ×",
		"row 2, CPU: 1.60 × row 1 (100 ns), asked ≤ 1.50 ×",
		"row 2, unknown: no value, asked ≤ 1",
	}, missed)
	require.Equal(t, strings.TrimPrefix(`
| row | task   |                           | SDK  | guregu  | Trestle | ratio                 | asked     |        |
| --- | ------ | ------------------------- | ---- | ------- | ------- | --------------------- | --------- | ------ |
| 1   | decode | CPU                       | 1 µs | 1.50 µs | 100 ns  | 10 × SDK              | ≥ 10 ×    | ok     |
|     |        | CPU                       | 1 µs | 1.50 µs | 100 ns  | 15 × guregu           | ≥ 16 ×    | MISSED |
|     |        | CPU                       | 1 µs | 1.50 µs | 100 ns  | 1.11 × hand (90 ns)   | ≤ 1.20 ×  | ok     |
|     |        | CPU                       | 1 µs | 1.50 µs | 100 ns  | + 10 ns hand (90 ns)  | ≤ + 11 ns | ok     |
|     |        | allocations for each item | 7    |         | 2       |                       | ≤ 2       | ok     |
|     |        | allocations               | 70   |         | 20      | 3.50 × SDK            |           |        |
|     |        | memory                    | 1 B  |         | 0 B     |                       |           |        |
| 2   | scan   | items in a second         | 100  |         | 390     | 3.90 × SDK            | ≥ 4 ×     | MISSED |
|     |        | CPU                       |      |         | 160 ns  | 1.60 × row 1 (100 ns) | ≤ 1.50 ×  | MISSED |
|     |        | unknown                   |      |         |         |                       | ≤ 1       | MISSED |
`, "\n"), text.String())
}
