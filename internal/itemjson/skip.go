package itemjson

// Skip returns the offset after the JSON value that begins at an offset of the body, after
// whitespace. It checks texts and counts brackets, but does not check the rest of the syntax. An
// error is a *SyntaxError.
func Skip(body []byte, at int) (end int, err error) {
	s := scanner{body: body}
	if end = s.skip(max(at, 0)); end < 0 {
		return 0, s.err
	}
	return end, nil
}

// skip uses no stack, so any depth is possible.
func (s *scanner) skip(i int) int {
	depth := 0
	for i = s.space(i); i < len(s.body); i = s.space(i) {
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
		case ',', ':':
			if depth == 0 {
				return s.fail(i, "expected a value")
			}
			i++
			continue
		default:
			if i = s.word(i); i < 0 {
				return -1
			}
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

// word scans a number, true, false or null.
func (s *scanner) word(i int) int {
	start := i
	for i < len(s.body) {
		c := s.body[i]
		if ('0' > c || c > '9') && ('a' > c|0x20 || c|0x20 > 'z') && c != '-' && c != '+' && c != '.' {
			break
		}
		i++
	}
	if i == start {
		return s.fail(i, "expected a value")
	}
	return i
}
