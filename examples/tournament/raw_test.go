package main

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// These are the rows of an existing table. The key attributes have other names, a hyphen is the
// delimiter, and IDs are in keys only. It has no type attribute.
type (
	detailsRow struct {
		_        entity.Key `pk:"<tournament>" sk:"tournament-details"`
		ID       string     `dynamodbav:"tournament" entity:"key"`
		Location string     `dynamodbav:"location"`
		Date     time.Time  `dynamodbav:"date"`
		Game     string     `dynamodbav:"game"`
		Prize    int        `dynamodbav:"prize"`
		Rules    string     `dynamodbav:"rules"`
	}
	matchRow struct {
		_          entity.Key `pk:"<tournament>" sk:"match-<match>"`
		Tournament string     `dynamodbav:"tournament" entity:"key"`
		ID         string     `dynamodbav:"match" entity:"key"`
		Home       string     `dynamodbav:"home"`
		Away       string     `dynamodbav:"away"`
	}
	playerRow struct {
		_          entity.Key `pk:"<tournament>" sk:"player-<player>"`
		Tournament string     `dynamodbav:"tournament" entity:"key"`
		ID         string     `dynamodbav:"player" entity:"key"`
		Name       string     `dynamodbav:"name"`
	}
	teamRow struct {
		_          entity.Key `pk:"<tournament>" sk:"team-<team>"`
		Tournament string     `dynamodbav:"tournament" entity:"key"`
		ID         string     `dynamodbav:"team" entity:"key"`
		Name       string     `dynamodbav:"name"`
	}
)

// rawRows are the four existing items: sort key and other attributes.
const rawRows = `
match-m1           home=t1 away=t2
player-p1          name=Ada
team-t1            name=Stones
tournament-details location=Oslo date=2026-09-05T00:00:00Z game=Go prize=5000 rules=Japanese
`

// rawItem returns a row as the SDK stores it.
func rawItem(line string) map[string]types.AttributeValue {
	words := strings.Fields(line)
	item := map[string]types.AttributeValue{
		"partitionKey": &types.AttributeValueMemberS{Value: cup}, "sortKey": &types.AttributeValueMemberS{Value: words[0]},
	}
	for _, word := range words[1:] {
		name, text, _ := strings.Cut(word, "=")
		item[name] = &types.AttributeValueMemberS{Value: text}
		if _, err := strconv.Atoi(text); err == nil {
			item[name] = &types.AttributeValueMemberN{Value: text}
		}
	}
	return item
}

func putRaw(t *testing.T, client *dynamodb.Client, item map[string]types.AttributeValue) {
	t.Helper()
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("tournaments"), Item: item})
	require.NoError(t, err)
}

// rawModel reads the existing table.
type rawModel struct {
	details *entity.Repo[detailsRow]
	matches *entity.Repo[matchRow]
	players *entity.Repo[playerRow]
	teams   *entity.Repo[teamRow]
	basics  entity.Projection[detailsRow, Basics]
}

func rawSchema() *entity.Schema {
	return entity.NewSchema(entity.Config{
		Partition: entity.S("partitionKey"), Sort: entity.S("sortKey"), Delimiter: "-", TypeAttribute: entity.None, WriteID: entity.None,
	})
}

// newRawModel creates the table and stores its rows with the SDK alone.
func newRawModel(t *testing.T, m meter) model {
	t.Helper()
	s := rawSchema()
	details, matches := entity.Define[detailsRow](s), entity.Define[matchRow](s)
	players, teams := entity.Define[playerRow](s), entity.Define[teamRow](s)
	basics := entity.Project[Basics](details)
	table := opened(t, s, m)
	for row := range strings.Lines(strings.TrimSpace(rawRows)) {
		putRaw(t, m.Client, rawItem(row))
	}
	return rawModel{details.In(table), matches.In(table), players.In(table), teams.In(table), basics}
}

func (b rawModel) Everything(ctx context.Context, id string) ([]string, error) {
	return lines(query.Items(ctx, query.Of(b.details, detailsRow{ID: id}).Collection()))
}

func (b rawModel) Teams(ctx context.Context, id string) ([]string, error) {
	return lines(query.Of(b.teams, teamRow{Tournament: id}).All(ctx))
}

func (b rawModel) Players(ctx context.Context, id string) ([]string, error) {
	return lines(query.Of(b.players, playerRow{Tournament: id}).All(ctx))
}

func (b rawModel) TeamsBySortKeyPrefix(ctx context.Context, id string) ([]string, error) {
	return lines(query.Items(ctx, query.Of(b.teams, teamRow{Tournament: id}).Collection().Prefix("team-")))
}

func (b rawModel) Details(ctx context.Context, id string) (string, error) {
	d, err := b.details.Get(ctx, detailsRow{ID: id})
	return d.line(), err
}

func (b rawModel) Basics(ctx context.Context, id string) (Basics, error) {
	return b.basics.Get(ctx, b.details, detailsRow{ID: id})
}

func (b rawModel) Program(ctx context.Context, id string) ([]string, error) {
	var p struct {
		Details detailsRow
		Matches []matchRow
		Players []playerRow
		Teams   []teamRow
		Others  []entity.Raw
	}
	if err := query.Load(ctx, query.Of(b.details, detailsRow{ID: id}).Collection(), &p); err != nil {
		return nil, err
	}
	return programLines(p.Matches, p.Players, p.Teams, p.Details), nil
}

func (b rawModel) AddTeam(ctx context.Context, id, team, name string) error {
	return b.teams.Create(ctx, &teamRow{Tournament: id, ID: team, Name: name})
}

func (rawModel) UnknownItem() map[string]types.AttributeValue {
	return rawItem("teams-t1 name=Strangers")
}

func (r detailsRow) line() string { return "tournament " + r.Game + " " + r.Rules }
func (r matchRow) line() string   { return "match " + r.ID + " " + r.Home + " " + r.Away }
func (r playerRow) line() string  { return "player " + r.ID + " " + r.Name }
func (r teamRow) line() string    { return "team " + r.ID + " " + r.Name }

// An existing row does not change when its type reads and writes it. The keys identify the types.
func TestExistingRowsDoNotChange(t *testing.T) {
	t.Parallel()
	s := rawSchema()
	details, matches := entity.Define[detailsRow](s), entity.Define[matchRow](s)
	players, teams := entity.Define[playerRow](s), entity.Define[teamRow](s)
	require.NoError(t, s.Err())
	for row := range strings.Lines(strings.TrimSpace(rawRows)) {
		item := rawItem(row)
		again := []map[string]types.AttributeValue{encoded(details, item), encoded(matches, item), encoded(players, item), encoded(teams, item)}
		require.Contains(t, again, item)
		again = slices.DeleteFunc(again, func(i map[string]types.AttributeValue) bool { return i == nil })
		require.Len(t, again, 1, "exactly one type can decode the item")
	}
}

// encoded decodes an item and encodes it again. It returns nil if the item has another type.
func encoded[T any](e *entity.Type[T], item map[string]types.AttributeValue) map[string]types.AttributeValue {
	v, err := e.Decode(item)
	if err != nil {
		return nil
	}
	again, err := e.Encode(&v)
	if err != nil {
		return nil
	}
	return again
}
