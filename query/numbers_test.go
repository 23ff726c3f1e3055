package query_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// tank has numbers that are plain index keys, and numbers in a template. A rank of 0 is in no
// index.
type tank struct {
	_     entity.Key   `type:"tank" pk:"T#<id>" sk:"T"`
	_     entity.Index `name:"by-level" on:"Levels"`
	_     entity.Index `name:"at-level" on:"AtLevel"`
	_     entity.Index `name:"by-rank" on:"Ranks"`
	_     entity.Index `name:"by-written-level" on:"GSI1" pk:"S#<shop>" sk:"L#<level:ord>#<id>"`
	_     entity.Index `name:"by-written-rank" on:"GSI2" pk:"S#<shop>" sk:"R#<rank:ord,desc>"`
	ID    string       `dynamodbav:"id"`
	Shop  string       `dynamodbav:"shop"`
	Level float32      `dynamodbav:"level"`
	Rank  int          `dynamodbav:"rank,omitempty"`
}

var (
	tanks = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
		{Name: "Levels", Partition: []entity.Attribute{entity.S("shop")}, Sort: []entity.Attribute{entity.N("level")}},
		{Name: "AtLevel", Partition: []entity.Attribute{entity.N("level")}, NoSort: true},
		{Name: "Ranks", Partition: []entity.Attribute{entity.S("shop")}, Sort: []entity.Attribute{entity.N("rank")}},
		{Name: "GSI1"}, {Name: "GSI2"},
	}})
	tankType  = entity.Define[tank](tanks)
	tankLevel = attr.Must(func(g *tank) *float32 { return &g.Level })
	tankRank  = attr.Must(func(g *tank) *int { return &g.Rank })
)

// numberTests returns comparisons of a field with one number, and with two.
func numberTests[N int | float32](f *attr.Field[tank, N], of func(tank) N, a, b N) map[string]struct {
	cond attr.KeyCond[tank]
	is   func(tank) bool
} {
	type asked = struct {
		cond attr.KeyCond[tank]
		is   func(tank) bool
	}
	return map[string]asked{
		"<":       {f.Lt(a), func(g tank) bool { return of(g) < a }},
		"<=":      {f.Le(a), func(g tank) bool { return of(g) <= a }},
		">":       {f.Gt(a), func(g tank) bool { return of(g) > a }},
		">=":      {f.Ge(a), func(g tank) bool { return of(g) >= a }},
		"between": {f.Between(min(a, b), max(a, b)), func(g tank) bool { return of(g) >= min(a, b) && of(g) <= max(a, b) }},
	}
}

// A float32 in a key has the same number as its attribute. A bound that omitempty would omit is
// still a bound. Where, Filter and a comparison in memory agree. The negative control converts the
// float32 to a float64 and finds nothing.
func TestNumbersInKeys(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := testrand.New(t)
		client := e.Client(t)
		table, err := tanks.Open(client, "tanks")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		repo := tankType.In(table)
		var all []tank
		for i := range 60 {
			g := tank{ID: strconv.Itoa(i), Shop: "s", Level: float32(r.IntN(21)-10) / 10, Rank: r.IntN(9) - 4}
			require.NoError(t, repo.Create(t.Context(), &g))
			all = append(all, g)
		}
		ranked := slices.DeleteFunc(slices.Clone(all), func(g tank) bool { return g.Rank == 0 })
		level, rank := func(g tank) float32 { return g.Level }, func(g tank) int { return g.Rank }
		every := query.On(repo, "by-written-level", tank{Shop: "s"})
		rounds := 20
		if e.Name == engines.DynamoDBLocal {
			rounds = 4
		}
		for range rounds {
			a, b := all[r.IntN(len(all))], all[r.IntN(len(all))]
			for _, access := range []string{"by-level", "by-written-level"} {
				q := query.On(repo, access, tank{Shop: "s"})
				for name, c := range numberTests(tankLevel, level, a.Level, b.Level) {
					same(t, access+name, all, c.is, q.Where(c.cond), every.Filter(c.cond))
				}
				same(t, access+"=", all, func(g tank) bool { return g.Level == a.Level }, q.Where(tankLevel.Eq(a.Level)), every.Filter(tankLevel.Eq(a.Level)))
			}
			same(t, "partition", all, func(g tank) bool { return g.Level == a.Level }, query.On(repo, "at-level", tank{Level: a.Level}))
			for _, access := range []string{"by-rank", "by-written-rank"} {
				q := query.On(repo, access, tank{Shop: "s"})
				for name, c := range numberTests(tankRank, rank, a.Rank, 0) {
					same(t, access+name, ranked, c.is, q.Where(c.cond), every.Filter(c.cond))
				}
				for name, c := range numberTests(tankRank, rank, 0, b.Rank) {
					same(t, access+name+" 0", ranked, c.is, q.Where(c.cond), every.Filter(c.cond))
				}
			}
		}
		one := all[slices.IndexFunc(all, func(g tank) bool {
			return float64(g.Level) != float64(int(g.Level)) && g.Level != 0.5 && g.Level != -0.5
		})]
		out, err := client.Query(t.Context(), &dynamodb.QueryInput{
			TableName: aws.String("tanks"), IndexName: aws.String("AtLevel"), KeyConditionExpression: aws.String("#l = :l"),
			ExpressionAttributeNames: map[string]string{"#l": "level"},
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":l": &types.AttributeValueMemberN{Value: strconv.FormatFloat(float64(one.Level), 'g', -1, 64)},
			},
		})
		require.NoError(t, err)
		require.Empty(t, out.Items, "the control")
	})
}

// same checks that queries return the same items as a comparison in memory.
func same(t *testing.T, what string, all []tank, is func(tank) bool, queries ...query.Query[tank]) {
	t.Helper()
	want := map[tank]int{}
	for _, g := range all {
		if is(g) {
			want[g]++
		}
	}
	for i, q := range queries {
		found, err := q.Collect(t.Context())
		require.NoError(t, err, "%s %d", what, i)
		got := map[tank]int{}
		for _, g := range found {
			got[g]++
		}
		require.Equal(t, want, got, "%s %d", what, i)
	}
}
