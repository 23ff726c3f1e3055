package attr_test

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

const tableName = "app"

// sampleTable is a table on DynamoDB Local that contains the samples.
type sampleTable struct {
	client *dynamodb.Client
	plan   *core.Plan
	items  map[string]*Sample
}

func newSampleTable(t *testing.T, r *rand.Rand, n int) *sampleTable {
	t.Helper()
	s := &sampleTable{client: newTable(t), plan: plan[Sample](t), items: map[string]*Sample{}}
	for _, x := range table(r, n) {
		s.items[x.ID] = x
		_, err := s.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(tableName), Item: s.item(t, x)})
		require.NoError(t, err)
	}
	return s
}

// newTable creates an empty table with a partition key and a sort key of type S on DynamoDB Local.
func newTable(t *testing.T) *dynamodb.Client {
	t.Helper()
	client := engines.Local(t).Client(t)
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String(tableName), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("PK"), AttributeType: "S"}, {AttributeName: aws.String("SK"), AttributeType: "S"}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("PK"), KeyType: "HASH"}, {AttributeName: aws.String("SK"), KeyType: "RANGE"}},
	})
	require.NoError(t, err)
	return client
}

func (s *sampleTable) item(t *testing.T, x *Sample) codec.Item {
	t.Helper()
	item := codec.Item{"PK": &types.AttributeValueMemberS{Value: x.ID}, "SK": &types.AttributeValueMemberS{Value: "#"}}
	require.NoError(t, s.plan.Shape.Encode(codec.PtrTo(x), item))
	return item
}

// compiled is a condition as it is sent.
type compiled struct {
	text   string
	names  map[string]string
	values map[string]types.AttributeValue
}

// matches returns the items that a scan returns.
func (s *sampleTable) matches(ctx context.Context, c compiled) (map[string]bool, error) {
	out, err := s.client.Scan(ctx, &dynamodb.ScanInput{
		TableName: aws.String(tableName), FilterExpression: &c.text, ExpressionAttributeNames: c.names, ExpressionAttributeValues: c.values,
	})
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, item := range out.Items {
		found[item["id"].(*types.AttributeValueMemberS).Value] = true
	}
	return found, nil
}

// conditionalPut reports whether a conditional put succeeds.
func (s *sampleTable) conditionalPut(t *testing.T, c compiled, x *Sample) (bool, error) {
	_, err := s.client.PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String(tableName), Item: s.item(t, x), ConditionExpression: &c.text,
		ExpressionAttributeNames: c.names, ExpressionAttributeValues: c.values,
	})
	var failed *types.ConditionalCheckFailedException
	if errors.As(err, &failed) {
		return false, nil
	}
	return err == nil, err
}

// resultCounts counts the results of each kind of condition.
type resultCounts map[string]*struct{ total, held int }

func (c resultCounts) add(name string, yes bool) {
	if c[name] == nil {
		c[name] = &struct{ total, held int }{}
	}
	c[name].total++
	if yes {
		c[name].held++
	}
}

// countDifferences evaluates up to n random conditions for every item, in Go and in DynamoDB, and
// counts the different results. It stops after limit of them. It applies mutate to a condition
// before sending it.
func (s *sampleTable) countDifferences(t *testing.T, r *rand.Rand, n, limit int, mutate func(compiled) compiled) (wrong int, counts resultCounts) {
	t.Helper()
	ids := slices.Sorted(maps.Keys(s.items))
	counts = resultCounts{}
	for i := 0; i < n && wrong < limit; i++ {
		a, leaves := randomTree(r, r.IntN(4))
		b := expr.NewBuilder()
		text, err := expr.Condition(b, s.plan, expr.CondOf(a.cond))
		require.NoError(t, err)
		sent := mutate(compiled{text, b.Names(), b.Values()})
		found, err := s.matches(t.Context(), sent)
		require.NoError(t, err, "%v as %s", a.cond, sent.text)
		for _, id := range ids {
			x := s.items[id]
			want := a.holds(x)
			if found[id] != want {
				wrong++
			}
			counts.add("all", want)
			for _, l := range leaves {
				field, op, _ := strings.Cut(l.name, ": ")
				counts.add(field, l.holds(x))
				counts.add(op, l.holds(x))
			}
		}
		if i%10 == 0 {
			x := s.items[pick(r, ids)]
			ok, err := s.conditionalPut(t, sent, x)
			require.NoError(t, err)
			if ok != a.holds(x) {
				wrong++
			}
		}
	}
	return wrong, counts
}

func unchanged(c compiled) compiled { return c }

// Random conditions on random items hold in DynamoDB if and only if they hold in Go.
func TestConditionsMatchGo(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	// The rarest mistake below is found after 220 conditions on average.
	wrong, counts := newSampleTable(t, r, 16).countDifferences(t, r, testsize.Pick(1000, 3_100, 10_000), 1, unchanged)
	require.Zero(t, wrong)
	delete(counts, "") // the operator of a condition with a name of its own
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		c := counts[name]
		t.Logf("%-15s total %7d, held %7d", name, c.total, c.held)
		require.Positive(t, c.held, name)
		require.Less(t, c.held, c.total, name)
	}
	all := counts["all"]
	require.Greater(t, all.held*5, all.total, "at least 20 %% hold")
	require.Less(t, all.held*5, all.total*4, "at least 20 %% do not")
	require.Len(t, counts, 41, "kinds of conditions")
}

// The same test detects each of these compiler mistakes.
func TestCompilerMistakesAreDetected(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	s := newSampleTable(t, testrand.New(t), 16)
	for name, mutate := range map[string]func(compiled) compiled{
		">= for >":                 replace(" > ", " >= "),
		"> for >=":                 replace(" >= ", " > "),
		"= for <>":                 replace(" <> ", " = "),
		"NOT dropped":              replace("NOT ", ""),
		"AND for OR":               replace(" OR ", " AND "),
		"exists for not exists":    replace("attribute_not_exists", "attribute_exists"),
		"contains for begins_with": replace("begins_with", "contains"),
		"parentheses dropped":      withoutParentheses,
		"a time's text as it is":   naiveTimes,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// The rarest difference occurs once in several hundred conditions.
			wrong, _ := s.countDifferences(t, testrand.New(t), 10_000, 1, mutate)
			require.Positive(t, wrong, "the test does not detect it")
		})
	}
}

func replace(old, by string) func(compiled) compiled {
	return func(c compiled) compiled {
		c.text = strings.ReplaceAll(c.text, old, by)
		return c
	}
}

// withoutParentheses drops the parentheses of AND, OR and NOT.
func withoutParentheses(c compiled) compiled {
	var out strings.Builder
	var keep []bool
	for i, b := range []byte(c.text) {
		switch b {
		case '(':
			call := i > 0 && (c.text[i-1] >= 'a' && c.text[i-1] <= 'z' || strings.HasSuffix(c.text[:i], "IN "))
			if keep = append(keep, call); !call {
				continue
			}
		case ')':
			last := keep[len(keep)-1]
			if keep = keep[:len(keep)-1]; !last {
				continue
			}
		}
		out.WriteByte(b)
	}
	c.text = out.String()
	return c
}

// naiveTimes compares times with their stored text.
func naiveTimes(c compiled) compiled {
	for mark, av := range c.values {
		if s, ok := av.(*types.AttributeValueMemberS); ok && len(s.Value) >= 19 && s.Value[4] == '-' && !strings.HasSuffix(s.Value, "Z") {
			c.values[mark] = &types.AttributeValueMemberS{Value: s.Value + "Z"}
		}
	}
	return c
}
