package document_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/entity"
)

type (
	info struct {
		_       entity.Key `type:"info" pk:"USER#<id>" sk:"U#Information"`
		ID      string     `dynamodbav:"id"`
		Name    string     `dynamodbav:"name"`
		Version int64      `dynamodbav:"version" entity:"version"`
		Updated time.Time  `dynamodbav:"updated" entity:"updated"`
		document.Root
	}
	address struct {
		_      entity.Key `type:"address" pk:"USER#<id>" sk:"U#Address#<label>"`
		ID     string     `dynamodbav:"id"`
		Label  string     `dynamodbav:"label"`
		Street string     `dynamodbav:"street"`
		document.Part
	}
	note struct {
		_    entity.Key             `type:"note" pk:"USER#<user>" sk:"P#Note#<n:04>"`
		User string                 `dynamodbav:"user"`
		N    int                    `dynamodbav:"n"`
		Text string                 `dynamodbav:"text"`
		Body document.Large[[]byte] `dynamodbav:"body"`
		document.Part
	}
	bio struct {
		_      entity.Key              `type:"bio" pk:"USER#<user>" sk:"P#Bio"`
		User   string                  `dynamodbav:"user"`
		Title  string                  `dynamodbav:"title"`
		Text   document.Large[string]  `dynamodbav:"text" document:"compress"`
		Events document.Large[[]event] `dynamodbav:"events" document:"compress"`
		document.Part
	}
	event struct {
		At   time.Time `dynamodbav:"at"`
		What string    `dynamodbav:"what"`
		N    int       `dynamodbav:"n"`
	}
	// wish is in the same partition, and in no document.
	wish struct {
		_    entity.Key `type:"wish" pk:"USER#<user>" sk:"Q#<name>"`
		User string     `dynamodbav:"user"`
		Name string     `dynamodbav:"name"`
		Text string     `dynamodbav:"text,omitempty"`
	}
	login struct {
		_    entity.Key `type:"login" pk:"USER#<user>" sk:"L#<name>"`
		User string     `dynamodbav:"user"`
		Name string     `dynamodbav:"name" entity:"unique"`
		document.Part
	}
	profile struct {
		document.State
		Info      info
		Addresses []address
		Notes     []note
		Bio       *bio
		Logins    []login
	}
)

const writeTime = time.Minute

// clock is the clock of all processes of a test.
type clock struct{ passed atomic.Int64 }

var start = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

func (c *clock) now() time.Time          { return start.Add(time.Duration(c.passed.Load())) }
func (c *clock) advance(d time.Duration) { c.passed.Add(int64(d)) }

// users is a table with profiles, as one process sees it.
type users struct {
	schema   *entity.Schema
	document *document.Type[profile]
	info     *entity.Type[info]
	bio      *entity.Type[bio]
	note     *entity.Type[note]
	wish     *entity.Type[wish]
	client   *dynamodb.Client
	clock    *clock
	meter    *meter
	table    *entity.Table
	profiles *document.Repo[profile]
	infos    *entity.Repo[info]
	bios     *entity.Repo[bio]
	notes    *entity.Repo[note]
	wishes   *entity.Repo[wish]
}

func newUsers(t testing.TB, client *dynamodb.Client) *users {
	t.Helper()
	u := &users{clock: new(clock), meter: new(meter)}
	u.schema = entity.NewSchema(entity.Config{Clock: u.clock.now, Observer: u.meter})
	u.document = document.Define[profile](u.schema)
	u.info, u.bio, u.note, u.wish = entity.Define[info](u.schema), entity.Define[bio](u.schema), entity.Define[note](u.schema), entity.Define[wish](u.schema)
	entity.Define[address](u.schema)
	entity.Define[login](u.schema)
	u = u.process(t, client)
	require.NoError(t, u.table.Create(t.Context()))
	return u
}

// process returns the table as another process sees it, by a client of its own.
func (u *users) process(t testing.TB, client *dynamodb.Client) *users {
	t.Helper()
	own := *u
	table, err := u.schema.Open(client, "users")
	require.NoError(t, err)
	own.client, own.table = client, table
	own.profiles = u.document.In(table, document.Config{WriteTime: writeTime, Concurrency: 1})
	own.infos, own.bios, own.notes, own.wishes = u.info.In(table), u.bio.In(table), u.note.In(table), u.wish.In(table)
	return &own
}

// key is the example of a profile.
func key(id string) profile { return profile{Info: info{ID: id}} }

// small returns a new profile of a few items without large values.
func small(id string) profile {
	return profile{
		Info:      info{ID: id, Name: "Paul"},
		Addresses: []address{{Label: "Delivery", Street: "1 Main"}, {Label: "Home", Street: "2 Main"}},
		Notes:     []note{{N: 1, Text: "one"}, {N: 2, Text: "two"}},
		Logins:    []login{{Name: "paul-" + id}},
	}
}

// noise returns bytes that cannot be compressed.
func noise(n int, seed uint64) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{byte(seed)})
	_, _ = r.Read(b)
	return b
}

// keys returns the keys of all items.
func (u *users) keys(t testing.TB) (keys []map[string]types.AttributeValue) {
	t.Helper()
	in := &dynamodb.ScanInput{TableName: aws.String("users"), ConsistentRead: aws.Bool(true)}
	for {
		out, err := u.client.Scan(t.Context(), in)
		require.NoError(t, err)
		for _, item := range out.Items {
			keys = append(keys, map[string]types.AttributeValue{"PK": item["PK"], "SK": item["SK"]})
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(out.LastEvaluatedKey) == 0 {
			return keys
		}
	}
}

// own returns the number of the library's own items by kind.
func (u *users) own(t testing.TB) map[string]int {
	t.Helper()
	found := map[string]int{}
	for _, key := range u.keys(t) {
		pk := key["PK"].(*types.AttributeValueMemberS).Value
		if strings.HasPrefix(pk, "$U#") {
			found[strings.Split(pk, "#")[1]]++
		}
	}
	return found
}

// wipe deletes all items.
func (u *users) wipe(t testing.TB) {
	t.Helper()
	for keys := range slices.Chunk(u.keys(t), 25) {
		var writes []types.WriteRequest
		for _, key := range keys {
			writes = append(writes, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: key}})
		}
		_, err := u.client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"users": writes}})
		require.NoError(t, err)
	}
}

// content is what a test compares of a profile.
type content struct {
	Name      string
	Addresses map[string]string
	Notes     map[int]string
	Bio       string
	Logins    []string
}

func contentOf(p *profile) content {
	c := content{Name: p.Info.Name, Addresses: map[string]string{}, Notes: map[int]string{}}
	for _, a := range p.Addresses {
		c.Addresses[a.Label] = a.Street
	}
	for _, n := range p.Notes {
		c.Notes[n.N] = n.Text + string(n.Body.Value)
	}
	if p.Bio != nil {
		c.Bio = p.Bio.Title + p.Bio.Text.Value
	}
	for _, l := range p.Logins {
		c.Logins = append(c.Logins, l.Name)
	}
	return c
}
