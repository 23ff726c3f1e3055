package peerbench

import (
	"runtime"
	"testing"
	"time"
)

// The units of the values that calls measures, as benchstat knows them.
const (
	wallTime    = "ns/op"
	processTime = "cpu-ns/op"
	memory      = "B/op"
	allocations = "allocs/op"
)

// sample is the result of one measurement: the number of operations, and a value for each unit.
type sample struct {
	n      int
	values map[string]float64
}

// calls measures a function. It repeats the function for about a duration, or calls it once if the
// duration is 0.
func calls(tb testing.TB, d time.Duration, f func() error) sample {
	tb.Helper()
	for n := 1; ; {
		s := callTimes(tb, n, f)
		took := time.Duration(s.values[wallTime] * float64(n))
		if took >= d*3/4 {
			return s
		}
		// As in package testing: aim at the duration, and grow at most a hundredfold.
		n = max(n+1, min(100*n, int(float64(n)*float64(d)/float64(max(took, 1)))))
	}
}

// callTimes calls a function n times. The process time includes the garbage collector, and all
// goroutines of the process.
func callTimes(tb testing.TB, n int, f func() error) sample {
	tb.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	used, start := cpuTime(tb), time.Now()
	for range n {
		if err := f(); err != nil {
			tb.Fatal(err)
		}
	}
	took, used := time.Since(start), cpuTime(tb)-used
	runtime.ReadMemStats(&after)
	per := float64(n)
	return sample{n, map[string]float64{
		wallTime:    float64(took) / per,
		processTime: float64(used) / per,
		memory:      float64(after.TotalAlloc-before.TotalAlloc) / per,
		allocations: float64(after.Mallocs-before.Mallocs) / per,
	}}
}
