package peerbench

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/define"
)

// The units of what the library costs a program.
const (
	programSize   = "B/program"
	initTime      = "ns/init"
	compileTime   = "compile-ns/entity"
	compileMemory = "compile-B/entity"
)

// defineRow compiles the plan of a type, as Define does, and measures programs. The SDK has no
// plan. Its program makes the same requests as that of Trestle.
var defineRow = row{
	number: 18, task: "a type compiled at Define, and what the library adds to a program",
	subjects: func(tb testing.TB) []subject {
		tb.Helper()
		s, issues := define.Schema(trestle.Config{Indexes: []trestle.IndexConfig{{Name: "GSI1"}}})
		require.Empty(tb, issues)
		t := reflect.TypeFor[Order]()
		return []subject{
			called(ours, func(context.Context) error {
				if plan, issues := define.Compile(s, t, markers, nil); len(issues) > 0 || plan.Name != "order" {
					return define.Err(issues)
				}
				return nil
			}),
			{name: ours, once: true, measure: func(tb testing.TB, _ time.Duration) sample {
				tb.Helper()
				return programOf(tb, "trestle")
			}},
			{name: theSDK, once: true, measure: func(tb testing.TB, _ time.Duration) sample {
				tb.Helper()
				return programOf(tb, "sdk")
			}},
			{name: ours, once: true, measure: func(tb testing.TB, d time.Duration) sample {
				tb.Helper()
				return compileCost(tb, d, "trestle")
			}},
			{name: theSDK, once: true, measure: func(tb testing.TB, d time.Duration) sample {
				tb.Helper()
				return compileCost(tb, d, "sdk")
			}},
		}
	},
	lines: []line{
		atMost("CPU of Define", processTime, float64(60*time.Microsecond)),
		shown("allocations of Define", allocations),
		asks("size of the program", programSize, added, theSDK, 2.8e6),
		atMost("init of the library", initTime, float64(200*time.Microsecond)),
		atMost("compiler's CPU per entity", compileTime, float64(280*time.Millisecond)),
		atMost("compiler's memory per entity", compileMemory, 16<<20),
	},
}
