package maintain_test

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
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/maintain"
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
		require.NoError(t, testchecks.Items(ctx, table, 100))

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
			"NULL for a zero":      {"count", &types.AttributeValueMemberNULL{Value: true}, 0},
			"NULL without a field": {"more", &types.AttributeValueMemberNULL{Value: true}, 0},
			"no field":             {"more", avS("canary"), 1},
			"an empty value":       {"home", &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"city": avS("")}}, 0},
			"no type":              {"_type", nil, 1},
			"another type":         {"_type", avS("canary"), 1},
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
			err = testchecks.Items(ctx, table, 100)
			if c.found == 0 {
				require.NoError(t, err, name)
				continue
			}
			var drift *maintain.Error
			require.ErrorAs(t, err, &drift, name)
			require.Len(t, drift.Problems, c.found, name)
			require.NotContains(t, err.Error(), "canary")
			if name != "no time" && name != "a text of a number" { // undecodable
				require.Contains(t, drift.Problems[0].Text, c.attribute, name)
			}
		}

		_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: good})
		require.NoError(t, err)
		requireOutcome(t, testchecks.Items(ctx, table, 0), trestle.ErrInvalid, trestle.NoWrite)
		requireOutcome(t, testchecks.Items(ctx, nil, 1), trestle.ErrInvalid, trestle.NoWrite)
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
			var drift *maintain.Error
			require.ErrorAs(t, testchecks.Items(ctx, table, n), &drift)
			require.Len(t, drift.Problems, 1)
			require.Contains(t, drift.Problems[0].String(), " "+string(rune('0'+min(n, 5)))+" of "+string(rune('0'+min(n, 5)))+" items")
		}
	})
}

type keepsake struct {
	_     entity.Key     `type:"keepsake" pk:"KEEP#<id>" sk:"KEEP"`
	ID    string         `dynamodbav:"id"`
	Any   any            `dynamodbav:"any"`
	Map   map[string]any `dynamodbav:"map,omitempty"`
	List  []any          `dynamodbav:"list,omitempty"`
	At    time.Time      `dynamodbav:"at,omitempty"`
	Name  string         `dynamodbav:"name,omitempty"`
	Plain string         `dynamodbav:"plain"`
	Rate  float64        `dynamodbav:"rate,omitempty"`
	Home  *address       `dynamodbav:"home,omitempty"`
}

// A Get and a Put of the item leave it as it was, or CheckItems lists the attributes that they
// change, once for each.
func TestCheckItemsListsWhatAPutChanges(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := entity.NewSchema(entity.Config{})
		keepsakes := entity.Define[keepsake](s)
		client, table := open(t, e, s)
		repo := keepsakes.In(table)
		set := &types.AttributeValueMemberSS{Value: []string{"a", "b"}}
		long := avN("1234567890123456789")
		key := map[string]types.AttributeValue{"PK": avS("KEEP#k"), "SK": avS("KEEP")}
		for name, c := range map[string]struct {
			attribute string
			av        types.AttributeValue
			listed    bool
		}{
			"19 digits":                 {"any", long, false},
			"a long decimal":            {"any", avN("0.12345678901234567890123456789"), false},
			"a set":                     {"any", set, false},
			"within a map":              {"map", &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"n": long, "s": set}}, false},
			"within a list":             {"list", &types.AttributeValueMemberL{Value: []types.AttributeValue{long, set, avN("1")}}, false},
			"a zero time":               {"at", avS("0001-01-01T00:00:00Z"), true},
			"an empty text, omitempty":  {"name", avS(""), true},
			"an empty text":             {"plain", avS(""), false},
			"digits of a float64":       {"rate", long, true},
			"no field":                  {"more", avS("x"), true},
			"no field within an object": {"home", &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"more": avS("x")}}, true},
		} {
			item := map[string]types.AttributeValue{"_type": avS("keepsake"), "id": avS("k"), "plain": avS(""), c.attribute: c.av}
			for a, av := range key {
				item[a] = av
			}
			_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: item})
			require.NoError(t, err)
			before := stored(t, client, "things", key)
			err = testchecks.Items(ctx, table, 10)
			v, getErr := repo.Get(ctx, keepsake{ID: "k"})
			require.NoError(t, getErr, name)
			require.NoError(t, repo.Put(ctx, &v), name)
			after := stored(t, client, "things", key)
			if !c.listed {
				require.NoError(t, err, name)
				require.Equal(t, before[c.attribute], after[c.attribute], name)
				continue
			}
			var drift *maintain.Error
			require.ErrorAs(t, err, &drift, name)
			require.Len(t, drift.Problems, 1, name)
			require.Contains(t, drift.Problems[0].Text, c.attribute, name)
			require.NotEqual(t, before[c.attribute], after[c.attribute], name)
		}
	})
}

type address struct {
	City string `dynamodbav:"city"`
}
