package trestle_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/lock"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/shard"
	"github.com/trestledb/trestle/tx"
)

type (
	member struct {
		_     entity.Key     `type:"member" pk:"TENANT#<tenant>" sk:"MEMBER#<id>"`
		_     entity.Index   `name:"members-of-tenant" on:"tenants" pk:"TENANT#<tenant>"`
		_     entity.Counted `in:"team" as:"members" pk:"TENANT#<tenant>" sk:"TEAM"`
		Team  string         `dynamodbav:"tenant" entity:"tenant"`
		ID    string         `dynamodbav:"id"`
		Email string         `dynamodbav:"email" entity:"unique"`
	}
	team struct {
		_       entity.Key   `type:"team" pk:"TENANT#<tenant>" sk:"TEAM"`
		_       entity.Index `name:"teams-of-tenant" on:"tenants" pk:"TENANT#<tenant>"`
		Team    string       `dynamodbav:"tenant" entity:"tenant"`
		Members int          `dynamodbav:"members"`
	}
	entry struct {
		_  entity.Key `type:"entry" pk:"LOG#<shard:id>" sk:"<id>" shards:"2,3"`
		ID string     `dynamodbav:"id"`
	}
	note struct {
		_  entity.Key `type:"note" pk:"NOTE#<id>" sk:"<n:03>"`
		ID string     `dynamodbav:"id"`
		N  int        `dynamodbav:"n"`
	}
	letter struct {
		_       entity.Key `type:"letter" pk:"LETTER#<id>" sk:"LETTER"`
		ID      string     `dynamodbav:"id"`
		Version int64      `dynamodbav:"version" entity:"version"`
		document.Root
	}
	page struct {
		_    entity.Key             `type:"page" pk:"LETTER#<id>" sk:"PAGE#<n:03>"`
		ID   string                 `dynamodbav:"id"`
		N    int                    `dynamodbav:"n"`
		Text document.Large[string] `dynamodbav:"text"`
		document.Part
	}
	mail struct {
		document.State
		Letter letter
		Pages  []page
	}
)

// permitted has what a program with some permissions uses.
type permitted struct {
	client  trestle.Client
	table   *entity.Table
	other   *entity.Table
	members *entity.Repo[member]
	teams   *entity.Repo[team]
	entries *entity.Repo[entry]
	notes   *entity.Repo[note]
	mails   *document.Type[mail]
}

// loseGuards deletes the guard of the member of the fixture.
func (p permitted) loseGuards(ctx context.Context) error {
	key := map[string]types.AttributeValue{"PK": &types.AttributeValueMemberS{Value: "TENANT#a#$U#unique#member#email#1"}}
	out, err := p.client.Query(ctx, &dynamodb.QueryInput{
		TableName: aws.String("app"), KeyConditionExpression: aws.String("PK = :p"), ExpressionAttributeValues: map[string]types.AttributeValue{":p": key["PK"]},
	})
	if err != nil {
		return err
	}
	if len(out.Items) != 1 {
		return errors.New("the guard has another key")
	}
	key["SK"] = out.Items[0]["SK"]
	_, err = p.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("app"), Key: key})
	return err
}

var memberEmail = attr.Must(func(m *member) *string { return &m.Email })

func newPermitted(t *testing.T, client trestle.Client) permitted {
	t.Helper()
	s := entity.NewSchema(entity.Config{TenantIndex: "tenants", Indexes: []entity.IndexConfig{{Name: "tenants", NoSort: true, KeysOnly: true}}})
	members, teams, entries := entity.Define[member](s), entity.Define[team](s), entity.Define[entry](s)
	notes := entity.Define[note](s)
	entity.Define[letter](s)
	entity.Define[page](s)
	mails := document.Define[mail](s)
	table, err := s.Open(client, "app")
	require.NoError(t, err)
	other, err := s.Open(client, "other")
	require.NoError(t, err)
	return permitted{client, table, other, members.In(table), teams.In(table), entries.In(table), notes.In(table), mails}
}

// itemActions are the actions that every program needs.
var itemActions = []string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"}

