package entity_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testsize"
)

// crate is an item of any size, whose keys have any length.
type crate struct {
	_     entity.Key     `type:"crate" pk:"C#<hash>" sk:"<sort>"`
	_     entity.Index   `name:"by-label" on:"GSI1" pk:"L#<label>" sk:"<shelf>"`
	Hash  string         `dynamodbav:"hash"`
	Sort  string         `dynamodbav:"sort"`
	Label string         `dynamodbav:"label,omitempty"`
	Shelf string         `dynamodbav:"shelf,omitempty"`
	Text  string         `dynamodbav:"text,omitempty"`
	N     int            `dynamodbav:"n"`
	List  []int          `dynamodbav:"list,omitempty"`
	Map   map[string]int `dynamodbav:"map,omitempty"`
}

var (
	crateLabel = attr.Must(func(c *crate) *string { return &c.Label })
	crateShelf = attr.Must(func(c *crate) *string { return &c.Shelf })
	crateList  = attr.Must(func(c *crate) *[]int { return &c.List })
	crateMap   = attr.Must(func(c *crate) *map[string]int { return &c.Map })
	crateN     = attr.Must(func(c *crate) *int { return &c.N })
)

// limitRow is a limit of DynamoDB for a write.
type limitRow struct {
	name  string
	limit int
	write func(n int) *entity.Op[crate]
	add   func(in trestle.Input) // makes the largest request larger
}

func xs(n int) string { return strings.Repeat("x", n) }

// appendText appends a text to a string value.
func appendText(item map[string]types.AttributeValue, name, text string) {
	item[name] = avS(textOf(item[name]) + text)
}

