package entity_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// address is nested in an account.
type address struct {
	City string `dynamodbav:"city"`
	Zip  string `dynamodbav:"zip,omitempty"`
}

// account has every role, an index, and attributes of most types.
type account struct {
	_         entity.Key   `type:"account" pk:"ORG#<org>" sk:"ACC#<id>"`
	_         entity.Index `name:"by-mail" on:"GSI1" pk:"MAIL#<mail>" sk:"ACC#<status>#<id>"`
	Org       string       `dynamodbav:"org" entity:"key"`
	ID        string       `dynamodbav:"id"`
	Mail      string       `dynamodbav:"mail,omitempty"`
	Status    string       `dynamodbav:"status"`
	Home      *address     `dynamodbav:"home,omitempty"`
	Skills    []string     `dynamodbav:"skills,omitempty"`
	Logins    int64        `dynamodbav:"logins"`
	Version   int64        `dynamodbav:"version" entity:"version"`
	CreatedAt time.Time    `dynamodbav:"created_at" entity:"created"`
	UpdatedAt time.Time    `dynamodbav:"updated_at" entity:"updated"`
	Expires   time.Time    `dynamodbav:"expires" entity:"ttl"`

	Rest map[string]types.AttributeValue `dynamodbav:"-rest" entity:"rest"`
}

// note is a minimal type: no version, no role, no index.
type note struct {
	_     entity.Key `type:"note" pk:"NOTE#<id>" sk:"NOTE#<id>"`
	ID    string     `dynamodbav:"id"`
	Text  string     `dynamodbav:"text"`
	Count int        `dynamodbav:"count"`
}

var (
	accMail   = attr.Must(func(a *account) *string { return &a.Mail })
	accStatus = attr.Must(func(a *account) *string { return &a.Status })
	accCity   = attr.Must(func(a *account) *string { return &a.Home.City })
	accSkills = attr.Must(func(a *account) *[]string { return &a.Skills })
	accLogins = attr.Must(func(a *account) *int64 { return &a.Logins })
	accID     = attr.Must(func(a *account) *string { return &a.ID })

	noteText  = attr.Must(func(n *note) *string { return &n.Text })
	noteCount = attr.Must(func(n *note) *int { return &n.Count })
)

// clock is the clock of a schema. Tests advance it.
type clock struct{ seconds atomic.Int64 }

var epoch = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

func (c *clock) now() time.Time           { return epoch.Add(time.Duration(c.seconds.Load()) * time.Second) }
func (c *clock) forward() (now time.Time) { c.seconds.Add(1); return c.now() }

// office is a table with accounts and notes.
type office struct {
	client   *dynamodb.Client
	table    *entity.Table
	clock    *clock
	accounts *entity.Repo[account]
	notes    *entity.Repo[note]
	Accounts *entity.Type[account]
	Notes    *entity.Type[note]
}

// newOffice opens the table. It does not create it.
func newOffice(t testing.TB, client *dynamodb.Client, change ...func(*entity.Config)) *office {
	t.Helper()
	o := &office{client: client, clock: &clock{}}
	c := entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: o.clock.now}
	for _, f := range change {
		f(&c)
	}
	s := entity.NewSchema(c)
	o.Accounts, o.Notes = entity.Define[account](s), entity.Define[note](s)
	table, err := s.Open(client, "office")
	require.NoError(t, err)
	o.table, o.accounts, o.notes = table, o.Accounts.In(table), o.Notes.In(table)
	return o
}

// eachOffice runs a test on a new table on every engine.
func eachOffice(t *testing.T, f func(t *testing.T, o *office)) {
	t.Helper()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		o := newOffice(t, e.Client(t))
		require.NoError(t, o.table.Create(t.Context()))
		f(t, o)
	})
}

// stored returns the stored item, or nil.
func stored(t testing.TB, client *dynamodb.Client, table string, key map[string]types.AttributeValue) map[string]types.AttributeValue {
	t.Helper()
	out, err := client.GetItem(context.WithoutCancel(t.Context()), &dynamodb.GetItemInput{TableName: &table, Key: key, ConsistentRead: aws.Bool(true)})
	require.NoError(t, err)
	return out.Item
}

func (o *office) storedAccount(t testing.TB, org, id string) map[string]types.AttributeValue {
	t.Helper()
	key, err := o.Accounts.KeyOf(account{Org: org, ID: id})
	require.NoError(t, err)
	return stored(t, o.client, "office", key)
}

func (o *office) storedNote(t testing.TB, id string) map[string]types.AttributeValue {
	t.Helper()
	key, err := o.Notes.KeyOf(note{ID: id})
	require.NoError(t, err)
	return stored(t, o.client, "office", key)
}

// storeRaw puts an item with the SDK.
func storeRaw(t testing.TB, client *dynamodb.Client, table string, item map[string]types.AttributeValue) {
	t.Helper()
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
	require.NoError(t, err)
}

func avS(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
func avN(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }

// ann returns an account with all attributes.
func ann() account {
	return account{Org: "acme", ID: "ann", Mail: "ann@example.com", Status: "active", Home: &address{City: "Bergen"}, Skills: []string{"go"}}
}

// requireOutcome requires that err wraps the sentinel error kind and no other, and has the given
// outcome. A nil kind requires success.
func requireOutcome(t testing.TB, err, kind error, outcome trestle.Outcome) {
	t.Helper()
	if kind == nil {
		require.NoError(t, err)
	}
	for _, k := range glossary {
		require.Equal(t, errors.Is(kind, k), errors.Is(err, k), "%v is %v", err, k)
	}
	require.Equal(t, outcome, trestle.OutcomeOf(err))
	var e *trestle.OpError
	if kind != nil {
		require.ErrorAs(t, err, &e)
	}
}

var glossary = []error{
	trestle.ErrNotFound, trestle.ErrExists, trestle.ErrStale, trestle.ErrTaken, trestle.ErrCondition, trestle.ErrUnknown, trestle.ErrLimit, trestle.ErrInvalid,
}
