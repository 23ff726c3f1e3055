package costtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/costtest"
)

// note is on the index Whole if it has a label, on Keys if it has a mark, and on Part if it has a
// rank. Whole projects all attributes, the others do not.
type note struct {
	_     entity.Key   `type:"note" pk:"B#<book>" sk:"N#<id:04>"`
	_     entity.Index `name:"by-label" on:"Whole" pk:"L#<label>" sk:"N#<id:04>"`
	_     entity.Index `name:"by-mark" on:"Keys" pk:"M#<mark>" sk:"N#<id:04>"`
	_     entity.Index `name:"by-rank" on:"Part" pk:"R#<rank>" sk:"N#<id:04>"`
	Book  string       `dynamodbav:"book"`
	ID    int          `dynamodbav:"id"`
	Label string       `dynamodbav:"label,omitempty"`
	Mark  string       `dynamodbav:"mark,omitempty"`
	Rank  string       `dynamodbav:"rank,omitempty"`
	Title string       `dynamodbav:"title,omitempty"`
	Text  string       `dynamodbav:"text,omitempty"`
}

// page is a versioned type.
type page struct {
	_       entity.Key   `type:"page" pk:"P#<id>" sk:"P"`
	_       entity.Index `name:"by-topic" on:"Whole" pk:"T#<topic>#<area>" sk:"P"`
	ID      string       `dynamodbav:"id"`
	Topic   string       `dynamodbav:"topic"`
	Area    string       `dynamodbav:"area"`
	Text    string       `dynamodbav:"text,omitempty"`
	Version int          `dynamodbav:"version" entity:"version"`
}

// club counts its members.
type club struct {
	_       entity.Key `type:"club" pk:"C#<id>" sk:"C"`
	ID      string     `dynamodbav:"id"`
	Members int        `dynamodbav:"members"`
}

// member has a unique nickname.
type member struct {
	_    entity.Key     `type:"member" pk:"C#<club>" sk:"M#<id>"`
	_    entity.Unique  `name:"nickname" key:"<club>#<nick:lower>"`
	_    entity.Counted `in:"club" as:"members" pk:"C#<club>" sk:"C"`
	Club string         `dynamodbav:"club"`
	ID   string         `dynamodbav:"id"`
	Nick string         `dynamodbav:"nick"`
	Text string         `dynamodbav:"text,omitempty"`
}

var (
	schema = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
		{Name: "Whole"}, {Name: "Keys", KeysOnly: true}, {Name: "Part", Include: []string{"title"}},
	}})
	notes = entity.Define[note](schema)
	pages = entity.Define[page](schema)

	clubs   = entity.Define[club](schema)
	members = entity.Define[member](schema)

	titles = entity.Project[struct {
		Title string `dynamodbav:"title"`
	}](notes)

	label       = attr.Must(func(n *note) *string { return &n.Label })
	mark        = attr.Must(func(n *note) *string { return &n.Mark })
	rank        = attr.Must(func(n *note) *string { return &n.Rank })
	title       = attr.Must(func(n *note) *string { return &n.Title })
	text        = attr.Must(func(n *note) *string { return &n.Text })
	clubMembers = attr.Must(func(c *club) *int { return &c.Members })
	nick        = attr.Must(func(m *member) *string { return &m.Nick })
	topic       = attr.Must(func(p *page) *string { return &p.Topic })
)

// store is the code under test, with a meter.
type store struct {
	*costtest.Meter
	table   *entity.Table
	notes   *entity.Repo[note]
	pages   *entity.Repo[page]
	clubs   *entity.Repo[club]
	members *entity.Repo[member]
}

func newStore(t *testing.T, client *dynamodb.Client) store {
	t.Helper()
	s := store{Meter: costtest.NewMeter(client)}
	table, err := schema.Open(s.Meter, "notes", entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	s.table, s.notes, s.pages = table, notes.In(table), pages.In(table)
	s.clubs, s.members = clubs.In(table), members.In(table)
	return s
}

// fill puts n notes of about the given number of bytes into the book b.
func (s store) fill(t *testing.T, n, bytes int) {
	t.Helper()
	for i := range n {
		require.NoError(t, s.notes.Put(t.Context(), &note{Book: "b", ID: i, Label: "l", Mark: "m", Rank: "r", Text: strings.Repeat("x", bytes)}))
	}
	s.Reset()
}

// failures records the failures of a test and lets it continue.
type failures []string

func (*failures) Helper()                             {}
func (f *failures) Errorf(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

// check returns the failures of a check of these calls.
func (s store) check(calls ...costtest.Call) failures {
	var f failures
	s.Check(&f, calls...)
	return f
}
