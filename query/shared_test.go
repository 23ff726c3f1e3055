package query_test

import (
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
	"github.com/trestledb/trestle/query"
)

// visit and call share the keys of an index deliberately. A query of the index returns both in
// order of time.
type visit struct {
	_    entity.Key   `type:"visit" pk:"GUEST#<guest>" sk:"VISIT#<id>"`
	_    entity.Index `name:"by-time" on:"GSI1" pk:"GUEST#<guest>" sk:"<at:s>" shared:"yes"`
	Name string       `dynamodbav:"guest"`
	ID   string       `dynamodbav:"id"`
	At   time.Time    `dynamodbav:"at"`
}

type call struct {
	_     entity.Key   `type:"call" pk:"GUEST#<guest>" sk:"CALL#<id>"`
	_     entity.Index `name:"by-time" on:"GSI1" pk:"GUEST#<guest>" sk:"<began:s>" shared:"yes"`
	Name  string       `dynamodbav:"guest"`
	ID    string       `dynamodbav:"id"`
	Began time.Time    `dynamodbav:"began"`
}

var (
	visitAt = attr.Must(func(v *visit) *time.Time { return &v.At })
	visitID = attr.Must(func(v *visit) *string { return &v.ID })
)

// Types that share an index can be read separately, counted separately, and read together, also for
// a range of time. This holds whether a type attribute or the keys identify the type.
func TestSharedIndexes(t *testing.T) {
	t.Parallel()
	for _, typeAttribute := range []string{"", entity.None} {
		t.Run("type in "+typeAttribute, func(t *testing.T) {
			t.Parallel()
			engines.Each(t, func(t *testing.T, e engines.Engine) {
				s := entity.NewSchema(entity.Config{TypeAttribute: typeAttribute, Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
				visits, calls := entity.Define[visit](s), entity.Define[call](s)
				table, err := s.Open(e.Client(t), "guests")
				require.NoError(t, err)
				ctx := t.Context()
				require.NoError(t, table.Create(ctx))
				for n := 1; n <= 6; n++ {
					if n%3 == 0 {
						require.NoError(t, visits.In(table).Put(ctx, &visit{Name: "ada", ID: "v", At: day(n)}))
						require.NoError(t, visits.In(table).Put(ctx, &visit{Name: "ada", ID: day(n).Format("02"), At: day(n)}))
						continue
					}
					require.NoError(t, calls.In(table).Put(ctx, &call{Name: "ada", ID: day(n).Format("02"), Began: day(n)}))
				}
				// Calls on 1, 2, 4, 5; visits on 3, 6, 6.
				onVisits := query.On(visits.In(table), "by-time", visit{Name: "ada"})
				onCalls := query.On(calls.In(table), "by-time", call{Name: "ada"})
				for _, c := range []struct {
					name string
					q    query.Query[visit]
					want int
				}{
					{"all", onVisits, 3},
					{"a day", onVisits.Where(attr.During(visitAt, attr.Day(2026, 8, 6))), 2},
					{"up to a day", onVisits.Where(attr.Before(visitAt, day(6))), 1},
					{"filtered", onVisits.Filter(visitID.Eq("v")), 1},
				} {
					found, err := c.q.Collect(ctx)
					require.NoError(t, err, c.name)
					require.Len(t, found, c.want, c.name)
					n, err := c.q.Count(ctx)
					require.NoError(t, err, c.name)
					require.Equal(t, c.want, n, c.name)
				}
				n, err := onCalls.Count(ctx)
				require.NoError(t, err)
				require.Equal(t, 4, n)
				first, err := onVisits.First(ctx)
				require.NoError(t, err)
				require.Equal(t, day(3), first.At)

				// The conditions for one type select items of all types.
				all := collect(t, query.Items(ctx, onVisits.Where(visitAt.Between(day(2), day(5))).Collection()))
				require.Len(t, all, 4)
				require.Equal(t, day(2), all[0].(call).Began)
				require.Equal(t, day(3), all[1].(visit).At)
				n, err = onCalls.Collection().Count(ctx)
				require.NoError(t, err)
				require.Equal(t, 7, n)
				_, err = onVisits.Where(attr.Since(visitAt, day(2))).Collection().Prefix("2026").Count(ctx)
				require.ErrorIs(t, err, trestle.ErrInvalid)
			})
		})
	}
}

// step is a row of an existing table. The index key consists of plain attributes, so only the
// table's key identifies the type.
type step struct {
	_    entity.Key   `pk:"<Run>" sk:"step-<N:04>"`
	_    entity.Index `name:"by-worker" on:"Workers"`
	Run  string
	N    int
	Name string `dynamodbav:"Worker"`
	At   string
}

// An index may contain rows of types that this program does not define. Queries neither return nor
// count them.
func TestPlainIndexWithItemsOfOtherTypes(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{
			Partition: entity.S("Run"), Sort: entity.S("Row"), Raw: true, TypeAttribute: entity.None, WriteID: entity.None,
			Indexes: []entity.IndexConfig{{Name: "Workers", Partition: []entity.Attribute{entity.S("Worker")}, Sort: []entity.Attribute{entity.S("At")}}},
		})
		steps := entity.Define[step](s)
		client := e.Client(t)
		table, err := s.Open(client, "runs")
		require.NoError(t, err)
		ctx := t.Context()
		require.NoError(t, table.Create(ctx))
		require.NoError(t, steps.In(table).Put(ctx, &step{Run: "r1", N: 1, Name: "ada", At: "b"}))
		for row, at := range map[string]string{"note": "a", "step-x": "c"} {
			item := map[string]types.AttributeValue{}
			for name, value := range map[string]string{"Run": "r1", "Row": row, "Worker": "ada", "At": at} {
				item[name] = &types.AttributeValueMemberS{Value: value}
			}
			_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("runs"), Item: item})
			require.NoError(t, err)
		}
		q := query.On(steps.In(table), "by-worker", step{Name: "ada"})
		found, err := q.Collect(ctx)
		require.NoError(t, err)
		require.Equal(t, []step{{Run: "r1", N: 1, Name: "ada", At: "b"}}, found)
		n, err := q.Count(ctx)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		all := collect(t, query.Items(ctx, q.Collection()))
		require.Len(t, all, 3)
		require.IsType(t, entity.Raw{}, all[0])
		require.IsType(t, step{}, all[1])
	})
}
