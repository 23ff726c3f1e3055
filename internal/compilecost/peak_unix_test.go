//go:build unix

package compilecost

import (
	"os"
	"runtime"
	"syscall"
)

// peak returns the maximum resident set size in bytes.
func peak(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss) //nolint:unconvert // it has 32 bits on some systems
	}
	return int64(usage.Maxrss) << 10 //nolint:unconvert // other systems report kilobytes
}
