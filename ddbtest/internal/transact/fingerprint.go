package transact

import (
	"crypto/sha256"
	"maps"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// fingerprint returns equal strings for requests with equal actions, whatever the order of their
// members and the spelling of their numbers.
func fingerprint(writes []item.Write) string {
	var e value.Encoding
	for _, write := range writes {
		encodeWrite(&e, write)
	}
	sum := sha256.Sum256(e)
	return string(sum[:])
}

// encodeWrite appends all that an action says.
func encodeWrite(e *value.Encoding, w item.Write) {
	e.Int(int64(w.Kind))
	e.Text(w.TableName)
	e.Value(w.Item)
	encodeOptional(e, w.Update)
	encodeOptional(e, w.Condition)
	e.Text(w.OnFailure)
	e.Count(len(w.Names))
	for _, name := range slices.Sorted(maps.Keys(w.Names)) {
		e.Text(name)
		e.Text(w.Names[name])
	}
	e.Count(len(w.Values))
	for _, name := range slices.Sorted(maps.Keys(w.Values)) {
		e.Text(name)
		e.Value(w.Values[name])
	}
}

func encodeOptional(e *value.Encoding, s *string) {
	e.Flag(s != nil)
	if s != nil {
		e.Text(*s)
	}
}
