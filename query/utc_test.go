package query_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

type meeting struct {
	_     entity.Key  `type:"meeting" pk:"ROOM#<room>" sk:"M#<id>"`
	Room  string      `dynamodbav:"room"`
	ID    string      `dynamodbav:"id"`
	When  time.Time   `dynamodbav:"when"`
	Slots []time.Time `dynamodbav:"slots"`
}

var (
	meetingWhen  = attr.Must(func(m *meeting) *time.Time { return &m.When })
	meetingSlots = attr.Must(func(m *meeting) *[]time.Time { return &m.Slots })
)

// Times of any time zone are stored in UTC by every operation. Times in conditions are converted to
// UTC too.
func TestTimesOfAnyZoneAreComparedAsTimes(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{})
		meetings := entity.Define[meeting](s)
		client := e.Client(t)
		table, err := s.Open(client, "rooms")
		require.NoError(t, err)
		ctx := t.Context()
		require.NoError(t, table.Create(ctx))
		repo := meetings.In(table)

		utc := time.Date(2026, 8, 1, 11, 0, 0, 0, time.UTC)
		at := utc.In(time.FixedZone("CET", 3600)) // 12:00+01:00
		require.NoError(t, repo.Put(ctx, &meeting{Room: "r", ID: "put", When: at, Slots: []time.Time{at}}))
		_, err = repo.Upsert(ctx, meeting{Room: "r", ID: "set"}, meetingWhen.Set(at), attr.Append(meetingSlots, at))
		require.NoError(t, err)

		half, other := utc.Add(30*time.Minute), utc.In(time.FixedZone("", -7*3600))
		for name, cond := range map[string]attr.Cond[meeting]{
			"before":      attr.Before(meetingWhen, half),
			"before east": attr.Before(meetingWhen, half.In(time.FixedZone("", 9*3600))),
			"since":       attr.Since(meetingWhen, other),
			"during":      attr.During(meetingWhen, attr.Day(2026, 8, 1)),
			"equal":       meetingWhen.Eq(other),
			"in":          meetingWhen.In(other, half),
			"between":     meetingWhen.Between(other, half),
			"not another": meetingWhen.Ne(half),
			"element":     attr.Contains(meetingSlots, other),
		} {
			found, err := query.Of(repo, meeting{Room: "r"}).Filter(cond).Collect(ctx)
			require.NoError(t, err, name)
			require.Len(t, found, 2, name)
			for _, m := range found {
				require.Equal(t, utc, m.When, "%s: it comes back in UTC", name)
			}
		}

		// The negative control stores a text in another time zone, as another program may do. A
		// condition on the time does not find it.
		key, err := meetings.KeyOf(meeting{Room: "r", ID: "put"})
		require.NoError(t, err)
		item, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("rooms"), Key: key})
		require.NoError(t, err)
		item.Item["when"] = &types.AttributeValueMemberS{Value: "2026-08-01T12:00:00+01:00"}
		_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("rooms"), Item: item.Item})
		require.NoError(t, err)
		found, err := query.Of(repo, meeting{Room: "r"}).Filter(attr.Before(meetingWhen, half)).Collect(ctx)
		require.NoError(t, err)
		require.Len(t, found, 1)
		got, err := repo.Get(ctx, meeting{Room: "r", ID: "put"})
		require.NoError(t, err)
		require.True(t, got.When.Equal(utc), "it is read as the time it is")
	})
}
