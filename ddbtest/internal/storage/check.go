package storage

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// The functions of this file reject what no database ever stores. The operations rely on it.

// validTable reports whether a table is valid, except for its items and its stream.
func validTable(t *store.Table) bool {
	if !strings.HasSuffix(t.ARN, ":table/"+t.Name) || !simpleKey(t.Key) || !validDefinition(t) {
		return false
	}
	names := map[string]bool{}
	for i, ix := range t.Indexes {
		if ix.Name == "" || names[ix.Name] || !validIndex(t, ix) || ix.Local && i > 0 && !t.Indexes[i-1].Local {
			return false
		}
		names[ix.Name] = true
	}
	return true
}

func validIndex(t *store.Table, ix *store.Index) bool {
	const most = 4 // attributes of each key type
	switch ix.Projection.Type {
	case "ALL", "KEYS_ONLY", "INCLUDE":
	default:
		return false
	}
	if ix.Local {
		return simpleKey(ix.Key) && len(ix.Key.Sort) == 1 && ix.Key.Partition[0] == t.Key.Partition[0]
	}
	return validKey(ix.Key) && len(ix.Key.Partition) <= most && len(ix.Key.Sort) <= most
}

// simpleKey reports whether a key is valid and has one partition key attribute and at most one sort
// key attribute.
func simpleKey(k store.KeySchema) bool {
	return validKey(k) && len(k.Partition) == 1 && len(k.Sort) <= 1
}

// validKey reports whether a key has a partition key, and distinct attributes of the types of keys.
func validKey(k store.KeySchema) bool {
	return len(k.Partition) > 0 && validAttributes(k.Attributes())
}

func validAttributes(attributes []store.KeyAttribute) bool {
	for i, a := range attributes {
		same := func(b store.KeyAttribute) bool { return a.Name == b.Name }
		if a.Name == "" || a.Kind < value.KindString || a.Kind > value.KindBinary || slices.ContainsFunc(attributes[:i], same) {
			return false
		}
	}
	return true
}

// validDefinition reports whether a table defines the attributes of all its keys.
func validDefinition(t *store.Table) bool {
	used := t.Key.Attributes()
	for _, ix := range t.Indexes {
		used = append(used, ix.Key.Attributes()...)
	}
	for _, a := range used {
		if !slices.Contains(t.Definition, a) {
			return false
		}
	}
	return validAttributes(t.Definition)
}

// validStream reports whether a stream is valid in a state whose tables are complete. A stream that
// takes records belongs to its table, and its last shard is the only open one.
func validStream(s *store.State, st *store.Stream) bool {
	open := st.ClosedAt.IsZero()
	if open {
		t := s.Tables[st.Table]
		if t == nil || t.StreamARN != st.ARN || !slices.Equal(t.Key.Attributes(), st.Key.Attributes()) || len(st.Shards) == 0 {
			return false
		}
	}
	if !simpleKey(st.Key) || st.Trimmed > s.Sequence || !slices.Contains(views, st.View) {
		return false
	}
	for i, sh := range st.Shards {
		last := open && i == len(st.Shards)-1
		ended := sh.End > sh.Start && sh.End <= s.Sequence
		if sh.ID == "" || sh.Start > s.Sequence || i > 0 && sh.Start <= st.Shards[i-1].End || last != (sh.End == 0) || !last && !ended {
			return false
		}
	}
	for _, c := range st.Records.From("") {
		if c.Sequence <= st.Trimmed || c.Sequence > s.Sequence {
			return false
		}
	}
	return true
}

var views = []string{"NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES", "KEYS_ONLY"}

// validRecord reports whether a record is a change of one item of its stream.
func validRecord(st *store.Stream, c store.Change) bool {
	for _, image := range []value.Map{c.Old, c.New} {
		if image != nil && !st.Key.Holds(image) {
			return false
		}
	}
	return c.Old != nil || c.New != nil
}