// limitRows returns the limits of single writes. The crate without texts exists.
func limitRows(t *testing.T, client *dynamodb.Client, ops *entity.Ops[crate]) []limitRow {
	t.Helper()
	put := func(c crate, conds ...attr.Cond[crate]) *entity.Op[crate] { return ops.Put(&c, conds...) }
	full := func(write func(*crate) *entity.Op[crate]) func(n int) *entity.Op[crate] {
		return func(n int) *entity.Op[crate] {
			c := crate{Hash: "full", Sort: "s", Text: "x"}
			_, err := write(&c).Do(t.Context())
			require.NoError(t, err)
			out, err := client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
				TableName: aws.String("crates"), Key: map[string]types.AttributeValue{"PK": avS("C#full"), "SK": avS("s")}, ReturnValues: types.ReturnValueAllOld,
			})
			require.NoError(t, err)
			c.Text = xs(1 + n - codec.ItemSize(out.Attributes)) // with the write ID of a create
			return write(&c)
		}
	}
	tooLarge := func(in trestle.Input) { appendText(in.Put.Item, "text", xs(409_601-codec.ItemSize(in.Put.Item))) }
	longerKey := func(name string) func(in trestle.Input) {
		return func(in trestle.Input) {
			switch {
			case in.Put != nil:
				appendText(in.Put.Item, name, "x")
			case in.Update != nil:
				appendText(in.Update.Key, name, "x")
			default:
				appendText(in.Delete.Key, name, "x")
			}
		}
	}
	longerCondition := func(text string) func(in trestle.Input) {
		return func(in trestle.Input) {
			in.Delete.ConditionExpression = aws.String(*in.Delete.ConditionExpression + text)
		}
	}
	longerUpdate := func(text string) func(in trestle.Input) {
		return func(in trestle.Input) { in.Update.UpdateExpression = aws.String(*in.Update.UpdateExpression + text) }
	}
	longValue := func(in trestle.Input) {
		for _, v := range in.Update.ExpressionAttributeValues {
			if s, ok := v.(*types.AttributeValueMemberS); ok && strings.HasSuffix(s.Value, "xx") {
				s.Value += "x"
			}
		}
	}
	key := crate{Hash: "a", Sort: "s"}
	listed, gone := crate{Hash: "listed", Sort: "s"}, crate{Hash: "gone", Sort: "s"}
	return []limitRow{
		{"item of a put", 409_600, full(func(c *crate) *entity.Op[crate] { return ops.Put(c) }), tooLarge},
		{"item of a create", 409_600, full(ops.Create), tooLarge},
		{"item of an overwrite", 409_600, full(func(c *crate) *entity.Op[crate] { return ops.Overwrite(c) }), tooLarge},
		{"partition key of a put", 2048, func(n int) *entity.Op[crate] { return put(crate{Hash: xs(n - 2), Sort: "s"}) }, longerKey("PK")},
		{"partition key of an upsert", 2048, func(n int) *entity.Op[crate] { return ops.Upsert(crate{Hash: xs(n - 2), Sort: "s"}, crateN.Set(1)) }, longerKey("PK")},
		{"partition key of a delete", 2048, func(n int) *entity.Op[crate] { return ops.Delete(crate{Hash: xs(n - 2), Sort: "s"}) }, longerKey("PK")},
		{"sort key of a put", 1024, func(n int) *entity.Op[crate] { return put(crate{Hash: "a", Sort: xs(n)}) }, longerKey("SK")},
		{"sort key of an upsert", 1024, func(n int) *entity.Op[crate] { return ops.Upsert(crate{Hash: "a", Sort: xs(n)}, crateN.Set(1)) }, longerKey("SK")},
		{"sort key of a delete", 1024, func(n int) *entity.Op[crate] { return ops.Delete(crate{Hash: "a", Sort: xs(n)}) }, longerKey("SK")},
		{"index partition key of a put", 2048, func(n int) *entity.Op[crate] { return put(crate{Hash: "a", Sort: "s", Label: xs(n - 2), Shelf: "s"}) }, longerKey("GSI1PK")},
		{"index sort key of a put", 1024, func(n int) *entity.Op[crate] { return put(crate{Hash: "a", Sort: "s", Label: "l", Shelf: xs(n)}) }, longerKey("GSI1SK")},
		{"index partition key of an update", 2048, func(n int) *entity.Op[crate] { return ops.Update(key, crateLabel.Set(xs(n-2)), crateShelf.Set("s")) }, longValue},
		{"index sort key of an update", 1024, func(n int) *entity.Op[crate] { return ops.Update(key, crateLabel.Set("l"), crateShelf.Set(xs(n))) }, longValue},
		{"bytes of a condition", 4096, func(n int) *entity.Op[crate] { return ops.Delete(gone, conditionsOf(t, ops, n)...) }, longerCondition(" ")},
		{"operators of a condition", 300, func(n int) *entity.Op[crate] {
			list := slices.Repeat([]attr.Cond[crate]{crateN.Ne(1)}, (n-1)/2) // each with an AND, and attribute_exists
			if n%2 == 0 {
				list[0] = attr.Not(list[0])
			}
			return ops.Delete(gone, list...)
		}, longerCondition(" AND attribute_exists(#n0)")},
		{"operands of IN", 100, func(n int) *entity.Op[crate] { return ops.Delete(gone, crateN.In(make([]int, n)...)) }, func(in trestle.Input) {
			*in.Delete.ConditionExpression = strings.Replace(*in.Delete.ConditionExpression, "IN (", "IN (:v0, ", 1)
		}},
		{"bytes of an update", 4096, func(n int) *entity.Op[crate] {
			changes := changesOf(t, ops, n)
			return ops.Update(listed, changes[0], changes[1:]...)
		}, longerUpdate(" ")},
		{"attribute name", 65_535, func(n int) *entity.Op[crate] { return ops.Update(listed, attr.Key(crateMap, xs(n)).Set(1)) }, func(in trestle.Input) {
			for name, attribute := range in.Update.ExpressionAttributeNames {
				in.Update.ExpressionAttributeNames[name] = strings.Replace(attribute, "xx", "xxx", 1)
			}
		}},
	}
}

// conditionsOf returns conditions of n bytes.
func conditionsOf(t *testing.T, ops *entity.Ops[crate], n int) []attr.Cond[crate] {
	t.Helper()
	rest := slices.Repeat([]attr.Cond[crate]{crateN.In(make([]int, 100)...)}, 5)
	made := func(longer int) []attr.Cond[crate] {
		var list []attr.Cond[crate]
		for i := range 25 {
			if i < longer {
				list = append(list, crateN.Le(i))
			} else {
				list = append(list, crateN.Lt(i))
			}
		}
		return append(list, rest...)
	}
	missing := func() int {
		in, err := ops.Delete(crate{Hash: "a", Sort: "s"}, made(0)...).Input()
		require.NoError(t, err)
		return n - len(*in.Delete.ConditionExpression)
	}
	for missing() > 25 {
		rest = append(rest, crateN.Eq(1))
	}
	return made(missing())
}

