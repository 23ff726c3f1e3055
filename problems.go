package trestle

import (
	"encoding/json"
	"fmt"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs an error must not log its keys
	"slices"
	"strings"
)

// problemList is the list of an error that has the problems of a table. The texts of problems
// contain no key.
type problemList[P fmt.Stringer] struct {
	table    string
	problems []P
	more     bool
	earlier  int // problems of earlier runs
}

// text lists each line with the number of problems that it describes.
func (l problemList[P]) text(subject string, line func(P) string) string {
	var lines []string
	numbers := map[string]int{}
	for _, p := range l.problems {
		text := line(p)
		if numbers[text]++; numbers[text] == 1 {
			lines = append(lines, text)
		}
	}
	for i, text := range lines {
		if n := numbers[text]; n > 1 {
			lines[i] = fmt.Sprintf("%s (%d times)", text, n)
		}
	}
	if l.more {
		lines = append(lines, "there may be more problems")
	}
	if l.earlier > 0 {
		lines = append(lines, fmt.Sprintf("earlier runs found %d problems, which their errors list (to list all of them again, start from the beginning)", l.earlier))
	}
	return fmt.Sprintf("trestle: %s in table %q have problems:\n  %s", subject, l.table, strings.Join(lines, "\n  "))
}

// errors returns the errors of the problems that have one.
func (l problemList[P]) errors(of func(P) error) []error {
	var list []error
	for _, p := range l.problems {
		if err := of(p); err != nil {
			list = append(list, err)
		}
	}
	return list
}

func (l problemList[P]) logValue() slog.Value {
	attrs := []slog.Attr{slog.String("table", l.table), slog.Bool("more", l.more)}
	for i, p := range l.problems {
		attrs = append(attrs, slog.String(fmt.Sprintf("problem_%d", i), p.String()))
	}
	if l.earlier > 0 {
		attrs = append(attrs, slog.Int("earlier", l.earlier))
	}
	return slog.GroupValue(attrs...)
}

func (l problemList[P]) json() ([]byte, error) {
	return json.Marshal(struct {
		Table    string `json:"table"`
		Problems []P    `json:"problems"`
		More     bool   `json:"more,omitempty"`
		Earlier  int    `json:"earlier,omitempty"`
	}{l.table, slices.Clone(l.problems), l.more, l.earlier})
}

// problemPlace returns the names of a type and one of its declarations before the text of a
// problem; either may be empty.
func problemPlace(entity, name string) string {
	if name != "" {
		entity += " " + name
	}
	if entity == "" {
		return ""
	}
	return entity + ": "
}

// problemText returns the text of a problem with its error, which may be nil.
func problemText(text string, err error) string {
	if err != nil {
		text += ": " + err.Error()
	}
	return text
}
