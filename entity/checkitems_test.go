package entity_test

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

type sojourn struct {
	_     entity.Key   `type:"sojourn" pk:"VISIT#<id>" sk:"VISIT"`
	_     entity.Index `name:"by-guest" on:"GSI1" pk:"GUEST#<guest>" sk:"AT#<at:s>"`
	ID    string       `dynamodbav:"id"`
	Guest string       `dynamodbav:"guest"`
	At    time.Time    `dynamodbav:"at"`
	Count int          `dynamodbav:"count"`
	Tags  []string     `dynamodbav:"tags,stringset,omitempty"`
	Legs  []time.Time  `dynamodbav:"legs,omitempty"`
	Home  *address     `dynamodbav:"home,omitempty"`
}

// CheckItems reports each kind of change that a put of an item would make. It reports nothing for
// items that the library wrote, and no values.
func TestCheckItems(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		sojourns := entity.Define[sojourn](s)
		client, table := open(t, e, s)
		repo := sojourns.In(table)
		whole := sojourn{
			ID: "canary", Guest: "canary guest", At: time.Date(2026, 8, 1, 12, 0, 0, 5, time.FixedZone("", 3600)), Count: 7, Tags: []string{"b", "a"},
			Legs: []time.Time{time.Date(2026, 8, 1, 12, 0, 0, 0, time.FixedZone("", 3600))}, Home: &address{City: "canary city"},
		}
		require.NoError(t, repo.Put(ctx, &whole))
		require.NoError(t, repo.Put(ctx, &sojourn{ID: "bare"}))
		require.NoError(t, repo.Put(ctx, &sojourn{ID: "off the index", Guest: "canary guest"}))
		require.NoError(t, table.CheckItems(ctx, 100))

		key := map[string]types.AttributeValue{"PK": avS("VISIT#canary"), "SK": avS("VISIT")}
		good := stored(t, client, "things", key)
		for name, c := range map[string]struct {
			attribute string
			av        types.AttributeValue
			found     int
		}{
			"another zone":         {"at", avS("2026-08-01T12:00:00.000000005+01:00"), 1},
			"another zone within":  {"legs", &types.AttributeValueMemberL{Value: []types.AttributeValue{avS("2026-08-01T12:00:00+01:00")}}, 1},
			"no time":              {"at", avS("canary noon"), 1},
			"a text of a number":   {"count", avS("7"), 1},
			"a stale key":          {"GSI1SK", avS("AT#canary"), 1},
			"a missing key":        {"GSI1PK", nil, 1},
			"parts that none has":  {"home", &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"city": avS("canary"), "more": avS("canary")}}, 1},
			"a set in other order": {"tags", &types.AttributeValueMemberSS{Value: []string{"a", "b"}}, 0},
			"a number as well":     {"count", avN("7.0"), 0},
			"nothing for a zero":   {"count", nil, 0},
			"more":                 {"more", avS("canary"), 0},
			"another type":         {"_type", avS("canary"), 0},
		} {
			item := map[string]types.AttributeValue{}
			for a, av := range good {
				item[a] = av
			}
			if item[c.attribute] = c.av; c.av == nil {
				delete(item, c.attribute)
			}
			_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: item})
			require.NoError(t, err)
			err = table.CheckItems(ctx, 100)
			if c.found == 0 {
				require.NoError(t, err, name)
				continue
			}
			var drift *trestle.DriftError
			require.ErrorAs(t, err, &drift, name)
			require.Len(t, drift.Differences, c.found, name)
			require.NotContains(t, err.Error(), "canary")
			if name != "no time" && name != "a text of a number" { // undecodable
				require.Contains(t, drift.Differences[0], c.attribute, name)
			}
		}

		_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: good})
		require.NoError(t, err)
		requireOutcome(t, table.CheckItems(ctx, 0), trestle.ErrInvalid, trestle.NoWrite)
		requireOutcome(t, (*entity.Table)(nil).CheckItems(ctx, 1), trestle.ErrInvalid, trestle.NoWrite)
	})
}

// CheckItems reads at most the given number of items, in as many pages as needed.
func TestCheckItemsStopsAtItsLimit(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		sojourns := entity.Define[sojourn](s)
		client, table := open(t, e, s)
		for i := range 5 {
			v := sojourn{ID: strings.Repeat("v", i+1), Home: &address{City: strings.Repeat("x", 300_000)}}
			item, err := sojourns.Encode(&v)
			require.NoError(t, err)
			item["at"] = avS("2026-08-01T12:00:00+01:00")
			_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: item})
			require.NoError(t, err)
		}
		for _, n := range []int{1, 4, 5, 9} {
			var drift *trestle.DriftError
			require.ErrorAs(t, table.CheckItems(ctx, n), &drift)
			require.Len(t, drift.Differences, 1)
			require.Contains(t, drift.Differences[0], " "+string(rune('0'+min(n, 5)))+" of "+string(rune('0'+min(n, 5)))+" items")
		}
	})
}
