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

// Member is a member of any JSON object: its name, and the offsets of its value.
type Member struct {
	Name       string
	Start, End int
}

// Object returns the members of the JSON object that begins at an offset of the body, after
// whitespace, and the offset after it. It skips their values. An error is a *SyntaxError.
func Object(body []byte, at int) (members []Member, end int, err error) {
	s := scanner{body: body}
	if end = s.object(max(at, 0), func(m Member) { members = append(members, m) }); end < 0 {
		return nil, 0, s.err
	}
	return members, end, nil
}

// object scans an object and calls yield for each member.
func (s *scanner) object(i int, yield func(Member)) int {
	if i = s.expect(i, '{'); i < 0 {
		return -1
	}
	i, more := s.first(i, '}')
	for more {
		if i = s.expect(i, '"'); i < 0 {
			return -1
		}
		end, escaped, ok := textEnd(s.body, i)
		if !ok {
			return s.fail(end, "invalid text")
		}
		m := Member{Name: string(s.body[i:end])}
		if escaped {
			m.Name = string(unescape(s.body[i:end]))
		}
		if i = s.expect(end+1, ':'); i < 0 {
			return -1
		}
		m.Start = s.space(i)
		if i = s.skip(i); i < 0 {
			return -1
		}
		m.End = i
		yield(m)
		i, more = s.next(i, '}')
	}
	return i
}