// permissions are calls with the actions that they need in addition. The page of permissions names
// those with a name.
var permissions = []struct {
	name  string
	needs []string
	call  func(ctx context.Context, p permitted) error
}{
	{"", nil, func(ctx context.Context, p permitted) error { // writes of unique values and of counts
		own := member{Team: "a", ID: "2", Email: "2"}
		updated := func() error { _, err := p.members.Update(ctx, own, memberEmail.Set("3")); return err }
		return errors.Join(p.members.Create(ctx, &own), updated(), p.members.Put(ctx, &own), p.members.Delete(ctx, own))
	}},
	{"", nil, func(ctx context.Context, p permitted) error { // a document without large values
		mails := p.mails.In(p.table, document.Config{})
		m := mail{Letter: letter{ID: "2"}, Pages: []page{{N: 1}}}
		return errors.Join(mails.Save(ctx, &m), second(mails.Read(ctx, m)))
	}},
	{"", nil, func(ctx context.Context, p permitted) error { // shard.Once has no write that reads first
		for _, mode := range []shard.Mode{shard.ExactForever, shard.ExactWindow, shard.Events} {
			c := shard.NewCounters(p.table, "votes", shard.Config{Mode: mode, Shards: 2})
			name := mode.String()
			repeated := func() error { return c.Add(ctx, name, 1, shard.Once("a")) }
			if err := errors.Join(repeated(), repeated()); err != nil {
				return err
			}
			if mode != shard.Events { // which has no shards
				if err := errors.Join(c.Resize(ctx, name, 4), repeated()); err != nil {
					return err
				}
			}
			if n, err := c.Total(ctx, name); err != nil || n != 1 {
				return fmt.Errorf("%s: the total is %d: %w", mode, n, err)
			}
		}
		b := shard.NewBounded(p.table, "tickets", shard.BoundedConfig{Shards: 2})
		take := func() error { return b.Take(ctx, "show", 1, shard.Once("a")) }
		return errors.Join(b.SetLimit(ctx, "show", 1), take(), take(), b.Return(ctx, "show", "a"), b.Return(ctx, "show", "a"))
	}},
	{"PutMany", []string{"BatchWriteItem"}, func(ctx context.Context, p permitted) error {
		return p.notes.PutMany(ctx, slices.Values([]*note{{ID: "1"}, {ID: "2"}}))
	}},
	{"Collection.Delete", []string{"BatchWriteItem"}, func(ctx context.Context, p permitted) error {
		_, err := query.Of(p.notes, note{ID: "1"}).Collection().Delete(ctx)
		return err
	}},
	{"RemoveTenant", []string{"BatchWriteItem"}, func(ctx context.Context, p permitted) error {
		return second(maintain.RemoveTenant(ctx, p.table, "a", maintain.Run{}))
	}},
	{"RemoveTenant", []string{"Scan", "BatchWriteItem"}, func(ctx context.Context, p permitted) error {
		return second(maintain.RemoveTenant(ctx, p.table, "a", maintain.Run{Scan: true}))
	}},
	{"document.Large", []string{"BatchWriteItem"}, func(ctx context.Context, p permitted) error {
		text := document.Large[string]{Value: strings.Repeat("a", 500_000)}
		return p.mails.In(p.table, document.Config{}).Save(ctx, &mail{Letter: letter{ID: "3"}, Pages: []page{{Text: text}}})
	}},
	{"query.Scan", []string{"Scan"}, func(ctx context.Context, p permitted) error {
		for _, err := range query.Scan(p.teams).All(ctx) {
			if err != nil {
				return err
			}
		}
		return nil
	}},
	{"CheckItems", []string{"Scan"}, func(ctx context.Context, p permitted) error { return testchecks.Items(ctx, p.table, 10) }},
	{"RepairGuards", []string{"Scan"}, func(ctx context.Context, p permitted) error { return testchecks.Guards(ctx, p.table) }},
	{"RepairGuards", []string{"Scan"}, func(ctx context.Context, p permitted) error {
		return second(maintain.RepairGuards(ctx, p.table, maintain.Run{}))
	}},
	{"RepairCounts", []string{"Scan"}, func(ctx context.Context, p permitted) error { return testchecks.Counts(ctx, p.table) }},
	{"RepairCounts", []string{"Scan"}, func(ctx context.Context, p permitted) error {
		return second(maintain.RepairCounts(ctx, p.table, maintain.Run{}))
	}},
	{"Reindex", []string{"Scan"}, func(ctx context.Context, p permitted) error {
		return second(maintain.Reindex(ctx, p.table, maintain.Run{}, p.teams.Type()))
	}},
	{"Copy", []string{"Scan", "BatchWriteItem"}, func(ctx context.Context, p permitted) error {
		return second(maintain.Copy(ctx, p.table, p.other, maintain.Run{}))
	}},
	{"RepairGuards", []string{"Scan", "ConditionCheckItem"}, func(ctx context.Context, p permitted) error {
		return errors.Join(p.loseGuards(ctx), second(maintain.RepairGuards(ctx, p.table, maintain.Run{})))
	}},
	{"Reindex", []string{"Scan", "ConditionCheckItem"}, func(ctx context.Context, p permitted) error {
		return errors.Join(p.loseGuards(ctx), second(maintain.Reindex(ctx, p.table, maintain.Run{}, p.members.Type())))
	}},
	{"Op().Check", []string{"ConditionCheckItem"}, func(ctx context.Context, p permitted) error {
		return tx.Write(ctx, p.teams.Op().Check(team{Team: "a"}), p.notes.Op().Put(&note{ID: "9"}))
	}},
	{"`Op().Once`", []string{"ConditionCheckItem"}, func(ctx context.Context, p permitted) error {
		_, err := p.members.Op().Delete(member{Team: "a", ID: "9"}, memberEmail.Eq("9")).Once("token").Do(ctx)
		if errors.Is(err, trestle.ErrNotFound) {
			return nil
		}
		return err
	}},
	{"Lease.Check", []string{"ConditionCheckItem"}, func(ctx context.Context, p permitted) error {
		return lock.New(p.table, "jobs", lock.Config{Lease: time.Minute}).Do(ctx, "a", func(ctx context.Context, held *lock.Lease) error {
			return tx.Write(ctx, held.Check(), p.teams.Op().Put(&team{Team: "z"}))
		})
	}},
	{"`shards:\"16,32\"`", []string{"ConditionCheckItem"}, func(ctx context.Context, p permitted) error {
		return p.entries.Create(ctx, &entry{ID: "5"})
	}},
	{"package document", []string{"ConditionCheckItem"}, func(ctx context.Context, p permitted) error {
		return p.mails.In(p.table, document.Config{}).Delete(ctx, mail{Letter: letter{ID: "1"}})
	}},
	{"package document", []string{"BatchWriteItem", "ConditionCheckItem"}, func(ctx context.Context, p permitted) error {
		m := mail{Letter: letter{ID: "4"}}
		for n := range 150 {
			m.Pages = append(m.Pages, page{N: n})
		}
		return p.mails.In(p.table, document.Config{}).Save(ctx, &m)
	}},
}

