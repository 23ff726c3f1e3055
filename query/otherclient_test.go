package query_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// otherClient is a client of another type than the SDK's, which returns its outputs. The library
// reads the items of their outputs. change changes each of these items.
type otherClient struct {
	*dynamodb.Client
	change func(item)
}

type item = map[string]types.AttributeValue

func (c *otherClient) changed(items ...item) {
	for _, i := range items {
		if c.change != nil && len(i) > 0 {
			c.change(i)
		}
	}
}

func (c *otherClient) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	out, err := c.Client.GetItem(ctx, in, o...)
	if err == nil {
		c.changed(out.Item)
	}
	return out, err
}

func (c *otherClient) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	out, err := c.Client.Query(ctx, in, o...)
	if err == nil {
		c.changed(out.Items...)
	}
	return out, err
}

func (c *otherClient) Scan(ctx context.Context, in *dynamodb.ScanInput, o ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	out, err := c.Client.Scan(ctx, in, o...)
	if err == nil {
		c.changed(out.Items...)
	}
	return out, err
}

func (c *otherClient) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	out, err := c.Client.BatchGetItem(ctx, in, o...)
	if err == nil {
		for _, items := range out.Responses {
			c.changed(items...)
		}
	}
	return out, err
}

func (c *otherClient) TransactGetItems(ctx context.Context, in *dynamodb.TransactGetItemsInput, o ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error) {
	out, err := c.Client.TransactGetItems(ctx, in, o...)
	if err == nil {
		for _, r := range out.Responses {
			c.changed(r.Item)
		}
	}
	return out, err
}

// specimen has a field of each way of decoding.
type specimen struct {
	_        entity.Key            `type:"specimen" pk:"BOX#<box>" sk:"SPEC#<id:04>"`
	_        entity.Index          `name:"by-kind" on:"GSI1" pk:"KIND#<kind>" sk:"<at:day>#<id:04>"`
	Box      string                `dynamodbav:"box"`
	ID       int                   `dynamodbav:"id"`
	Kind     string                `dynamodbav:"kind"`
	At       time.Time             `dynamodbav:"at"`
	Unix     time.Time             `dynamodbav:"unix,unixtime"`
	Ends     time.Time             `dynamodbav:"ends" entity:"ttl"`
	Version  int64                 `dynamodbav:"version" entity:"version"`
	Int8     int8                  `dynamodbav:"int8"`
	Uint     uint64                `dynamodbav:"uint"`
	Float    float64               `dynamodbav:"float"`
	Small    *float32              `dynamodbav:"small"`
	Exact    attributevalue.Number `dynamodbav:"exact,omitempty"`
	JSON     json.Number           `dynamodbav:"json,omitempty"`
	AsText   int                   `dynamodbav:"astext,string"`
	Flag     bool                  `dynamodbav:"flag"`
	Bytes    []byte                `dynamodbav:"bytes"`
	Array    [4]byte               `dynamodbav:"array"`
	List     []string              `dynamodbav:"list"`
	Ints     []int                 `dynamodbav:"ints"`
	Fixed    [2]int                `dynamodbav:"fixed"`
	Texts    []string              `dynamodbav:"texts,stringset"`
	Numbers  []float64             `dynamodbav:"numbers,numberset"`
	Blobs    [][]byte              `dynamodbav:"blobs,binaryset"`
	Labels   map[string]string     `dynamodbav:"labels"`
	ByNumber map[int]specimenPart  `dynamodbav:"bynumber"`
	Part     specimenPart          `dynamodbav:"part"`
	Any      any                   `dynamodbav:"any"`
	AnyText  any                   `dynamodbav:"anytext,string"`
	Raw      types.AttributeValue  `dynamodbav:"raw"`
	Address  netip.Addr            `dynamodbav:"address"`
	Custom   attributevalue.UnixTime
	Rest     item `dynamodbav:"rest" entity:"rest"`
}

type specimenPart struct {
	Name  string         `dynamodbav:"name"`
	Count **int          `dynamodbav:"count"`
	Next  *specimenPart  `dynamodbav:"next"`
	Parts []specimenPart `dynamodbav:"parts"`
}

// tray is a type beside it, whose items are in the same partitions.
type tray struct {
	_    entity.Key `type:"tray" pk:"BOX#<box>" sk:"TRAY#<id>"`
	Box  string     `dynamodbav:"box"`
	ID   string     `dynamodbav:"id"`
	Note string     `dynamodbav:"note"`
}

var (
	specimenKind  = attr.Must(func(s *specimen) *string { return &s.Kind })
	specimenCount = attr.Must(func(s *specimen) *int8 { return &s.Int8 })
)

const specimens = 8

// cabinet is a database and one client.
type cabinet struct {
	sdk       *dynamodb.Client
	table     *entity.Table
	specimens *entity.Repo[specimen]
	trays     *entity.Repo[tray]
}

