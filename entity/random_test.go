package entity_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/tx"
)

type (
	// draft is versioned, so that its writes have IDs.
	draft struct {
		_       entity.Key `type:"draft" pk:"D#<id>" sk:"D"`
		ID      string     `dynamodbav:"id"`
		Text    string     `dynamodbav:"text"`
		Version int64      `dynamodbav:"version" entity:"version"`
	}
	// reader has a unique value, so that its writes are transactions.
	reader struct {
		_     entity.Key `type:"reader" pk:"R#<id>" sk:"R"`
		ID    string     `dynamodbav:"id"`
		Email string     `dynamodbav:"email" entity:"unique"`
	}
	// tag has neither, so that batches put it.
	tag struct {
		_  entity.Key `type:"tag" pk:"T#<id>" sk:"T"`
		ID string     `dynamodbav:"id"`
	}
)

var draftText = attr.Must(func(d *draft) *string { return &d.Text })

// press is a table whose requests are recorded.
type press struct {
	engines.Bodies
	table   *entity.Table
	drafts  *entity.Repo[draft]
	readers *entity.Repo[reader]
	tags    *entity.Repo[tag]
}

// newPress creates a table with a client of a new database.
func newPress(t *testing.T, newClient func(testing.TB, ...func(*dynamodb.Options)) *dynamodb.Client, options ...entity.TableOption) *press {
	t.Helper()
	p := &press{}
	s := entity.NewSchema(entity.Config{Clock: (&clock{}).now})
	drafts, readers, tags := entity.Define[draft](s), entity.Define[reader](s), entity.Define[tag](s)
	table, err := s.Open(newClient(t, p.Record), "press", options...)
	require.NoError(t, err)
	p.table, p.drafts, p.readers, p.tags = table, drafts.In(table), readers.In(table), tags.In(table)
	require.NoError(t, table.Create(t.Context()))
	p.Take()
	return p
}

// randomWrites are the writes that make a random choice.
var randomWrites = []struct {
	name string
	call func(t *testing.T, p *press) error
}{
	{"create", func(t *testing.T, p *press) error {
		return p.drafts.Create(t.Context(), &draft{ID: "a", Text: "1"})
	}},
	{"put of a version", func(t *testing.T, p *press) error {
		return p.drafts.Put(t.Context(), &draft{ID: "a", Text: "2", Version: 1})
	}},
	{"update of a version", func(t *testing.T, p *press) error {
		_, err := p.drafts.Update(t.Context(), draft{ID: "a", Version: 2}, draftText.Set("3"))
		return err
	}},
	{"overwrite", func(t *testing.T, p *press) error {
		return p.drafts.Overwrite(t.Context(), &draft{ID: "a", Text: "4"})
	}},
	{"put many", func(t *testing.T, p *press) error {
		return p.drafts.PutMany(t.Context(), slices.Values([]*draft{{ID: "a", Text: "5", Version: 4}}))
	}},
	{"create with a unique value", func(t *testing.T, p *press) error {
		return p.readers.Create(t.Context(), &reader{ID: "a", Email: "a@example.com"})
	}},
	{"transaction", func(t *testing.T, p *press) error {
		return tx.Write(t.Context(), p.drafts.Op().Put(&draft{ID: "b"}), p.tags.Op().Put(&tag{ID: "b"}))
	}},
}

// writeAll makes all random writes, and returns the last request of each.
func writeAll(t *testing.T, e engines.Engine, options ...entity.TableOption) (last []string) {
	t.Helper()
	p := newPress(t, e.Client, options...)
	for _, w := range randomWrites {
		require.NoError(t, w.call(t, p), w.name)
		sent := p.Take()
		last = append(last, sent[len(sent)-1])
	}
	return last
}

func seeded(n byte) entity.TableOption { return entity.Random(rand.NewChaCha8([32]byte{n})) }

// With the same seed, a program sends the same requests again. With another seed, and without
// Random, all of them differ.
func TestRandomRepeatsRequests(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		first := writeAll(t, e, seeded(1))
		require.Equal(t, first, writeAll(t, e, seeded(1)))
		for _, other := range [][]string{writeAll(t, e, seeded(2)), writeAll(t, e), writeAll(t, e)} {
			for i, w := range randomWrites {
				require.NotEqual(t, first[i], other[i], w.name)
			}
			first = other
		}
	})
}

var errSource = errors.New("the source is broken")

// If the source fails, a write sends nothing, and its error wraps that of the source. So does each
// later write, although the source does not fail again.
func TestRandomFails(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		endless := rand.NewChaCha8([32]byte{})
		for name, c := range map[string]struct {
			source io.Reader
			want   error
		}{
			"error":   {io.MultiReader(iotest.ErrReader(errSource), endless), errSource},
			"empty":   {strings.NewReader(""), io.EOF},
			"short":   {strings.NewReader("12345678901"), io.ErrUnexpectedEOF},
			"timeout": {iotest.TimeoutReader(iotest.OneByteReader(endless)), iotest.ErrTimeout},
		} {
			p := newPress(t, e.Client, entity.Random(c.source))
			for _, w := range randomWrites {
				if w.name == "overwrite" {
					continue // it reads first
				}
				err := w.call(t, p)
				requireOutcome(t, err, c.want, trestle.NotApplied)
				require.NotErrorIs(t, err, trestle.ErrInvalid, "the call is valid")
				require.Empty(t, p.Take(), "%s, %s", name, w.name)
			}
			require.ErrorIs(t, p.drafts.Overwrite(t.Context(), &draft{ID: "a"}), c.want)
			// Other operations need no source.
			require.NoError(t, p.tags.Put(t.Context(), &tag{ID: "a"}))
			_, err := p.tags.Get(t.Context(), tag{ID: "a"})
			require.NoError(t, err)
		}
	})
}

