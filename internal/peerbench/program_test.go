package peerbench

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// programOf builds a program below programs, and returns its size without debug information, and
// how long the packages of this repository take to initialize.
func programOf(tb testing.TB, name string) sample {
	tb.Helper()
	program := filepath.Join(tb.TempDir(), name)
	output, err := exec.CommandContext(tb.Context(), "go", "build", "-ldflags=-s -w", "-o", program, "./programs/"+name).CombinedOutput()
	require.NoError(tb, err, "%s", output)
	info, err := os.Stat(program)
	require.NoError(tb, err)
	var inits []float64
	for range 11 {
		command := exec.CommandContext(tb.Context(), program)
		command.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		trace, err := command.CombinedOutput()
		require.NoError(tb, err, "%s", trace)
		inits = append(inits, float64(initOf(tb, string(trace))))
	}
	took, _ := median(inits)
	return sample{1, map[string]float64{programSize: float64(info.Size()), initTime: took}}
}

// initOf sums up the time of the packages of this repository in the output of GODEBUG=inittrace=1.
func initOf(tb testing.TB, trace string) (sum time.Duration) {
	tb.Helper()
	for line := range strings.Lines(trace) {
		if !strings.HasPrefix(line, "init github.com/trestledb/trestle") {
			continue
		}
		// init internal/bytealg @0.008 ms, 0.12 ms clock, 0 bytes, 0 allocs
		fields := strings.Fields(line)
		require.Greater(tb, len(fields), 5, line)
		ms, err := strconv.ParseFloat(fields[4], 64)
		require.NoError(tb, err, line)
		sum += time.Duration(ms * float64(time.Millisecond))
	}
	return sum
}

func TestInitOf(t *testing.T) {
	t.Parallel()
	require.Equal(t, 52*time.Microsecond, initOf(t, `init runtime @0.05 ms, 0.1 ms clock, 0 bytes, 0 allocs
init github.com/trestledb/trestle @6.6 ms, 0.050 ms clock, 0 bytes, 0 allocs
init github.com/trestledb/trestle/internal/core @6.6 ms, 0.002 ms clock, 896 bytes, 10 allocs
init main @7 ms, 1 ms clock, 0 bytes, 0 allocs
`))
}

// compileCost runs the benchmark of internal/compilecost, unless the duration is 0: the tests of
// that package run it too.
func compileCost(tb testing.TB, d time.Duration, with string) sample {
	tb.Helper()
	if d == 0 {
		return sample{1, map[string]float64{compileTime: 0, compileMemory: 0}}
	}
	command := exec.CommandContext(tb.Context(), "go", "test", "-run", "^$", "-bench", "^BenchmarkCompile$/^with="+with+"$", "-benchtime", "1x", ".")
	command.Dir = filepath.Join("..", "compilecost")
	output, err := command.CombinedOutput()
	require.NoError(tb, err, "%s", output)
	return sample{1, map[string]float64{
		compileTime:   metric(tb, string(output), "compile-s/entity") * float64(time.Second),
		compileMemory: metric(tb, string(output), "peak-MB/entity") * (1 << 20),
	}}
}

// metric returns the value of a unit in the output of a benchmark.
func metric(tb testing.TB, output, unit string) float64 {
	tb.Helper()
	fields := strings.Fields(output)
	for i, f := range fields {
		if i > 0 && f == unit {
			v, err := strconv.ParseFloat(fields[i-1], 64)
			require.NoError(tb, err)
			return v
		}
	}
	require.FailNow(tb, "the output has no "+unit, output)
	return 0
}
