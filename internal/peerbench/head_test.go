package peerbench

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fewRounds is the number of rounds below which the medians are too noisy to judge the limits.
const fewRounds = 5

// writeHead writes what was measured: the machine, and the versions of Go and of the libraries.
func writeHead(w io.Writer, rounds int) {
	fmt.Fprintf(w, "CPU: %s, %d used, %s/%s\n", cpuModel(), runtime.GOMAXPROCS(0), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(w, "Go: %s\n", strings.TrimPrefix(runtime.Version(), "go"))
	for _, l := range libraries() {
		fmt.Fprintf(w, "%s: %s\n", l[0], l[1])
	}
	fmt.Fprintf(w, "rounds: %d\n", rounds)
	if rounds < fewRounds {
		fmt.Fprintf(w, "WARNING: fewer than %d rounds are too noisy to judge the limits\n", fewRounds)
	}
	fmt.Fprintln(w)
}

var modelName = regexp.MustCompile(`(?m)^model name\s*:\s*(.+)$`)

// cpuModel returns the name of the CPU, if the system has it in a file.
func cpuModel() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	if m := modelName.FindSubmatch(info); m != nil {
		return string(m[1])
	}
	return "unknown"
}

var requirement = regexp.MustCompile(`(?m)^\s+(github\.com/(?:aws/(?:aws-sdk-go-v2(?:/feature\S+|/service/dynamodb)?|smithy-go)|guregu/dynamo/v2)) (v\S+)$`)

// libraries returns the modules that are compared, with their versions.
func libraries() (list [][2]string) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		return nil
	}
	for _, m := range requirement.FindAllSubmatch(text, -1) {
		list = append(list, [2]string{string(m[1]), string(m[2])})
	}
	return list
}

// The head names the libraries, and warns of few rounds.
func TestHead(t *testing.T) {
	t.Parallel()
	require.Len(t, libraries(), 5)
	for rounds, warns := range map[int]bool{1: true, fewRounds - 1: true, fewRounds: false, 9: false} {
		var text strings.Builder
		writeHead(&text, rounds)
		require.Contains(t, text.String(), "CPU: ")
		require.Contains(t, text.String(), "github.com/guregu/dynamo/v2: v")
		require.Contains(t, text.String(), "github.com/aws/aws-sdk-go-v2/service/dynamodb: v")
		require.Equal(t, warns, strings.Contains(text.String(), "WARNING"), rounds)
	}
}
