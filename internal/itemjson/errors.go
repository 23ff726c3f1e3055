package itemjson

import "strconv"

// SyntaxError reports JSON that is not an item. Its text holds no part of the JSON.
type SyntaxError struct {
	Offset int // in bytes, from the start of the body
	Reason string
}

// Error returns a text without any value.
func (e *SyntaxError) Error() string {
	return "itemjson: " + e.Reason + " at byte " + strconv.Itoa(e.Offset)
}

func syntaxError(body []byte, i int, reason string) error {
	return &SyntaxError{Offset: min(i, len(body)), Reason: reason}
}
