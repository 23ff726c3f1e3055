package itemjson

import "bytes"

// Skip returns the offset after the JSON value that begins at an offset of the body, after
// whitespace. It requires that texts, objects and arrays end, and checks nothing else: the SDK
// parses what is skipped. An error is a *SyntaxError.
func Skip(body []byte, at int) (end int, err error) {
	s := scanner{body: body}
	if end = s.skip(s.space(max(at, 0))); end < 0 {
		return 0, s.err
	}
	return end, nil
}

func (s *scanner) skip(i int) int {
	for depth := 0; i < len(s.body); {
		switch s.body[i] {
		case '"':
			end, _, ok := textEnd(s.body, i+1)
			if !ok {
				return s.fail(end, "invalid text")
			}
			i = end + 1
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\t', '\n', '\r': // between the values in a container
			if depth == 0 {
				return s.fail(i, "expected a value")
			}
			i++
		default: // a number, true, false or null
			length := bytes.IndexAny(s.body[i:], ",:{}[]\" \t\n\r")
			if length < 0 {
				length = len(s.body) - i
			}
			i += length
		}
		switch {
		case depth == 0:
			return i
		case depth < 0:
			return s.fail(i-1, "expected a value")
		}
	}
	return s.fail(i, "the JSON is truncated")
}
