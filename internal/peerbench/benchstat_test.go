package peerbench

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// writeBenchstat writes the samples of each subject to a file of its own, which benchstat reads. A
// row has the same name in all files, so that benchstat compares them.
func writeBenchstat(dir string, rows []row, r results) error {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // others may read the results
		return err
	}
	subjects := map[string]bool{}
	for _, of := range r {
		for name := range of {
			subjects[name] = true
		}
	}
	for name := range subjects {
		var text strings.Builder
		writeSamples(&text, rows, r, name)
		if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+".txt"), []byte(text.String()), 0o644); err != nil { //nolint:gosec // as above
			return err
		}
	}
	return nil
}

// writeSamples writes the samples of a subject in the format of go test -bench.
func writeSamples(w io.Writer, rows []row, r results, subject string) {
	fmt.Fprintf(w, "goos: %s\ngoarch: %s\npkg: github.com/trestledb/trestle/internal/peerbench\n", runtime.GOOS, runtime.GOARCH)
	for i := range rows {
		for _, s := range r[rows[i].number][subject] {
			fmt.Fprintf(w, "Benchmark%02d/%s-%d\t%d", rows[i].number, strings.ReplaceAll(rows[i].task, " ", "_"), runtime.GOMAXPROCS(0), s.n)
			for _, unit := range slices.Sorted(maps.Keys(s.values)) {
				fmt.Fprintf(w, "\t%.6g %s", s.values[unit], unit)
			}
			fmt.Fprintln(w)
		}
	}
}

func TestBenchstatFiles(t *testing.T) {
	t.Parallel()
	r := results{}
	r.add(7, theSDK, sample{100, map[string]float64{wallTime: 1234567.5, allocations: 3}})
	r.add(7, theSDK, sample{90, map[string]float64{wallTime: 2}})
	r.add(7, ours, sample{1, nil})
	dir := filepath.Join(t.TempDir(), "new")
	require.NoError(t, writeBenchstat(dir, []row{{number: 7, task: "put an item"}}, r))
	text, err := os.ReadFile(filepath.Join(dir, theSDK+".txt"))
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	procs := runtime.GOMAXPROCS(0)
	require.Equal(t, []string{
		fmt.Sprintf("Benchmark07/put_an_item-%d\t100\t3 allocs/op\t1.23457e+06 ns/op", procs),
		fmt.Sprintf("Benchmark07/put_an_item-%d\t90\t2 ns/op", procs),
		"",
	}, lines[3:])
	require.FileExists(t, filepath.Join(dir, ours+".txt"))
}
