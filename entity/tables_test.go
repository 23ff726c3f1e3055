package entity_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/maintain"
)

// allOfIt returns a configuration with every kind of index.
func allOfIt() entity.Config {
	return entity.Config{
		Partition: entity.B("hash"), Sort: entity.N("range"), TTL: "expires",
		Indexes: []entity.IndexConfig{
			{Name: "GSI1"},
			{Name: "Keys", Partition: []entity.Attribute{entity.N("n")}, NoSort: true, KeysOnly: true},
			{Name: "Some", Partition: []entity.Attribute{entity.S("s")}, Sort: []entity.Attribute{entity.B("b")}, Include: []string{"y", "x"}},
			{Name: "Local", Kind: entity.LocalIndex},
			{Name: "Inverted", Partition: []entity.Attribute{entity.N("range")}, Sort: []entity.Attribute{entity.B("hash")}},
			{Name: "Multi", Partition: []entity.Attribute{entity.S("m1"), entity.N("m2")}, Sort: []entity.Attribute{entity.S("m3"), entity.S("m4")}},
		},
	}
}

func TestDefinitionGolden(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetIndent("", "  ")
	require.NoError(t, enc.Encode(plain(t, entity.NewSchema(entity.Config{}).Definition("app"))))
	require.NoError(t, enc.Encode(plain(t, entity.NewSchema(entity.Config{NoSort: true}).Definition("app"))))
	require.NoError(t, enc.Encode(plain(t, entity.NewSchema(allOfIt()).Definition("app"))))
	goldenText(t, "../testdata/entity/definition.txt", out.String())
}

// plain returns the fields of an input that are set.
func plain(t *testing.T, in any) any {
	t.Helper()
	text, err := json.Marshal(in)
	require.NoError(t, err)
	var v any
	require.NoError(t, json.Unmarshal(text, &v))
	return withoutBlanks(v)
}

func withoutBlanks(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if x == nil || x == "" {
				delete(v, k)
			} else {
				v[k] = withoutBlanks(x)
			}
		}
	case []any:
		for i := range v {
			v[i] = withoutBlanks(v[i])
		}
	}
	return v
}

var updateGolden = flag.Bool("update", false, "rewrite the golden files")

// goldenText compares a text with a file, or updates the file.
func goldenText(t *testing.T, path, got string) {
	t.Helper()
	if *updateGolden {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// A created table matches the schema, and a second Create returns ErrExists.
func TestCheckAcceptsWhatCreateMakes(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for name, config := range map[string]entity.Config{"zero": {}, "all": allOfIt()} {
			client := e.Client(t)
			table, err := entity.NewSchema(config).Open(client, "app")
			require.NoError(t, err)
			require.ErrorAs(t, maintain.Check(t.Context(), table), new(*types.ResourceNotFoundException), name)
			require.NoError(t, table.Create(t.Context()), name)
			require.NoError(t, maintain.Check(t.Context(), table), name)
			requireOutcome(t, table.Create(t.Context()), trestle.ErrExists, trestle.NotApplied)

			out, err := client.DescribeTimeToLive(t.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: aws.String("app")})
			require.NoError(t, err)
			if config.TTL != "" {
				require.Equal(t, config.TTL, aws.ToString(out.TimeToLiveDescription.AttributeName))
			} else {
				require.Equal(t, types.TimeToLiveStatusDisabled, out.TimeToLiveDescription.TimeToLiveStatus)
			}
		}
	})
}

// The types define the TTL attribute if the configuration does not.
func TestCreateEnablesTimeToLive(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		out, err := o.client.DescribeTimeToLive(t.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: aws.String("office")})
		require.NoError(t, err)
		require.Equal(t, "expires", aws.ToString(out.TimeToLiveDescription.AttributeName))
	})
}

