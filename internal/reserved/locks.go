package reserved

import "github.com/trestledb/trestle/internal/keyspace"

// LockType is the value of the type attribute of a lock.
const LockType = Prefix + "#lock"

// LockKey returns the key of a lock, as GuardKey does.
func LockKey(family, name string) (partition, sort, sortNumber string) {
	return spread(LockType + "#" + keyspace.Escaped.Segment(family) + "#" + keyspace.Escaped.Segment(name))
}