func newCabinet(t *testing.T, e engines.Engine, client func(*dynamodb.Client) trestle.Client, options ...entity.TableOption) *cabinet {
	t.Helper()
	now := time.Date(2046, 8, 1, 12, 0, 0, 0, time.UTC) // so far, no engine deletes expired items
	schema := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, TTL: "ends", Clock: func() time.Time { return now }})
	all, trays := entity.Define[specimen](schema), entity.Define[tray](schema)
	c := &cabinet{sdk: e.Client(t)}
	admin, err := schema.Open(c.sdk, "cabinet")
	require.NoError(t, err)
	require.NoError(t, admin.Create(t.Context()))
	c.table, err = schema.Open(client(c.sdk), "cabinet", options...)
	require.NoError(t, err)
	c.specimens, c.trays = all.In(c.table), trays.In(c.table)
	return c
}

// put stores items as attribute values.
func (c *cabinet) put(t *testing.T, items []item) {
	t.Helper()
	for _, i := range items {
		_, err := c.sdk.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("cabinet"), Item: i})
		require.NoError(t, err)
	}
}

// fill stores a random specimen with each id and some trays, and returns their items.
func (c *cabinet) fill(t *testing.T, r *rand.Rand) (items []item) {
	t.Helper()
	for id := range specimens {
		three, small := 3, float32(1)/3
		count := &three
		s := specimen{
			Box: "b", ID: id, Kind: []string{"k", "\"é\""}[r.IntN(2)], At: time.Date(2026, 1, 1+r.IntN(20), 0, 0, 0, r.IntN(1e9), time.UTC),
			Unix: time.Unix(r.Int64N(2e9), 0), Int8: int8(r.IntN(256) - 128), Uint: r.Uint64(), Float: r.NormFloat64(), Small: &small,
			Exact: "1.2345678901234567890123456789012345678E-99", JSON: "-99999999999999999999999999999999999999", AsText: -r.IntN(9), Flag: r.IntN(2) == 0,
			Bytes: []byte("\x00\xffbytes")[:r.IntN(8)], Array: [4]byte{1, 2}, List: []string{"", "x\n"}, Ints: []int{}, Fixed: [2]int{1, r.IntN(9)},
			Texts: []string{"a", "é"}, Numbers: []float64{1, 2.5, 1e100}, Blobs: [][]byte{{}, {0}}, Labels: map[string]string{"": "", "k": "v"}, ByNumber: map[int]specimenPart{7: {}},
			Part: specimenPart{Name: "p", Count: &count, Next: &specimenPart{Parts: []specimenPart{{Name: "q"}}}},
			Any:  map[string]any{"a": []any{1.5, nil, true, []byte{1}}, "n": attributevalue.Number("12345678901234567890")}, AnyText: 12, Raw: randomOf(r, 2),
			Address: netip.MustParseAddr("192.0.2.1"), Rest: item{"later": randomOf(r, 2), "_note": randomOf(r, 1)},
		}
		delete(s.Labels, "")
		switch r.IntN(4) {
		case 0:
			s.Ends = time.Date(2046, 7, 1, 0, 0, 0, 0, time.UTC) // expired
		case 1:
			s.Ends = time.Date(2046, 9, 1, 0, 0, 0, 0, time.UTC)
		}
		require.NoError(t, c.specimens.Overwrite(t.Context(), &s))
		if id%4 == 0 {
			require.NoError(t, c.trays.Overwrite(t.Context(), &tray{Box: "b", ID: fmt.Sprint(id), Note: strings.Repeat("n", r.IntN(2000))}))
		}
	}
	out, err := c.sdk.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("cabinet")})
	require.NoError(t, err)
	return out.Items
}

// randomOf returns a value of any type that DynamoDB stores.
func randomOf(r *rand.Rand, depth int) types.AttributeValue {
	kinds := 10
	if depth == 0 {
		kinds = 8
	}
	switch r.IntN(kinds) {
	case 0:
		return &types.AttributeValueMemberS{Value: []string{"", "a\"\\\n\u2028é😀", "12", "2026-01-02T03:04:05Z", strings.Repeat("long ", 300)}[r.IntN(5)]}
	case 1:
		return &types.AttributeValueMemberN{Value: []string{"0", "-7", "1.5", "12345678901234567890123456789012345678", "1E-130", "9.9E+125", "300"}[r.IntN(7)]}
	case 2:
		return &types.AttributeValueMemberB{Value: []byte("\x00\xff\xfebytes"[:r.IntN(9)])}
	case 3:
		return &types.AttributeValueMemberBOOL{Value: r.IntN(2) == 0}
	case 4:
		return &types.AttributeValueMemberNULL{Value: true}
	case 5:
		return &types.AttributeValueMemberSS{Value: []string{"a", "é"}[:1+r.IntN(2)]}
	case 6:
		return &types.AttributeValueMemberNS{Value: []string{"1.5", "-12345678901234567890123456789012345678"}[:1+r.IntN(2)]}
	case 7:
		return &types.AttributeValueMemberBS{Value: [][]byte{{0}, []byte("b")}[:1+r.IntN(2)]}
	case 8:
		list := make([]types.AttributeValue, r.IntN(4))
		for i := range list {
			list[i] = randomOf(r, depth-1)
		}
		return &types.AttributeValueMemberL{Value: list}
	default:
		m := item{}
		for range r.IntN(4) {
			m[[]string{"name", "count", "next", "parts", "7", "x", "é"}[r.IntN(7)]] = randomOf(r, depth-1)
		}
		return &types.AttributeValueMemberM{Value: m}
	}
}