// changesOf returns changes of list elements, whose update expression has n bytes.
func changesOf(t *testing.T, ops *entity.Ops[crate], n int) []attr.Change[crate] {
	t.Helper()
	elements := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	missing := func() int {
		in, err := ops.Update(crate{Hash: "a", Sort: "s"}, setElements(elements)[0], setElements(elements)[1:]...).Input()
		require.NoError(t, err)
		return n - len(*in.Update.UpdateExpression)
	}
	for i := 100; missing() > 19; i++ {
		elements = append(elements, i)
	}
	for i := missing(); i > 0; i -= 2 { // an index of three or of two digits, instead of one
		elements[i/2] += map[bool]int{true: 80, false: 900}[i == 1]
	}
	return setElements(elements)
}

func setElements(elements []int) (changes []attr.Change[crate]) {
	for _, i := range elements {
		changes = append(changes, attr.At(crateList, i).Set(1))
	}
	return changes
}

// A write at a limit of DynamoDB is applied. One beyond is not sent, and DynamoDB would reject it.
//
// For nested values and tokens see TestNestingLimit and TestTokenMistakes. The 2 MB of names and
// values are tested in package expr: an engine accepts 1 MB of them for each expression. For
// transactions see package tx. A batch cannot reach 16 MB with 25 items.
func TestLimitsOfWrites(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		crates := entity.Define[crate](s)
		client, transport := newFaulty(t, e)
		table, err := s.Open(client, "crates")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		repo := crates.In(table)
		require.NoError(t, repo.Put(t.Context(), &crate{Hash: "a", Sort: "s"}))
		require.NoError(t, repo.Put(t.Context(), &crate{Hash: "listed", Sort: "s", List: make([]int, 1000), Map: map[string]int{"a": 1}}))
		for _, row := range limitRows(t, client, repo.Op()) {
			var largest trestle.Input
			for n := row.limit - 1; n <= row.limit+1; n++ {
				name := fmt.Sprint(row.name, ", ", n)
				o := row.write(n)
				transport.All.Store(0)
				_, err := o.Do(t.Context())
				if n <= row.limit {
					if err != nil {
						require.ErrorIs(t, err, trestle.ErrNotFound, "%s: DynamoDB evaluates the condition", name)
					}
					require.EqualValues(t, 1, transport.All.Load(), name)
					require.NoError(t, repo.Delete(t.Context(), crate{Hash: "full", Sort: "s"}))
					largest, err = o.Input()
					require.NoError(t, err, name)
					continue
				}
				requireOutcome(t, err, trestle.ErrLimit, trestle.NotApplied)
				if row.name != "item of a create" { // its input has no write ID, so it fits
					_, err = o.Input()
					require.ErrorIs(t, err, trestle.ErrLimit, name)
				}
				require.Zero(t, transport.All.Load(), name)
			}
			row.add(largest)
			var api smithy.APIError
			require.ErrorAs(t, send(t, client, largest), &api, row.name)
			require.Equal(t, "ValidationException", api.ErrorCode(), row.name)
		}
	})
}

// An update may exceed the limit of an item only together with the stored item, which the library
// does not know. Then DynamoDB rejects it.
func TestUpdateThatMakesAnItemTooLarge(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		crates := entity.Define[crate](s)
		_, table := open(t, e, s)
		repo := crates.In(table)
		full := crate{Hash: "a", Sort: "s", Text: xs(409_000)}
		require.NoError(t, repo.Put(t.Context(), &full))
		_, err := repo.Update(t.Context(), full, crateList.Set(make([]int, 1000)))
		var api smithy.APIError
		require.ErrorAs(t, err, &api)
		require.Equal(t, "ValidationException", api.ErrorCode())
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
		var failed *trestle.OpError
		require.ErrorAs(t, err, &failed)
		require.NotEmpty(t, failed.Hint)
		stored, err := repo.Strong().Get(t.Context(), full)
		require.NoError(t, err)
		require.Equal(t, full, stored)
	})
}

// send sends a request with the SDK alone.
func send(t *testing.T, client *dynamodb.Client, in trestle.Input) (err error) {
	t.Helper()
	switch {
	case in.Put != nil:
		_, err = client.PutItem(t.Context(), in.Put)
	case in.Update != nil:
		_, err = client.UpdateItem(t.Context(), in.Update)
	default:
		_, err = client.DeleteItem(t.Context(), in.Delete)
	}
	return err
}
