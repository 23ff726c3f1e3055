package ddbtest

import (
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/itemtext"
	"github.com/trestledb/trestle/ddbtest/internal/sdkvalue"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/stream"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Record is the stream record of one change of an item.
type Record struct {
	Event string // "INSERT", "MODIFY" or "REMOVE"
	Keys  map[string]types.AttributeValue
	// Old and New are the item before and after the change. They are nil if there is none, or if
	// the stream's view type leaves them out.
	Old, New map[string]types.AttributeValue
	Expired  bool // DynamoDB deleted the item because of its TTL

	ID       string // the same each time the record is read
	Sequence string // its position in the stream
	At       time.Time
	Size     int64  // in bytes
	View     string // the view type of the stream, such as "NEW_AND_OLD_IMAGES"
	Stream   string // the ARN of the stream
}

// Records are stream records in a form that can be printed, compared and handled.
type Records []Record

// Records returns all records of the table's stream that can still be read, the oldest first. They
// include those of streams that are closed, for example because the table was deleted. If there is
// no stream, it returns nil and fails the test of the database. Rules, budgets and cost ignore it,
// and [DB.Requests] does not list it.
func (db *DB) Records(table string) Records {
	db.test().Helper()
	if db.checkPlace() != nil {
		return nil
	}
	db.runDue()
	defer db.keepUnlessClosed()
	records := Records{}
	err := db.data.Store.View(func(s *store.State) error {
		all, ok := stream.OfTable(s, table, db.options.Region)
		switch {
		case !ok && s.Tables[table] == nil:
			return fault.NoTable(s, table)
		case !ok:
			return fmt.Errorf("the table %q has no stream: create it with a StreamSpecification", table)
		}
		for i := range all {
			records = append(records, newRecord(&all[i]))
		}
		return nil
	})
	if err != nil {
		db.report(fmt.Errorf("Records: %w", err))
		return nil
	}
	return records
}

func newRecord(r *stream.TableRecord) Record {
	d := &r.Dynamodb
	return Record{
		Event: r.EventName, Keys: sdkvalue.Attributes(d.Keys), Old: image(d.OldImage), New: image(d.NewImage),
		Expired: r.UserIdentity != nil,
		ID:      r.EventID, Sequence: d.SequenceNumber, At: time.Unix(int64(*d.ApproximateCreationDateTime), 0),
		Size: d.SizeBytes, View: d.StreamViewType, Stream: r.StreamARN,
	}
}

func image(m value.Map) map[string]types.AttributeValue {
	if m == nil {
		return nil
	}
	return sdkvalue.Attributes(m)
}

// JSON returns the records as plain JSON, like [Items.JSON], with one line for each of the keys and
// the images. It leaves out what differs from run to run: IDs, numbers and times.
func (records Records) JSON() string {
	objects := make([][]itemtext.Member, len(records))
	for i, r := range records {
		members := []itemtext.Member{{Name: "event", Value: itemtext.Text(r.Event)}}
		for _, m := range []struct {
			name string
			item map[string]types.AttributeValue
		}{{"keys", r.Keys}, {"old", r.Old}, {"new", r.New}} {
			if m.item != nil {
				members = append(members, itemtext.Member{Name: m.name, Value: itemtext.PlainItem(m.item)})
			}
		}
		if r.Expired {
			members = append(members, itemtext.Member{Name: "expired", Value: []byte("true")})
		}
		objects[i] = members
	}
	return itemtext.Objects(objects)
}
