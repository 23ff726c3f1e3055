package stream

import (
	"cmp"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// TableRecord is a record with the ARN of its stream.
type TableRecord struct {
	api.Record
	StreamARN string
}

// OfTable returns all records of a table in the order of the changes: those of its stream and those
// of its closed streams. ok is false if the table never had a stream that can still be read.
func OfTable(s *store.State, table, region string) (records []TableRecord, ok bool) {
	var streams []*store.Stream
	for _, st := range s.Streams {
		if st.Table == table {
			streams = append(streams, st)
		}
	}
	slices.SortFunc(streams, func(a, b *store.Stream) int { return cmp.Compare(a.ARN, b.ARN) })
	for _, st := range streams {
		for _, c := range st.Records.From("") {
			records = append(records, TableRecord{newRecord(st, c, region), st.ARN})
		}
	}
	return records, len(streams) > 0
}
