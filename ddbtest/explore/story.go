package explore

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// step is one line of the story of a run.
type step struct {
	process *process
	action  *action // nil if it was no choice
	request *request
	status  int
	body    []byte
	result  string // if there is no reply
	note    bool   // a client logged it
	plain   bool   // the fault could not act
}

// tell adds a step to the story, after the notes of clients that came before.
func (r *run) tell(s step) {
	r.mu.Lock()
	for _, note := range r.notes {
		r.steps = append(r.steps, step{result: note, note: true})
	}
	r.notes = nil
	r.mu.Unlock()
	r.steps = append(r.steps, s)
}

const (
	maxWidth   = 110 // characters of a line
	minRequest = 20
	minResult  = 16
)

// story returns the steps as a table.
func (r *run) story() string {
	r.mu.Lock()
	for _, note := range r.notes {
		r.steps = append(r.steps, step{result: note, note: true})
	}
	r.notes = nil
	r.mu.Unlock()
	rows := [][]string{{"step", "client", "request", "result"}}
	number := 0
	last := map[*process]*request{}
	for _, s := range r.steps {
		row := []string{"", s.client(), r.words(s.request), r.outcome(s)}
		if !s.note {
			number++
			row[0] = itoa(number)
		}
		if attempt := s.attempt(); attempt != "" && last[s.process] == s.request {
			row[2] = "the same, " + attempt
		}
		last[s.process] = s.request
		rows = append(rows, row)
	}
	return table(rows)
}

func (s step) client() string {
	if s.process == nil {
		return ""
	}
	return s.process.name
}

// attempt names the attempt of the SDK's retries, from the second one.
func (s step) attempt() string {
	if s.action == nil || s.action.call == nil || s.action.call.http == nil {
		return ""
	}
	attempt, _, _ := strings.Cut(s.action.call.http.Header.Get("Amz-Sdk-Request"), ";")
	n := strings.TrimPrefix(attempt, "attempt=")
	if n == "" || n == "1" {
		return ""
	}
	return "attempt " + n
}

// outcome returns what became of a step.
func (r *run) outcome(s step) string {
	if s.result != "" {
		return s.result
	}
	a := s.action
	reply := r.result(s)
	switch a.deed {
	case deliver:
		return "applied late: " + reply
	case forget:
		return "never applied"
	}
	if s.plain {
		return reply
	}
	switch a.fault {
	case LostRequest:
		return "LOST before it was applied"
	case LostReply:
		return "REPLY LOST: " + reply
	case LateRequest:
		return "LOST; it will be applied LATE"
	case Crash:
		if s.request == endOfClient {
			return "the client CRASHES after its last request"
		}
		return "the client CRASHES before it sends this"
	case StaleRead:
		return "STALE: " + reply
	case ServerErrorAfter:
		return "SERVER ERROR after it was executed: " + reply
	case Throttle, Conflict, ServerError:
		return "REFUSED: " + reply
	case Unprocessed:
		return "UNPROCESSED in part: " + reply
	default:
		return reply
	}
}

// table returns rows as text with aligned columns. The last two columns share the rest of the line
// and wrap.
func table(rows [][]string) string {
	var width [4]int
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	const gap = 2
	rest := maxWidth - width[0] - width[1] - 3*gap
	if width[2]+width[3] > rest {
		half := max(rest/2, minRequest)
		switch {
		case width[3] <= half:
			width[2] = rest - width[3]
		case width[2] <= half:
			width[3] = max(rest-width[2], minResult)
		default:
			width[2], width[3] = half, max(rest-half, minResult)
		}
	}
	var b strings.Builder
	for _, row := range rows {
		left, right := wrap(row[2], width[2]), wrap(row[3], width[3])
		for i := range max(len(left), len(right)) {
			first, second := "", ""
			if i == 0 {
				first, second = row[0], row[1]
			}
			line := fmt.Sprintf("%*s  %-*s  %-*s  %s", width[0], first, width[1], second, width[2], at(left, i), at(right, i))
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	return b.String()
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// wrap divides a text into lines of at most so many characters, at spaces where possible.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.SplitSeq(strings.ReplaceAll(text, "\n", " "), " ") {
		for {
			if joined := strings.TrimPrefix(line+" "+word, " "); utf8.RuneCountInString(joined) <= width {
				line = joined
				break
			}
			if line != "" {
				lines, line = append(lines, line), ""
				continue
			}
			runes := []rune(word)
			lines, word = append(lines, string(runes[:width])), string(runes[width:])
		}
	}
	return append(lines, line)
}
