package peerbench

import (
	"syscall"
	"testing"
	"time"
)

// cpuTime returns the CPU time of the process, including that of the garbage collector. Other
// processes disturb it less than the wall time.
func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
