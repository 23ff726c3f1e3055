package query_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// event is an entity whose keys are declared by specs, so that schemas differ in them only.
type event struct {
	Owner string    `dynamodbav:"owner"`
	At    time.Time `dynamodbav:"at"`
	ID    string    `dynamodbav:"id"`
	Score int       `dynamodbav:"score"`
	Even  bool      `dynamodbav:"even"`
}

var (
	eventAt    = attr.Must(func(e *event) *time.Time { return &e.At })
	eventID    = attr.Must(func(e *event) *string { return &e.ID })
	eventScore = attr.Must(func(e *event) *int { return &e.Score })
	eventEven  = attr.Must(func(e *event) *bool { return &e.Even })
)

// eventPartitions are forms of the partition keys of events, on the table and on an index. The
// first one has one partition for each owner.
var eventPartitions = []struct {
	name, table, index string
	shards             []int
	period             time.Duration // 0: none
}{
	{name: "one partition", table: "E#<owner>", index: "S#<owner>"},
	{name: "computed shard", table: "E#<owner>#<shard:id>", index: "S#<owner>#<shard:id>", shards: []int{5}},
	{name: "several fields", table: "E#<shard:owner,at,id>#<owner>", index: "S#<shard:at,owner>#<owner>", shards: []int{3}},
	{name: "shard of the whole key", table: "E#<owner>", index: "S#<owner>#<shard>", shards: []int{2, 7}},
	{name: "days", table: "E#<owner>#<at:day>", index: "S#<owner>#<at:day>", period: 24 * time.Hour},
	{name: "hours with shards", table: "E#<owner>#<at:hour>#<shard:id>", index: "S#<owner>#<at:hour>#<shard>", shards: []int{3}, period: time.Hour},
}

// eventSchema returns a schema of events. One number of shards applies to the table, too.
func eventSchema(partition, index, sort string, shards []int) (*entity.Schema, *entity.Type[event]) {
	spec := entity.Spec{
		Type: "event", Key: entity.KeySpec{PK: partition, SK: sort},
		Indexes: []entity.IndexSpec{{Name: "by-score", On: "GSI1", PK: index, SK: "<score:04>"}},
	}
	if strings.Contains(partition, "<shard") {
		spec.Key.Shards = shards[:1]
	}
	if strings.Contains(index, "<shard") {
		spec.Indexes[0].Shards = shards
	}
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	return s, entity.DefineSpec[event](s, spec)
}

// openEvents opens a table of events with one of the forms.
func openEvents(t *testing.T, form int, sort string) (*ddbtest.DB, *entity.Repo[event]) {
	t.Helper()
	db := ddbtest.Start(t)
	return db, eventsOn(t, db.Client(), form, sort, entity.PlainCursors())
}

// eventStart is the first time of events.
var eventStart = time.Date(2026, 2, 27, 20, 0, 0, 0, time.UTC)

// randomEvents returns events of one owner within four days, several of them at the same time.
func randomEvents(r *rand.Rand, n int) []event {
	list := make([]event, n)
	for i := range list {
		at := eventStart.Add(time.Duration(r.IntN(96*60)) * time.Minute)
		if i > 0 && r.IntN(4) == 0 {
			at = list[i-1].At
		}
		list[i] = event{Owner: "o", At: at, ID: fmt.Sprintf("%c%d", 'a'+rune(r.IntN(3)), i), Score: r.IntN(12), Even: r.IntN(2) == 0}
	}
	return list
}

// eventsOn creates a table of events with a form.
func eventsOn(t *testing.T, client trestle.Client, form int, sort string, options ...entity.TableOption) *entity.Repo[event] {
	t.Helper()
	s, events := eventSchema(eventPartitions[form].table, eventPartitions[form].index, sort, eventPartitions[form].shards)
	table, err := s.Open(client, fmt.Sprintf("events-%d", form), options...)
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	return events.In(table)
}

// pointersTo yields pointers to the elements of a slice.
func pointersTo[T any](list []T) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

func eventIDs(list []event) (ids []string) {
	for _, e := range list {
		ids = append(ids, e.ID)
	}
	return ids
}
