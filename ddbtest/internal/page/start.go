package page

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// resume continues after the start key, if there is one. Outside is the error for a start key
// outside the range.
func (r *pageReader) resume(outside string) error {
	if r.startKey == nil {
		return nil
	}
	place, err := r.source.encodeStartKey(r.startKey)
	if err != nil {
		return err
	}
	for i, s := range r.spans {
		if s.bounds.contains(place) {
			r.spans = slices.Clone(r.spans[i:])
			r.spans[0].bounds = s.bounds.after(place, r.forward)
			return nil
		}
	}
	return awserr.Validation("%s", outside)
}

// encodeStartKey returns the encoded start key, or an error if it is not a valid position in the
// source.
func (s source) encodeStartKey(key value.Map) (string, error) {
	if len(key) != s.positionSize() {
		return "", awserr.Validation("The provided starting key is invalid")
	}
	own := s.table.Key.Pick(key)
	if err := check.Key(s.table.Key, own); err != nil {
		return "", awserr.Validation("The provided starting key is invalid: %s", message(err))
	}
	if s.index != nil && !s.key.Holds(key) {
		return "", awserr.Validation("The provided starting key is invalid")
	}
	return s.place(key), nil
}

func message(err error) string {
	if e, ok := err.(*awserr.Error); ok { //nolint:errorlint // package check makes no other
		return e.Message
	}
	return err.Error()
}
