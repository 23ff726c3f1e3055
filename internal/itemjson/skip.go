package itemjson

// Skip returns the offset after the JSON value that begins at an offset of the body, after
// whitespace. It checks the syntax. Values may be nested 100 levels deep. An error is a
// *SyntaxError.
func Skip(body []byte, at int) (end int, err error) {
	s := scanner{body: body}
	if end = s.skip(max(at, 0), 0); end < 0 {
		return 0, s.err
	}
	return end, nil
}

func (s *scanner) skip(i, depth int) int {
	if i = s.space(i); i >= len(s.body) {
		return s.fail(i, "the JSON is truncated")
	}
	switch s.body[i] {
	case '"':
		return s.skipText(i)
	case '{':
		return s.skipWithin(i+1, '}', depth)
	case '[':
		return s.skipWithin(i+1, ']', depth)
	default:
		return s.word(i)
	}
}

// skipText skips a text, from its first quote to its last.
func (s *scanner) skipText(i int) int {
	if i = s.expect(i, '"'); i < 0 {
		return -1
	}
	end, _, ok := textEnd(s.body, i)
	if !ok {
		return s.fail(end, "invalid text")
	}
	return end + 1
}

// skipWithin skips the members or elements of a container, which ends with the byte c.
func (s *scanner) skipWithin(i int, c byte, depth int) int {
	if depth >= maxDepth {
		return s.fail(i, "values are nested too deeply")
	}
	i, more := s.first(i, c)
	for more {
		if c == '}' {
			if i = s.skipText(i); i < 0 {
				return -1
			}
			if i = s.expect(i, ':'); i < 0 {
				return -1
			}
		}
		if i = s.skip(i, depth+1); i < 0 {
			return -1
		}
		i, more = s.next(i, c)
	}
	return i
}

// word scans a number, true, false or null.
func (s *scanner) word(i int) int {
	for _, word := range [...]string{"true", "false", "null"} {
		if end := i + len(word); end <= len(s.body) && string(s.body[i:end]) == word {
			return end
		}
	}
	return s.number(i)
}

// number scans a number.
func (s *scanner) number(i int) int {
	if i < len(s.body) && s.body[i] == '-' {
		i++
	}
	whole := s.digits(i)
	if whole == i || s.body[i] == '0' && whole > i+1 {
		return s.fail(i, "expected a value")
	}
	i = whole
	if i < len(s.body) && s.body[i] == '.' {
		end := s.digits(i + 1)
		if end == i+1 {
			return s.fail(end, "expected a digit")
		}
		i = end
	}
	if i < len(s.body) && s.body[i]|0x20 == 'e' {
		i++
		if i < len(s.body) && (s.body[i] == '-' || s.body[i] == '+') {
			i++
		}
		end := s.digits(i)
		if end == i {
			return s.fail(end, "expected a digit")
		}
		i = end
	}
	return i
}

// digits returns the offset of the first byte at or after i that is no digit.
func (s *scanner) digits(i int) int {
	for i < len(s.body) && '0' <= s.body[i] && s.body[i] <= '9' {
		i++
	}
	return i
}
