package compilecost

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// entities is the number of entities in the generated package.
const entities = 30

// BenchmarkCompile builds a service of 30 entities. Each has a declaration, three handles and a
// data access object of seven methods. It also builds the same data access objects on the raw SDK.
// It reports the compiler's CPU time and memory for that one package, and the program size.
func BenchmarkCompile(b *testing.B) {
	for _, c := range []struct{ name, head, entity string }{
		{"with=trestle", trestleHead, trestleEntity},
		{"with=sdk", sdkHead, sdkEntity},
	} {
		b.Run(fmt.Sprintf("%s/entities=%d", c.name, entities), func(b *testing.B) {
			var total measured
			for i := range b.N {
				total.add(build(b, source(c.head, c.entity, entities, i)))
			}
			n := float64(b.N)
			b.ReportMetric(total.CPU.Seconds()/n, "compile-s")
			b.ReportMetric(total.CPU.Seconds()/n/entities, "compile-s/entity")
			b.ReportMetric(float64(total.Memory)/n/(1<<20), "peak-MB")
			b.ReportMetric(float64(total.Memory)/n/entities/(1<<20), "peak-MB/entity")
			b.ReportMetric(float64(total.Program)/n/(1<<20), "program-MB")
		})
	}
}

// The generated packages compile, and their cost is measured.
func TestGeneratedServices(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ head, entity string }{{trestleHead, trestleEntity}, {sdkHead, sdkEntity}} {
		m := build(t, source(c.head, c.entity, 1, 0))
		require.Positive(t, m.CPU)
		require.Positive(t, m.Memory)
		require.Positive(t, m.Program)
	}
}

// measured is the cost of compiling the generated package.
type measured struct {
	CPU     time.Duration // user and system time of all threads
	Memory  int64         // maximum resident set size in bytes
	Program int64         // size of the linked program in bytes
}

func (m *measured) add(o measured) {
	m.CPU += o.CPU
	m.Memory += o.Memory
	m.Program += o.Program
}

// source returns a program with n copies of the entity. Each salt makes a different program, so
// that no build cache has it.
func source(head, entity string, n, salt int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s\nconst salt = \"%d %d\"\n", head, salt, time.Now().UnixNano())
	for i := range n {
		s.WriteString(strings.ReplaceAll(entity, "Thing", fmt.Sprintf("Thing%d", i)))
	}
	s.WriteString("\nfunc main() {\n\tprintln(salt)\n")
	for i := range n {
		fmt.Fprintf(&s, "\tuse(newThing%dStore())\n", i)
	}
	s.WriteString("}\n")
	return s.String()
}

const imported = "github.com/trestledb/trestle/internal/compilecost/service"

// build builds a program that exists only in an overlay. It measures the compilation of the main
// package only. The imported packages come from the build cache.
func build(tb testing.TB, text string) measured {
	tb.Helper()
	dir := tb.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(tb, os.WriteFile(path, content, 0o600))
		return path
	}
	here, err := os.Getwd()
	require.NoError(tb, err)
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(here, "service", "main.go"): write("main.go", []byte(text))}})
	require.NoError(tb, err)
	self, err := os.Executable()
	require.NoError(tb, err)
	program, report := filepath.Join(dir, "program"), filepath.Join(dir, "report.json")
	build := exec.Command("go", "build", "-overlay", write("overlay.json", overlay), "-toolexec", self, "-o", program, imported)
	build.Env = append(os.Environ(), reportVariable+"="+report)
	out, err := build.CombinedOutput()
	require.NoError(tb, err, "%s", out)
	var m measured
	content, err := os.ReadFile(report)
	require.NoError(tb, err)
	require.NoError(tb, json.Unmarshal(content, &m))
	info, err := os.Stat(program)
	require.NoError(tb, err)
	m.Program = info.Size()
	return m
}

// reportVariable is the environment variable with the path of the report. If it is set, this test
// binary runs the tools of a build.
const reportVariable = "TRESTLE_COMPILE_REPORT"

func TestMain(m *testing.M) {
	if report := os.Getenv(reportVariable); report != "" {
		os.Exit(runTool(report, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// runTool runs a tool of the build. If the tool compiles the measured package, runTool writes a
// report.
func runTool(report string, args []string) int {
	tool := exec.Command(args[0], args[1:]...)
	tool.Stdin, tool.Stdout, tool.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := tool.Run()
	state := tool.ProcessState
	if state == nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	compiles := strings.TrimSuffix(filepath.Base(args[0]), ".exe") == "compile" && os.Getenv("TOOLEXEC_IMPORTPATH") == imported
	if !compiles || strings.HasPrefix(args[1], "-V") {
		return state.ExitCode()
	}
	m := measured{CPU: state.UserTime() + state.SystemTime(), Memory: peak(state)}
	content, err := json.Marshal(m)
	if err == nil {
		err = os.WriteFile(report, content, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return state.ExitCode()
}