func second[T any](_ T, err error) error { return err }

// Each call succeeds with the actions that the page of permissions names for it, and is denied
// without one of them.
func TestDocsPermissions(t *testing.T) {
	t.Parallel()
	documented, err := os.ReadFile("docs/costs-and-permissions.md")
	require.NoError(t, err)
	for i, c := range permissions {
		call := func(without string) error {
			db := ddbtest.Start(t)
			p := newPermitted(t, db.Client())
			require.NoError(t, p.table.Create(t.Context()))
			require.NoError(t, p.other.Create(t.Context()))
			require.NoError(t, p.teams.Create(t.Context(), &team{Team: "a"}))
			require.NoError(t, p.members.Create(t.Context(), &member{Team: "a", ID: "1", Email: "1"}))
			require.NoError(t, p.notes.Create(t.Context(), &note{ID: "1", N: 1}))
			require.NoError(t, p.notes.Create(t.Context(), &note{ID: "1", N: 2}))
			require.NoError(t, p.mails.In(p.table, document.Config{}).Save(t.Context(), &mail{Letter: letter{ID: "1"}, Pages: []page{{N: 1}}}))
			var actions []string
			rarely := []string{}
			if c.name == "RemoveTenant" && slices.Contains(c.needs, "Scan") { // the scan may meet a guard before the item
				rarely = append(rarely, "ConditionCheckItem")
			}
			for _, a := range slices.Concat(itemActions, c.needs, rarely) {
				if a != without {
					actions = append(actions, "dynamodb:"+a)
				}
			}
			list, err := json.Marshal(actions)
			require.NoError(t, err)
			policy := `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":` + string(list) + `,"Resource":"*"}}`
			return c.call(t.Context(), newPermitted(t, db.Client(db.WithPolicy(ddbtest.Policy{Document: policy}))))
		}
		require.NoError(t, call(""), "%d: %s with %s", i, c.name, c.needs)
		for _, need := range c.needs {
			var denied smithy.APIError
			require.ErrorAs(t, call(need), &denied, "%d: %s without %s", i, c.name, need)
			require.Equal(t, "AccessDeniedException", denied.ErrorCode())
			row := "| `" + need + "` |"
			_, text, found := strings.Cut(string(documented), row)
			require.True(t, found, row)
			text, _, _ = strings.Cut(text, "\n")
			require.Contains(t, text, c.name)
		}
	}
}