// If the source fails before a pause, the operation is not sent again. A batch stops, and reports
// what it has not written.
func TestRandomFailsBeforeAPause(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	client := func(_ testing.TB, options ...func(*dynamodb.Options)) *dynamodb.Client { return db.Client(options...) }
	p := newPress(t, client, entity.Random(strings.NewReader("")))
	db.Fail(ddbtest.Op("PutItem"), ddbtest.Conflict)
	err := p.tags.Put(t.Context(), &tag{ID: "a"})
	requireOutcome(t, err, io.EOF, trestle.NotApplied)
	require.ErrorAs(t, err, new(*types.TransactionConflictException))
	require.Len(t, p.Take(), 1)

	db.Fail(ddbtest.Op("BatchWriteItem"), ddbtest.Unprocessed(100))
	err = p.tags.PutMany(t.Context(), slices.Values([]*tag{{ID: "a"}, {ID: "b"}}))
	require.ErrorIs(t, err, io.EOF)
	require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
	var left *trestle.UnprocessedError
	require.ErrorAs(t, err, &left)
	require.Len(t, left.Items(), 2)
	require.Len(t, p.Take(), 1)
}

// A nil source and two sources are rejected.
func TestRandomOptionsAreValidated(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]entity.TableOption{
		"nil": {entity.Random(nil)}, "nil pointer": {entity.Random((*bytes.Reader)(nil))}, "twice": {seeded(1), seeded(1)}, "nil and another": {entity.Random(nil), seeded(1)},
	} {
		_, err := entity.NewSchema(entity.Config{}).Open(ddbtest.Client(t), "app", options...)
		requireOutcome(t, err, trestle.ErrInvalid, trestle.NoWrite)
		require.Error(t, err, name)
	}
}

// A transaction uses the source of the first operation's table.
func TestTransactionUsesTheSourceOfItsFirstTable(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		open := func(name string, source io.Reader) *entity.Repo[tag] {
			s := entity.NewSchema(entity.Config{})
			tags := entity.Define[tag](s)
			table, err := s.Open(client, name, entity.Random(source))
			require.NoError(t, err)
			require.NoError(t, table.Create(t.Context()))
			return tags.In(table)
		}
		good, bad := open("good", rand.NewChaCha8([32]byte{})), open("bad", iotest.ErrReader(errSource))
		put := func(r *entity.Repo[tag]) entity.Operation { return r.Op().Put(&tag{ID: "a"}) }
		require.NoError(t, tx.Write(t.Context(), put(good), put(bad)))
		requireOutcome(t, tx.Write(t.Context(), put(bad), put(good)), errSource, trestle.NotApplied)
	})
}

// A batch write sends its last requests in the order of the tables, not in that of a map.
func TestBatchesOfTablesHaveAnOrder(t *testing.T) {
	t.Parallel()
	var bodies engines.Bodies
	client := ddbtest.Client(t, bodies.Record)
	var puts []entity.Operation
	names := []string{"first", "eighth", "third", "second", "ninth", "fifth"}
	for _, name := range names {
		s := entity.NewSchema(entity.Config{})
		tags := entity.Define[tag](s)
		table, err := s.Open(client, name)
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		puts = append(puts, tags.In(table).Op().Put(&tag{ID: "a"}))
	}
	bodies.Take()
	require.NoError(t, entity.WriteMany(t.Context(), slices.Values(puts), entity.Concurrency(1)))
	sent := bodies.Take()
	slices.Sort(names)
	require.Len(t, sent, len(names))
	for i, name := range names {
		require.Contains(t, sent[i], `"`+name+`"`)
	}
}

// Goroutines can use tables of the same option at the same time. The source itself is not safe for
// concurrent use; the race detector checks that only one goroutine reads it.
func TestRandomIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	const writers, each = 8, 25
	option := seeded(1)
	ids := map[string]bool{}
	var pair [2]*press
	for i := range pair {
		pair[i] = newPress(t, engines.Engine{Name: engines.InProcess}.Client, option)
	}
	failed := make([]error, writers*each)
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := w * each; i < (w+1)*each; i++ {
				failed[i] = pair[w%2].drafts.Create(t.Context(), &draft{ID: strconv.Itoa(i)})
			}
		})
	}
	all.Wait()
	require.NoError(t, errors.Join(failed...))
	for _, p := range pair {
		for _, body := range p.Take() {
			_, id, found := strings.Cut(body, `"_w":`)
			require.True(t, found)
			id, _, _ = strings.Cut(id, "}")
			ids[id] = true
		}
	}
	require.Len(t, ids, writers*each)
}
