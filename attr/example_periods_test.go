package attr_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

type Meeting struct {
	_    entity.Key `type:"meeting" pk:"ROOM#<room>" sk:"AT#<at:s>"`
	Room string     `dynamodbav:"room"`
	At   time.Time  `dynamodbav:"at"`
}

var (
	Calendar = entity.NewSchema(entity.Config{})
	Meetings = entity.Define[Meeting](Calendar)

	At = attr.Must(func(m *Meeting) *time.Time { return &m.At })
)

// A period includes its start and excludes its end, so the caller does not have to compute the last
// instant of a month.
func ExampleDuring() {
	ctx := context.Background()
	table, err := Calendar.Open(ddbtest.New(ddbtest.Options{}).Client(), "calendar")
	if err != nil {
		log.Fatal(err)
	}
	meetings := Meetings.In(table)
	err = table.Create(ctx)
	for _, at := range []time.Time{
		time.Date(2026, time.July, 31, 23, 0, 0, 0, time.UTC),
		time.Date(2026, time.August, 1, 9, 0, 0, 0, time.UTC),
		time.Date(2026, time.August, 31, 9, 30, 0, 0, time.UTC),
	} {
		err = errors.Join(err, meetings.Create(ctx, &Meeting{Room: "r1", At: at}))
	}
	if err != nil {
		log.Fatal(err)
	}
	august := attr.Month(2026, time.August)
	inOslo := august.In(time.FixedZone("CEST", 2*60*60))
	weekend := attr.Period{Start: august.Start, End: august.Start.Add(48 * time.Hour)}
	for _, c := range []struct {
		what string
		when attr.KeyCond[Meeting]
	}{
		{"in 2026", attr.During(At, attr.Year(2026))},
		{"in August", attr.During(At, august)},
		{"in August in Oslo", attr.During(At, inOslo)},
		{"on August 31", attr.During(At, attr.Day(2026, time.August, 31))},
		{"since August", attr.Since(At, august.Start)},
		{"before August", attr.Before(At, august.Start)},
		{"on August 1 and 2", attr.During(At, weekend)},
	} {
		n, err := query.Of(meetings, Meeting{Room: "r1"}).Where(c.when).Count(ctx)
		fmt.Println(c.what+":", n, err)
	}
	// Output:
	// in 2026: 3 <nil>
	// in August: 2 <nil>
	// in August in Oslo: 3 <nil>
	// on August 31: 1 <nil>
	// since August: 2 <nil>
	// before August: 1 <nil>
	// on August 1 and 2: 1 <nil>
}
