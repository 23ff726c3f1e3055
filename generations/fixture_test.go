package generations_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/generations"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
)

type (
	// document is a pointer item with an index.
	document struct {
		_     entity.Key   `type:"document" pk:"DOC#<id>" sk:"DOC"`
		_     entity.Index `name:"by-title" on:"GSI1" pk:"TITLE#<title>" sk:"<id>"`
		ID    string       `dynamodbav:"id"`
		Title string       `dynamodbav:"title,omitempty"`
		generations.Pointer
	}
	// manual is a pointer item with a version.
	manual struct {
		_       entity.Key `type:"manual" pk:"MAN#<id>" sk:"MAN"`
		ID      string     `dynamodbav:"id"`
		Title   string     `dynamodbav:"title,omitempty"`
		Version int64      `dynamodbav:"version" entity:"version"`
		generations.Pointer
	}
	// paragraph is a part of both.
	paragraph struct {
		_          entity.Key `type:"paragraph" pk:"PAR#<owner>#<generation>" sk:"PAR#<n:06>"`
		Owner      string     `dynamodbav:"owner"`
		Generation string     `dynamodbav:"generation"`
		N          int        `dynamodbav:"n"`
		Text       string     `dynamodbav:"text"`
	}
)

var (
	title   = attr.Must(func(d *document) *string { return &d.Title })
	caption = attr.Must(func(m *manual) *string { return &m.Title })
)

const writeTime = time.Minute

// clock is the clock of all processes of a test.
type clock struct{ passed atomic.Int64 }

var start = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

func (c *clock) now() time.Time          { return start.Add(time.Duration(c.passed.Load())) }
func (c *clock) advance(d time.Duration) { c.passed.Add(int64(d)) }

// each runs a test on every engine. On ddbtest, waiting takes no time.
func each(t *testing.T, f func(t *testing.T, e engines.Engine)) {
	t.Helper()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		if e.Name != engines.InProcess {
			f(t, e)
			return
		}
		synctest.Test(t, func(t *testing.T) { f(t, e) })
	})
}

// library is a table of documents with paragraphs, as a process has it.
type library struct {
	client     *dynamodb.Client
	clock      *clock
	table      *entity.Table
	documents  *entity.Repo[document]
	manuals    *entity.Repo[manual]
	paragraphs *entity.Repo[paragraph]
	texts      *generations.Repo[document, paragraph]
	handbooks  *generations.Repo[manual, paragraph]
}

// newLibrary returns the first process of a test. It creates the table.
func newLibrary(t testing.TB, client *dynamodb.Client) *library {
	t.Helper()
	l := newProcess(t, client, &clock{})
	require.NoError(t, l.table.Create(t.Context()))
	return l
}

// process returns another process on the same table. It makes several attempts to send a request.
func (l *library) process(t testing.TB, w *testfaults.Wire, attempts int) *library {
	t.Helper()
	return newProcess(t, w.Client(l.client, attempts), l.clock)
}

func newProcess(t testing.TB, client *dynamodb.Client, c *clock, options ...entity.TableOption) *library {
	t.Helper()
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: c.now})
	documents, manuals, paragraphs := entity.Define[document](s), entity.Define[manual](s), entity.Define[paragraph](s)
	table, err := s.Open(client, "library", options...)
	require.NoError(t, err)
	l := &library{
		client: client, clock: c, table: table,
		documents: documents.In(table), manuals: manuals.In(table), paragraphs: paragraphs.In(table),
	}
	// One request at a time makes the order of the requests the same in each run.
	config := generations.Config{WriteTime: writeTime, Concurrency: 1}
	l.texts = generations.New(l.documents, l.paragraphs, func(p *paragraph, d document, generation string) {
		p.Owner, p.Generation = "D"+d.ID, generation
	}, config)
	l.handbooks = generations.New(l.manuals, l.paragraphs, func(p *paragraph, m manual, generation string) {
		p.Owner, p.Generation = "M"+m.ID, generation
	}, config)
	return l
}

// edition returns n paragraphs with the same text.
func edition(text string, n int) iter.Seq2[paragraph, error] {
	return generations.Slice(paragraphsOf(text, n))
}

func paragraphsOf(text string, n int) []paragraph {
	list := make([]paragraph, n)
	for i := range list {
		list[i] = paragraph{N: i, Text: text}
	}
	return list
}

// textOf returns the text of all paragraphs, or an error if they are not the n paragraphs of one
// edition.
func textOf(parts []paragraph, n int) (string, error) {
	if len(parts) != n {
		return "", fmt.Errorf("%d paragraphs instead of %d", len(parts), n)
	}
	for i, p := range parts {
		if p.N != i || p.Text != parts[0].Text || p.Generation != parts[0].Generation {
			return "", fmt.Errorf("paragraph %d is not of the same edition as paragraph 0", i)
		}
	}
	return parts[0].Text, nil
}

// stored returns the number of stored paragraphs of an owner by generation.
func (l *library) stored(t testing.TB, owner string) map[string]int {
	t.Helper()
	found := map[string]int{}
	for _, key := range l.items(t) {
		if id, ok := strings.CutPrefix(key["PK"].(*types.AttributeValueMemberS).Value, "PAR#"+owner+"#"); ok {
			found[id]++
		}
	}
	return found
}

// items returns the keys of all items.
func (l *library) items(t testing.TB) (keys []map[string]types.AttributeValue) {
	t.Helper()
	out, err := l.client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("library"), ConsistentRead: aws.Bool(true)})
	require.NoError(t, err)
	require.Empty(t, out.LastEvaluatedKey)
	for _, item := range out.Items {
		keys = append(keys, map[string]types.AttributeValue{"PK": item["PK"], "SK": item["SK"]})
	}
	return keys
}

// wipe deletes all items.
func (l *library) wipe(t testing.TB) {
	t.Helper()
	for keys := range slices.Chunk(l.items(t), 25) {
		var writes []types.WriteRequest
		for _, key := range keys {
			writes = append(writes, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: key}})
		}
		_, err := l.client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"library": writes}})
		require.NoError(t, err)
	}
}
