package query_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// naive builds keys and conditions by hand: it joins values with the delimiter, and compares texts.
type naive struct {
	client *dynamodb.Client
	table  string
}

// fill writes the items to a table with naive keys.
func (n naive) fill(ctx context.Context, t *testing.T, s *randomTable) {
	t.Helper()
	_, err := n.client.CreateTable(ctx, entity.NewSchema(entity.Config{}).Definition(n.table))
	require.NoError(t, err)
	for _, one := range s.items {
		item, err := s.samples.Encode(one)
		require.NoError(t, err)
		var values []any
		for _, p := range s.paths[0].parts {
			values = append(values, p.get(one))
		}
		item["PK"], item["SK"] = n.partition(one.Tenant), n.join(s.paths[0], values)
		_, err = n.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &n.table, Item: item})
		require.NoError(t, err)
	}
}

func (naive) partition(tenant string) types.AttributeValue {
	return &types.AttributeValueMemberS{Value: "P#" + tenant}
}

// join joins the lead and the values.
func (naive) join(p *path, values []any) types.AttributeValue {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = textOf(v)
	}
	return &types.AttributeValueMemberS{Value: p.lead + strings.Join(texts, "#")}
}

// ask runs a query in the naive way: begins_with for Eq, and the operator followed by the joined
// text for the others.
func (n naive) ask(s *randomTable) asker {
	return func(ctx context.Context, q question) ([]sample, int, error) {
		condition, values := "begins_with(SK, :a)", map[string]types.AttributeValue{":p": n.partition(q.tenant)}
		switch q.op {
		case opLt, opLe, opGt, opGe:
			condition = "SK " + string(q.op) + " :a"
		case opBetween:
			condition = "SK BETWEEN :a AND :b"
		}
		values[":a"] = n.join(q.path, q.equals)
		for i, v := range q.operands {
			values[[]string{":a", ":b"}[i]] = n.join(q.path, append(q.equals[:len(q.equals):len(q.equals)], v))
		}
		in := &dynamodb.QueryInput{
			TableName: &n.table, ScanIndexForward: aws.Bool(!q.desc),
			KeyConditionExpression: aws.String("PK = :p AND " + condition), ExpressionAttributeValues: values,
		}
		out, err := n.client.Query(ctx, in)
		if err != nil {
			return nil, 0, err
		}
		var found []sample
		for _, item := range out.Items {
			one, err := s.samples.Decode(item)
			if err != nil {
				return nil, 0, err
			}
			found = append(found, one)
		}
		return found, len(found), nil
	}
}

// trapped returns a shape of two texts, in which one value can be a prefix of another.
func trapped(t *testing.T, values ...string) *randomTable {
	t.Helper()
	text, last := part{column: columns[0], form: textForms[0]}, part{column: columns[1], form: textForms[0], last: true}
	p := &path{pk: "P#<tenant>", sk: "S#<name>#<tag>", lead: "S#", tenanted: true, parts: []part{text, last}}
	s := &randomTable{paths: []*path{p}, tenants: []string{"1"}, pools: map[string][]any{}, delim: "#"}
	s.schema = entity.NewSchema(entity.Config{})
	s.samples = entity.DefineSpec[sample](s.schema, entity.Spec{Type: "sample", Key: entity.KeySpec{PK: p.pk, SK: p.sk}})
	require.NoError(t, s.schema.Err())
	for i, v := range values {
		s.items = append(s.items, &sample{Tenant: "1", Serial: i, Name: v, Tag: "x"})
	}
	return s
}

// A value is distinct from a value that it is a prefix of. The cases are states, tenants within a
// key, type prefixes, and texts that contain the delimiter. The negative control queries with
// handwritten conditions.
func TestValuesThatArePrefixesOfOthers(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, r := e.Client(t), rand.New(rand.NewPCG(1, 2))
		for n, values := range [][]string{{"WARNING1", "WARNING10"}, {"1", "10"}, {"sh", "shp"}, {"sh#", "shp#"}, {"a", "a b"}} {
			s := trapped(t, values...)
			name := fmt.Sprintf("trap-%d", n)
			s.fill(t.Context(), t, client, name)
			table, err := s.schema.Open(client, name)
			require.NoError(t, err)
			hand := naive{client, "by-hand-" + name}
			hand.fill(t.Context(), t, s)
			ours, caught := asked(s.samples.In(table), &counting{Client: client}, r), 0
			for _, op := range []operator{opEq, opLt, opLe, opGt, opGe, opBegins} {
				for _, v := range values {
					q := question{path: s.paths[0], tenant: "1", op: op, operands: []any{v}, end: byCollect}
					require.Empty(t, s.judge(t.Context(), q, ours), "%s", q)
					if s.judge(t.Context(), q, hand.ask(s)) != "" {
						caught++
					}
				}
			}
			require.Positive(t, caught, "the control, %q", values)
		}
	})
}

// This is the negative control of TestOperatorsAreExact: handwritten keys and conditions return
// wrong results, even with texts only.
func TestOperatorsByHandControl(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, r := e.Client(t), testrand.New(t)
		wrong, put := map[operator]int{}, map[operator]int{}
		for n := range e.Size(2, 6) {
			s := trapped(t)
			s.generateItems(t, r, 40)
			name := fmt.Sprintf("texts-%d", n)
			s.fill(t.Context(), t, client, name)
			table, err := s.schema.Open(client, name, entity.PlainCursors())
			require.NoError(t, err)
			ours := asked(s.samples.In(table), &counting{Client: client}, r)
			hand := naive{client, "by-hand-" + name}
			hand.fill(t.Context(), t, s)
			for range 150 {
				q := s.question(r)
				if q.filter, q.limit, q.end = 0, 0, byCollect; q.refused() {
					continue
				}
				require.Empty(t, s.judge(t.Context(), q, ours), "%s", q)
				put[q.op]++
				if s.judge(t.Context(), q, hand.ask(s)) != "" {
					wrong[q.op]++
				}
			}
		}
		t.Logf("wrong %v of %v", wrong, put)
		total := 0
		for _, n := range wrong {
			total += n
		}
		require.Greater(t, total, 2, "the control")
	})
}
