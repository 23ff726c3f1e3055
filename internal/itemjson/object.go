package itemjson

// Object reads the JSON object that begins at an offset of the body, after whitespace. It calls
// member with the name of each member and the offset of its value. member returns the offset after
// the value, which [Skip] finds. Object returns the offset after the object. An error is a
// *SyntaxError, or that of member.
func Object(body []byte, at int, member func(name []byte, at int) (end int, err error)) (end int, err error) {
	s := scanner{body: body}
	if end = s.object(max(at, 0), member); end < 0 {
		return 0, s.err
	}
	return end, nil
}

// object scans an object and calls member for each member.
func (s *scanner) object(i int, member func([]byte, int) (int, error)) int {
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
		name := s.body[i:end]
		if escaped {
			name = unescape(name)
		}
		if i = s.expect(end+1, ':'); i < 0 {
			return -1
		}
		if i, s.err = member(name, s.space(i)); s.err != nil {
			return -1
		}
		i, more = s.next(i, '}')
	}
	return i
}

// Array reads the JSON array that begins at an offset of the body, after whitespace. It calls
// element with the offset of each element. Otherwise it is like [Object].
func Array(body []byte, at int, element func(at int) (end int, err error)) (end int, err error) {
	s := scanner{body: body}
	if end = s.array(max(at, 0), element); end < 0 {
		return 0, s.err
	}
	return end, nil
}

func (s *scanner) array(i int, element func(int) (int, error)) int {
	if i = s.expect(i, '['); i < 0 {
		return -1
	}
	i, more := s.first(i, ']')
	for more {
		if i, s.err = element(i); s.err != nil {
			return -1
		}
		i, more = s.next(i, ']')
	}
	return i
}
