package wire

// maxNesting is the largest depth of a value that is skipped.
const maxNesting = 1000

// skip skips the value at the cursor, and checks its syntax.
func (c *cursor) skip() error {
	c.open = c.open[:0]
	for {
		opened, err := c.skipOne()
		if err != nil {
			return err
		}
		next, err := c.skipEnds(opened)
		if err != nil || !next {
			return err
		}
	}
}

// skipOne skips a scalar, or enters an object or an array.
func (c *cursor) skipOne() (opened bool, err error) {
	switch c.token() {
	case tokenObject:
		return true, c.push('}')
	case tokenArray:
		return true, c.push(']')
	case tokenString:
		_, err = c.string()
	case tokenNumber:
		_, _, err = c.number()
	case tokenTrue:
		err = c.word("true")
	case tokenFalse:
		err = c.word("false")
	case tokenNull:
		err = c.word("null")
	default:
		err = errMalformed()
	}
	return false, err
}

func (c *cursor) push(end byte) error {
	if len(c.open) == maxNesting {
		return errMalformed()
	}
	c.open = append(c.open, end)
	c.at++
	return nil
}

// skipEnds moves to the next part to skip, and reports whether there is one. first is true if a
// value was just entered.
func (c *cursor) skipEnds(first bool) (bool, error) {
	for len(c.open) > 0 {
		end := c.open[len(c.open)-1]
		more, err := c.more(end, first)
		switch {
		case err != nil:
			return false, err
		case more && end == '}':
			_, err := c.name()
			return true, err
		case more:
			return true, nil
		}
		c.open = c.open[:len(c.open)-1]
		first = false
	}
	return false, nil
}
