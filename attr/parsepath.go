package attr

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trestledb/trestle/internal/core"
)

// parsePath parses a run-time path: names joined by dots, indexes in brackets, quoted names as Go
// strings.
func parsePath(text string) ([]*core.Step, error) {
	if !utf8.ValidString(text) {
		return nil, pathError(0, "is not UTF-8")
	}
	var steps []*core.Step
	for at := 0; at < len(text); {
		step, n, err := parseStep(text, at)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
		at += n
	}
	if len(steps) == 0 {
		return nil, pathError(0, "is empty")
	}
	return steps, nil
}

// parseStep parses the step at an offset. It returns the length of the step in bytes, including the
// dot before it.
func parseStep(text string, at int) (*core.Step, int, error) {
	rest, dot := text[at:], min(at, 1)
	switch {
	case at > 0 && rest[0] == '[':
		return parseIndex(rest, at)
	case at > 0 && rest[0] != '.':
		return nil, 0, pathError(at, "needs a dot or a bracket")
	}
	name, n, err := parseName(rest[dot:], at+dot)
	return &core.Step{Kind: core.StepName, Name: name}, n + dot, err
}

func parseIndex(rest string, at int) (*core.Step, int, error) {
	digits, _, closed := strings.Cut(rest[1:], "]")
	if !closed {
		return nil, 0, pathError(at, "has an unclosed bracket")
	}
	i, err := strconv.ParseUint(digits, 10, 31)
	if err != nil || i > math.MaxInt32 || digits != strconv.FormatUint(i, 10) {
		return nil, 0, pathError(at+1, "needs an index, counted from 0,")
	}
	return &core.Step{Kind: core.StepAt, At: int(i)}, len(digits) + 2, nil
}

func parseName(rest string, at int) (name string, n int, err error) {
	if strings.HasPrefix(rest, `"`) {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return "", 0, pathError(at, "has an unclosed quote")
		}
		name, err = strconv.Unquote(quoted)
		if err != nil || name == "" || !utf8.ValidString(name) {
			return "", 0, pathError(at, "needs a name")
		}
		return name, len(quoted), nil
	}
	n = strings.IndexAny(rest, special)
	if n < 0 {
		n = len(rest)
	}
	if n == 0 {
		return "", 0, pathError(at, "needs a name")
	}
	return rest[:n], n, nil
}

// special holds the characters that require a quoted name.
const special = `.[]"`

// pathError returns an error with the offset in a path. It does not include the path, which may be
// user input.
func pathError(offset int, reason string) error {
	return fmt.Errorf(`attr: the path %s at offset %d (its form is name.name[3] or name."a name"[3])`, reason, offset)
}
