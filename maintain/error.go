package maintain

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs an error must not log its keys
	"slices"
	"strconv"
	"strings"
)

// Error lists the problems that a function found, or could not repair. If another error ends a run,
// such as that of its context, it is joined with the list of what was found before.
//
// Its text is safe to log in every format: it has the number of problems by type, name and kind,
// but no key.
type Error struct {
	Op       string // "check table", "check items", "check guards", "reindex", …
	Table    string
	Problems []Problem // at most 1,000, in the order of the types of the schema
	More     bool      // there may be more problems than are listed
	// Earlier is the number of problems of the earlier runs that this run continues by a token.
	// Only their errors list them.
	Earlier int
}

// Error lists the number of problems by type, name and kind, one line each.
func (e Error) Error() string {
	var lines []string
	numbers := map[string]int{}
	for _, p := range e.Problems {
		text := p.line()
		if numbers[text]++; numbers[text] == 1 {
			lines = append(lines, text)
		}
	}
	for i, text := range lines {
		if n := numbers[text]; n > 1 {
			lines[i] = fmt.Sprintf("%s (%d times)", text, n)
		}
	}
	if e.More {
		lines = append(lines, "there may be more problems")
	}
	if e.Earlier > 0 {
		lines = append(lines, fmt.Sprintf("earlier runs found %d problems, which their errors list (to list all of them again, start from the beginning)", e.Earlier))
	}
	return fmt.Sprintf("trestle: %s in %q: problems found:\n  %s", e.Op, e.Table, strings.Join(lines, "\n  "))
}

// Unwrap returns the errors of the problems.
func (e Error) Unwrap() (list []error) {
	for _, p := range e.Problems {
		if p.Err != nil {
			list = append(list, p.Err)
		}
	}
	return list
}

// Format prints the text of Error for every verb, because %+v of the fields would print keys.
func (e Error) Format(s fmt.State, verb rune) {
	text := e.Error()
	if verb == 'q' {
		text = strconv.Quote(text)
	}
	_, _ = io.WriteString(s, text)
}

// LogValue returns the operation, the table and the problems.
func (e Error) LogValue() slog.Value {
	attrs := []slog.Attr{slog.String("op", e.Op), slog.String("table", e.Table), slog.Bool("more", e.More)}
	for i, p := range e.Problems {
		attrs = append(attrs, slog.String(fmt.Sprintf("problem_%d", i), p.String()))
	}
	if e.Earlier > 0 {
		attrs = append(attrs, slog.Int("earlier", e.Earlier))
	}
	return slog.GroupValue(attrs...)
}

// MarshalJSON returns the operation, the table and the problems as JSON.
func (e Error) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Op       string    `json:"op"`
		Table    string    `json:"table"`
		Problems []Problem `json:"problems"`
		More     bool      `json:"more,omitempty"`
		Earlier  int       `json:"earlier,omitempty"`
	}{e.Op, e.Table, slices.Clone(e.Problems), e.More, e.Earlier})
}
