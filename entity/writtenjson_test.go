package entity_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/tx"
)

// ware has most roles and most types of fields.
type ware struct {
	_        entity.Key   `type:"ware" pk:"SHOP#<shop>" sk:"WARE#<id>" lifetime:"24h"`
	_        entity.Index `name:"by-kind" on:"GSI1" pk:"KIND#<kind>" sk:"<made:day>#<id>"`
	Shop     string       `dynamodbav:"shop"`
	ID       string       `dynamodbav:"id"`
	Kind     string       `dynamodbav:"kind,omitempty"`
	Serial   string       `dynamodbav:"serial,omitempty" entity:"unique"`
	Made     time.Time    `dynamodbav:"made"`
	Price    float64      `dynamodbav:"price"`
	Sold     bool         `dynamodbav:"sold"`
	Photo    []byte       `dynamodbav:"photo,omitempty"`
	Tags     []string     `dynamodbav:"tags,stringset,omitempty"`
	Sizes    []int        `dynamodbav:"sizes"`
	Parts    map[string]warePart
	Next     *warePart
	Any      any
	Created  time.Time                       `dynamodbav:"created" entity:"created"`
	Updated  time.Time                       `dynamodbav:"updated" entity:"updated"`
	Expires  time.Time                       `dynamodbav:"expires" entity:"ttl"`
	Version  int64                           `dynamodbav:"version" entity:"version"`
	Unknown  map[string]types.AttributeValue `dynamodbav:"unknown" entity:"rest"`
	Internal string                          `dynamodbav:"-"`
}

type warePart struct {
	Name  string    `dynamodbav:"name"`
	Count int       `dynamodbav:"count,omitempty"`
	Next  *warePart `dynamodbav:"next,omitempty"`
}

// leaflet has no role, so that batches are BatchWriteItem requests.
type leaflet struct {
	_    entity.Key `type:"leaflet" pk:"SHOP#<shop>" sk:"LEAF#<id:04>"`
	Shop string     `dynamodbav:"shop"`
	ID   int        `dynamodbav:"id"`
	Text string     `dynamodbav:"text"`
}

var (
	wareKind  = attr.Must(func(w *ware) *string { return &w.Kind })
	wareSold  = attr.Must(func(w *ware) *bool { return &w.Sold })
	warePrice = attr.Must(func(w *ware) *float64 { return &w.Price })
)

// wareText returns a text that JSON may have to escape.
func wareText(r *rand.Rand) string {
	parts := []string{"a", "\"", "\\", "\n", "é", "\u2028", "😀", "<b>", strings.Repeat("long ", 10)}
	text := ""
	for range r.IntN(4) {
		text += parts[r.IntN(len(parts))]
	}
	return text
}

func randomWare(r *rand.Rand, now time.Time) *ware {
	part := func() warePart { return warePart{Name: wareText(r), Count: r.IntN(2)} }
	w := &ware{
		Shop: "s", ID: fmt.Sprint(r.IntN(6)), Kind: []string{"", "k", "\"é\""}[r.IntN(3)], Serial: []string{"", "1", "2", "3"}[r.IntN(4)],
		Made: now.Add(-time.Duration(r.IntN(100)) * time.Hour), Price: float64(r.IntN(1000)) / 8, Sold: r.IntN(2) == 0, Photo: []byte(wareText(r)),
		Sizes: make([]int, r.IntN(3)), Parts: map[string]warePart{"p" + wareText(r): part()}, Any: []any{wareText(r), nil, 1.5, []byte{1}},
		Version: int64(r.IntN(4)),
	}
	if r.IntN(2) == 0 {
		next := part()
		w.Next, w.Tags = &next, []string{"t", "u" + wareText(r)}
		w.Unknown = map[string]types.AttributeValue{"later": avS(wareText(r)), "_type": avS("not this"), "GSI1PK": avS("not this")}
	}
	return w
}

// wireWrite is a request that stores items.
type wireWrite struct {
	verb string
	body any
}

// writeLog is the transport of a client that records the requests.
type writeLog struct {
	dynamodb.HTTPClient
	list   []wireWrite
	change func(body string) string
}

func (l *writeLog) Do(r *http.Request) (*http.Response, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(text))
	w := wireWrite{verb: r.Header.Get("X-Amz-Target")}
	if err := json.Unmarshal([]byte(l.change(string(text))), &w.body); err != nil {
		return nil, err
	}
	l.list = append(l.list, w)
	return l.HTTPClient.Do(r)
}

// warehouse is a database with its requests. Two of them with the same seed make the same random
// choices.
type warehouse struct {
	log      *writeLog
	wares    *entity.Repo[ware]
	leaflets *entity.Repo[leaflet]
	posts    *entity.Repo[post]
	comments *entity.Repo[comment]
	outcomes []string
}

func newWarehouse(t *testing.T, seed uint64, now time.Time, options ...entity.CallOption) *warehouse {
	t.Helper()
	schema := entity.NewSchema(entity.Config{
		Indexes: []entity.IndexConfig{{Name: "GSI1"}}, TTL: "expires", Clock: func() time.Time { return now },
	})
	wares, leaflets := entity.Define[ware](schema), entity.Define[leaflet](schema)
	posts, comments := entity.Define[post](schema), entity.Define[comment](schema)
	db := ddbtest.New(ddbtest.Options{})
	t.Cleanup(db.Close)
	w := &warehouse{log: &writeLog{change: func(body string) string { return body }}}
	client := db.Client(func(o *dynamodb.Options) { w.log.HTTPClient, o.HTTPClient = o.HTTPClient, w.log })
	var key [32]byte
	key[0], key[1] = byte(seed), byte(seed>>8)
	table, err := schema.Open(client, "shop", entity.Random(rand.NewChaCha8(key)))
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	require.True(t, hooks.TableOf(table).Config.JSON)
	w.wares, w.leaflets = wares.In(table).With(options...), leaflets.In(table).With(options...)
	w.posts, w.comments = posts.In(table).With(options...), comments.In(table).With(options...)
	return w
}