// Check reports each kind of difference, and all of them at once.
func TestCheckReportsEveryDifference(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for name, c := range map[string]struct {
			change func(*entity.Config)
			want   int
		}{
			"nothing":               {func(*entity.Config) {}, 0},
			"an index only it has":  {func(c *entity.Config) { c.Indexes = c.Indexes[1:] }, 0},
			"another partition key": {func(c *entity.Config) { c.Partition = entity.B("other") }, 2},
			"another type": {func(c *entity.Config) {
				c.Sort = entity.S("range")
				c.Indexes[4].Partition = nil
				c.Indexes[4].Name = "GSI1"
				c.Indexes = c.Indexes[1:]
			}, 2},
			"no sort key":       {func(c *entity.Config) { c.NoSort = true; c.Sort = entity.Attribute{}; c.Indexes = c.Indexes[:3] }, 1},
			"an index it lacks": {func(c *entity.Config) { c.Indexes = append(c.Indexes, entity.IndexConfig{Name: "GSI9"}) }, 1},
			"a local index it lacks": {func(c *entity.Config) {
				c.Indexes = append(c.Indexes, entity.IndexConfig{Name: "LSI9", Kind: entity.LocalIndex})
			}, 1},
			"an index with other keys": {func(c *entity.Config) { c.Indexes[2].Sort = []entity.Attribute{entity.B("c")} }, 1},
			"another projection":       {func(c *entity.Config) { c.Indexes[1].KeysOnly = false }, 1},
			"other attributes":         {func(c *entity.Config) { c.Indexes[2].Include = []string{"x"} }, 1},
			"a key that is included":   {func(c *entity.Config) { c.Indexes[2].Include = []string{"x", "hash", "s", "y", "range"} }, 0},
			"no others are included":   {func(c *entity.Config) { c.Indexes[1].KeysOnly, c.Indexes[1].Include = false, []string{"hash", "n"} }, 0},
			"a local one's projection": {func(c *entity.Config) { c.Indexes[3].KeysOnly = true }, 1},
			"another time to live":     {func(c *entity.Config) { c.TTL = "ends" }, 1},
			"no time to live":          {func(c *entity.Config) { c.TTL = "" }, 0},
			"several":                  {func(c *entity.Config) { c.TTL = "ends"; c.Indexes[1].KeysOnly = false; c.Indexes[2].Include = nil }, 3},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				client := e.Client(t)
				made, err := entity.NewSchema(allOfIt()).Open(client, "app")
				require.NoError(t, err)
				require.NoError(t, made.Create(t.Context()))
				config := allOfIt()
				c.change(&config)
				table, err := entity.NewSchema(config).Open(client, "app")
				require.NoError(t, err)
				err = maintain.Check(t.Context(), table)
				if c.want == 0 {
					require.NoError(t, err)
					return
				}
				var drift *maintain.Error
				require.ErrorAs(t, err, &drift)
				require.Equal(t, "app", drift.Table)
				require.Len(t, drift.Problems, c.want)
			})
		}
	})
}

// A table of another program may name keys among the included attributes. Every index projects them
// anyway.
func TestCheckAcceptsKeysAmongIncludedAttributes(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		config := allOfIt()
		config.TTL = ""
		schema := entity.NewSchema(config)
		for index, projection := range map[string]*types.Projection{
			"Keys": {ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"hash"}},
			"Some": {ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"range", "x", "b", "y"}},
		} {
			client := e.Client(t)
			in := schema.Definition("app")
			i := slices.IndexFunc(in.GlobalSecondaryIndexes, func(x types.GlobalSecondaryIndex) bool { return *x.IndexName == index })
			in.GlobalSecondaryIndexes[i].Projection = projection
			_, err := client.CreateTable(t.Context(), in)
			require.NoError(t, err)
			table, err := schema.Open(client, "app")
			require.NoError(t, err)
			require.NoError(t, maintain.Check(t.Context(), table), index)
		}
	})
}

func TestCheckReportsDisabledTimeToLive(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		made, err := entity.NewSchema(entity.Config{}).Open(client, "app")
		require.NoError(t, err)
		require.NoError(t, made.Create(t.Context()))
		table, err := entity.NewSchema(entity.Config{TTL: "expires"}).Open(client, "app")
		require.NoError(t, err)
		var drift *maintain.Error
		require.ErrorAs(t, maintain.Check(t.Context(), table), &drift)
		require.Len(t, drift.Problems, 1)
	})
}

// Create waits for a new table, in fake time. It fails if the table never becomes active, and
// returns at once if the caller cancels.
func TestCreateWaits(t *testing.T) {
	t.Parallel()
	creating := says(200, `{"Table":{"TableStatus":"CREATING"}}`)
	active := says(200, `{"Table":{"TableStatus":"ACTIVE"}}`)
	open := func(t *testing.T, looks int) *entity.Table {
		t.Helper()
		table, err := entity.NewSchema(entity.Config{}).Open(canned(func(r request) reply {
			if looks--; r.verb == "DescribeTable" && looks < 0 {
				return active(r)
			}
			return creating(r)
		}), "app")
		require.NoError(t, err)
		return table
	}
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		require.NoError(t, open(t, 4).Create(t.Context()))
		require.Positive(t, time.Since(start))

		start = time.Now()
		err := open(t, 1e6).Create(t.Context())
		requireNone(t, err, trestle.Applied)
		require.InDelta(t, 5*time.Minute, time.Since(start), float64(10*time.Second))

		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- open(t, 1e6).Create(ctx) }()
		synctest.Wait()
		start = time.Now()
		cancel()
		require.ErrorIs(t, <-done, context.Canceled)
		require.Zero(t, time.Since(start))
	})
}

func requireNone(t *testing.T, err error, outcome trestle.Outcome) {
	t.Helper()
	require.Error(t, err)
	for _, kind := range glossary {
		require.NotErrorIs(t, err, kind)
	}
	require.Equal(t, outcome, trestle.OutcomeOf(err))
}

// If the service hangs, Create and Check fail after the timeout of the attempt.
func TestTableCallsHaveATimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		table, err := entity.NewSchema(entity.Config{}).Open(canned(hangs), "app", entity.Timeout(time.Second))
		require.NoError(t, err)
		start := time.Now()
		requireOutcome(t, table.Create(t.Context()), trestle.ErrUnknown, trestle.Unknown)
		require.Equal(t, time.Second, time.Since(start))
		requireNone(t, maintain.Check(t.Context(), table), trestle.NoWrite)
	})
}