// spoil exchanges some attributes for ones of any type. It keeps the keys.
func spoil(r *rand.Rand, items []item, n int) {
	for range n {
		i := items[r.IntN(len(items))]
		var names []string
		for name := range i {
			if !strings.HasSuffix(name, "K") {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		i[names[r.IntN(len(names))]] = randomOf(r, 2)
	}
}

// seen is what a caller gets.
type seen struct {
	Value                      any
	Kinds                      []int // of sentinel errors
	Field, GoType, Got, Reason string
}

func seenOf(v any, err error) seen {
	s := seen{Value: v}
	for n, kind := range []error{
		trestle.ErrNotFound, trestle.ErrExists, trestle.ErrStale, trestle.ErrCondition, trestle.ErrInvalid, trestle.ErrTenant, trestle.ErrUnknown,
	} {
		if errors.Is(err, kind) {
			s.Kinds = append(s.Kinds, n)
		}
	}
	var fe *codec.FieldError
	if errors.As(err, &fe) {
		field, _, inMap := strings.Cut(fe.Field, "[*]") // which entry of a map fails first is random
		if s.Field = field; !inMap {
			s.GoType, s.Got, s.Reason = fe.GoType, fe.Got, fe.Reason
		}
	} else if err != nil {
		s.Field = fmt.Sprintf("%T", err)
	}
	return s
}

func collected[T any](all iter.Seq2[T, error]) (list []T, err error) {
	for one, failed := range all {
		if failed != nil {
			return list, failed
		}
		list = append(list, one)
	}
	return list, nil
}

// read makes every read, and the writes that return an item.
func (c *cabinet) read(ctx context.Context) (all []seen) {
	add := func(v any, err error) { all = append(all, seenOf(v, err)) }
	examples := make([]specimen, specimens)
	for id := range examples {
		examples[id] = specimen{Box: "b", ID: id}
		add(c.specimens.Get(ctx, examples[id]))
		add(c.specimens.With(entity.ShowExpired()).Get(ctx, examples[id]))
		var into *specimen
		err := tx.Read(ctx, tx.Get(c.specimens, examples[id], &into))
		add(into, err)
		add(c.specimens.GetMany(ctx, examples[id:id+1]))
	}
	add(c.specimens.GetMany(ctx, examples))
	add(query.GetMany(ctx, query.Ref(c.trays, tray{Box: "b", ID: "4"}), query.Ref(c.specimens, examples[1])))
	of, on := query.Of(c.specimens, specimen{Box: "b"}), query.On(c.specimens, "by-kind", specimen{Kind: "k"})
	add(collected(of.All(ctx)))
	add(collected(of.PageSize(2).Filter(specimenCount.Gt(0)).All(ctx)))
	add(collected(on.All(ctx)))
	add(collected(on.Fetch().All(ctx)))
	add(of.Count(ctx))
	add(collected(query.Items(ctx, of.Collection())))
	add(collected(query.ScanTable(c.table).All(ctx)))
	add(collected(query.ScanStored(c.table).All(ctx)))
	for id, example := range examples {
		err := c.specimens.Create(ctx, &specimen{Box: "b", ID: id})
		existing, _ := entity.ItemFromError[specimen](err)
		add(existing, err)
		add(c.specimens.With(entity.ReadFirst()).Update(ctx, example, specimenKind.Set(fmt.Sprint(id))))
		add(c.specimens.Update(ctx, example, specimenKind.Set(fmt.Sprint(id))))
		add(nil, c.specimens.Delete(ctx, example, specimenKind.Eq("none")))
	}
	return all
}

// compare reads the same items by the SDK's client, whose replies are read as JSON, and in another
// way. It returns what callers see of both.
func compare(t *testing.T, e engines.Engine, seed uint64, client func(*dynamodb.Client) trestle.Client, options ...entity.TableOption) (json, values []seen) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	c := newCabinet(t, e, func(c *dynamodb.Client) trestle.Client { return c })
	items := c.fill(t, r)
	spoil(r, items, r.IntN(5))
	other := newCabinet(t, e, client, options...)
	c.put(t, items)
	other.put(t, items)
	return c.read(t.Context()), other.read(t.Context())
}

// Reads have the same results, and writes fail for the same reasons, whether items are read as JSON
// or as attribute values: by a client of another type, or because a middleware needs them.
func TestItemsOfOtherClients(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		seed := testrand.Seed(t)
		for i := range uint64(e.Size(4, 12, 100)) {
			plain := func(c *dynamodb.Client) trestle.Client { return c }
			client, options := plain, []entity.TableOption{entity.AttributeValues()}
			if i%2 == 0 {
				client, options = func(c *dynamodb.Client) trestle.Client { return &otherClient{Client: c} }, nil
			}
			json, values := compare(t, e, seed+i, client, options...)
			for n := range json {
				require.Equal(t, json[n], values[n], n)
			}
			failed := 0
			for _, s := range json {
				if s.Field != "" {
					failed++
				}
			}
			require.Less(t, failed, len(json)*9/10, "most reads fail")
		}
	})
}

