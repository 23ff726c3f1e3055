package itemjson

import "bytes"

// Skip returns the offset after the JSON value that begins at an offset of the body, after
// whitespace. It requires that texts, objects and arrays end, and checks nothing else: the SDK
// parses what is skipped. An error is a *SyntaxError.
func Skip(body []byte, at int) (end int, err error) {
	i, depth := (&scanner{body: body}).space(max(at, 0)), 0
	for i < len(body) {
		switch body[i] {
		case '"':
			end, _, ok := textEnd(body, i+1)
			if !ok {
				return 0, syntaxError(body, end, "invalid text")
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
				return 0, syntaxError(body, i, "expected a value")
			}
			i++
		default: // a number, true, false or null
			length := bytes.IndexAny(body[i:], ",:{}[]\" \t\n\r")
			if length < 0 {
				length = len(body) - i
			}
			i += length
		}
		switch {
		case depth == 0:
			return i, nil
		case depth < 0:
			return 0, syntaxError(body, i-1, "expected a value")
		}
	}
	return 0, syntaxError(body, i, "the JSON is truncated")
}
