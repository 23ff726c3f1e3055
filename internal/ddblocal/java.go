package ddblocal

import (
	"context"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

const (
	// oldestJava is the oldest major version that DynamoDB Local 3 supports.
	oldestJava   = 17
	javaPatience = 20 * time.Second // for java -version, which can be slow on a cold disk
)

// findJava returns the first java of JAVA_HOME and PATH that is new enough. Every error is an
// absence.
func findJava(ctx context.Context, h host) (string, error) {
	var candidates []string
	if home := h.getenv("JAVA_HOME"); home != "" {
		if found, err := exec.LookPath(filepath.Join(home, "bin", "java")); err == nil {
			candidates = append(candidates, found)
		}
	}
	if found, err := h.lookPath("java"); err == nil {
		candidates = append(candidates, found)
	}
	reason := absent("java is not on PATH")
	for _, java := range candidates {
		major, ok := javaMajor(ctx, java)
		switch {
		case !ok:
			reason = absent("java does not tell its version")
		case major < oldestJava:
			reason = absent("java is version %d, and must be %d or newer", major, oldestJava)
		default:
			return java, nil
		}
	}
	return "", reason
}

func javaMajor(ctx context.Context, java string) (major int, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, javaPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, java, "-version")
	cmd.WaitDelay = time.Second
	text, err := cmd.CombinedOutput()
	if err != nil {
		return 0, false
	}
	return parseJavaMajor(string(text))
}

var javaVersion = regexp.MustCompile(`(?m)^\S+ version "(\d+)(?:\.(\d+))?`)

// parseJavaMajor parses the output of java -version. "17.0.15" and "17-ea" give 17. Up to Java 8
// the major version is the second number, as in "1.8.0_292".
func parseJavaMajor(text string) (major int, ok bool) {
	m := javaVersion.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	digits := m[1]
	if digits == "1" && m[2] != "" {
		digits = m[2]
	}
	major, err := strconv.Atoi(digits)
	return major, err == nil
}