// ended notes how a call ended.
func (w *warehouse) ended(err error) {
	outcome := trestle.OutcomeOf(err).String()
	for _, kind := range []error{trestle.ErrExists, trestle.ErrStale, trestle.ErrTaken, trestle.ErrNotFound, trestle.ErrCondition, trestle.ErrInvalid} {
		if errors.Is(err, kind) {
			outcome += " " + kind.Error()
		}
	}
	w.outcomes = append(w.outcomes, outcome)
}

// call makes a random call.
func (w *warehouse) call(ctx context.Context, r *rand.Rand, now time.Time) error {
	one, id := randomWare(r, now), fmt.Sprint(r.IntN(3))
	example := ware{Shop: "s", ID: one.ID}
	switch r.IntN(14) {
	case 0, 1, 2:
		return w.wares.Create(ctx, one)
	case 3, 4:
		return w.wares.Put(ctx, one)
	case 5:
		return w.wares.Put(ctx, one, wareSold.Eq(true))
	case 6:
		return w.wares.Overwrite(ctx, one)
	case 7:
		_, err := w.wares.With(entity.ReadFirst()).Update(ctx, example, wareKind.Set(wareText(r)), warePrice.Set(2))
		return err
	case 8:
		return w.wares.Delete(ctx, example)
	case 9:
		_, err := w.wares.Op().Put(one).Once(fmt.Sprint("token", r.IntN(1000))).Do(ctx)
		return err
	case 10:
		return tx.Write(ctx, w.wares.Op().Put(one), w.leaflets.Op().Put(&leaflet{Shop: "s", ID: 1, Text: wareText(r)}),
			w.posts.Op().Create(&post{ID: id, Title: wareText(r)}), w.leaflets.Op().Delete(leaflet{Shop: "s", ID: 2}))
	case 11:
		one.ID += "moved"
		return tx.Write(ctx, tx.Move(w.wares, example, one))
	case 12:
		return w.comments.Put(ctx, &comment{Post: id, ID: fmt.Sprint(r.IntN(3)), Text: wareText(r)})
	default:
		return entity.WriteMany(ctx, w.many(r, one), entity.Concurrency(1))
	}
}

// many returns operations of a batch.
func (w *warehouse) many(r *rand.Rand, one *ware) iter.Seq[entity.Operation] {
	n := r.IntN(40)
	return func(yield func(entity.Operation) bool) {
		for i := range n {
			var o entity.Operation = w.leaflets.Op().Put(&leaflet{Shop: "s", ID: i, Text: fmt.Sprint(one.Made, i)})
			switch {
			case i == 5:
				o = w.wares.Op().Overwrite(one)
			case i%7 == 6:
				o = w.leaflets.Op().Delete(leaflet{Shop: "s", ID: i})
			}
			if !yield(o) {
				return
			}
		}
	}
}

// compareWrites makes the same random calls with items in JSON and as attribute values. change
// changes what is recorded of the first.
func compareWrites(t *testing.T, seed uint64, calls int, change func(string) string) (json, values *warehouse) {
	t.Helper()
	now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	json, values = newWarehouse(t, seed, now), newWarehouse(t, seed, now, entity.AttributeValues())
	json.log.change = change
	for _, w := range []*warehouse{json, values} {
		r := rand.New(rand.NewPCG(seed, 1))
		for range calls {
			w.ended(w.call(t.Context(), r, now))
		}
	}
	return json, values
}

// Every verb sends the same requests whether items are written as JSON or as attribute values.
func TestWritesInJSON(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	seed := testrand.Seed(t)
	for i := range uint64(testsize.Pick(3, 8, 200)) {
		json, values := compareWrites(t, seed+i, 200, func(body string) string { return body })
		require.Equal(t, values.outcomes, json.outcomes)
		require.Len(t, json.log.list, len(values.log.list))
		applied := 0
		for _, outcome := range json.outcomes {
			if outcome == trestle.Applied.String() {
				applied++
			}
		}
		require.Greater(t, applied, len(json.outcomes)/4)
		require.Less(t, applied, len(json.outcomes))
		verbs := map[string]int{}
		for n, request := range values.log.list {
			require.Equal(t, request, json.log.list[n])
			verbs[request.verb]++
		}
		for _, verb := range []string{"PutItem", "BatchWriteItem", "TransactWriteItems"} {
			require.Greater(t, verbs["DynamoDB_20120810."+verb], 3, verbs)
		}
	}
}

// TestWritesInJSON_control is the negative control: a lost or a changed attribute is found.
func TestWritesInJSON_control(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	seed := testrand.Seed(t)
	for _, attribute := range []string{"price", "_w", "GSI1SK", "_type"} {
		json, values := compareWrites(t, seed, 100, func(body string) string { return strings.ReplaceAll(body, `"`+attribute+`":`, `"x":`) })
		require.False(t, reflect.DeepEqual(values.log.list, json.log.list), attribute)
	}
}