// The negative control: other values of one type are seen.
func TestItemsOfOtherClients_control(t *testing.T) {
	t.Parallel()
	e := engines.Engine{Name: engines.InProcess}
	for name, change := range map[string]func(item){
		"no NULL": func(i item) {
			maps.DeleteFunc(i, func(_ string, av types.AttributeValue) bool { return codec.WireOf(av) == codec.WireNULL })
		},
		"a set is a list": func(i item) {
			i["texts"] = &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberS{Value: "a"}}}
		},
		"a number is a text":  func(i item) { i["int8"] = &types.AttributeValueMemberS{Value: "1"} },
		"a binary is shorter": func(i item) { i["array"] = &types.AttributeValueMemberB{Value: []byte{1}} },
		"another type":        func(i item) { i["_type"] = &types.AttributeValueMemberS{Value: "tray"} },
		"no time to live":     func(i item) { delete(i, "ends") },
		"no index key":        func(i item) { delete(i, "GSI1SK") },
	} {
		seen := false
		for seed := range uint64(4) {
			json, values := compare(t, e, seed, func(c *dynamodb.Client) trestle.Client { return &otherClient{c, change} })
			seen = seen || !reflect.DeepEqual(json, values)
		}
		require.True(t, seen, name)
	}
}

// What the SDK does not know is no value of any field, and what is nil is NULL. A field for other
// attributes keeps both.
func TestUnknownValuesOfOtherClients(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		other := &otherClient{}
		c := newCabinet(t, e, func(c *dynamodb.Client) trestle.Client { other.Client = c; return other })
		s := specimen{Box: "b", ID: 1, Flag: true, List: []string{"x"}, Any: "x"}
		require.NoError(t, c.specimens.Put(t.Context(), &s))
		unknown := &types.UnknownUnionMember{Tag: "V", Value: []byte("[1]")}
		get := func(name string, av types.AttributeValue) (specimen, error) {
			other.change = func(i item) { i[name] = av }
			return c.specimens.Get(t.Context(), specimen{Box: "b", ID: 1})
		}
		stored, err := c.specimens.Get(t.Context(), specimen{Box: "b", ID: 1})
		require.NoError(t, err)
		got, err := get("later", unknown)
		require.NoError(t, err)
		require.Equal(t, item{"later": unknown}, got.Rest)
		got, err = get("later", nil)
		require.NoError(t, err)
		require.Equal(t, item{"later": nil}, got.Rest)
		got, err = get("raw", unknown)
		require.NoError(t, err)
		require.Equal(t, unknown, got.Raw)
		for _, name := range []string{"flag", "list", "any", "part", "bynumber", "labels", "bytes", "at", "unix", "int8", "anytext", "blobs"} {
			_, err = get(name, unknown)
			var fe *codec.FieldError
			require.ErrorAs(t, err, &fe, name)
			_, err = get(name, &types.AttributeValueMemberL{Value: []types.AttributeValue{unknown}})
			require.ErrorAs(t, err, &fe, name)
			for _, none := range []types.AttributeValue{nil, (*types.AttributeValueMemberS)(nil), &types.AttributeValueMemberNULL{Value: true}} {
				got, err = get(name, none)
				require.NoError(t, err, name)
				require.Equal(t, specimenWithout(stored, name), got, name)
			}
		}
	})
}

// specimenWithout returns a specimen whose field of an attribute is zero.
func specimenWithout(s specimen, name string) specimen {
	v := reflect.ValueOf(&s).Elem()
	for i := range v.NumField() {
		if tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("dynamodbav"), ","); tag == name {
			v.Field(i).SetZero()
		}
	}
	return s
}
