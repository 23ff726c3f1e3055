package entity_test

import (
	"context"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/maintain"
)

// deviceState is an item of an existing table. Its keys and indexes are plain attributes, and no
// item has a type attribute.
type deviceState struct {
	_           entity.Key   `pk:"<DeviceID>" sk:"<State>#<Date>"`
	_           entity.Index `name:"by-operator" on:"GSI1"`
	_           entity.Index `name:"escalated" on:"GSI2"`
	DeviceID    string
	Operator    string
	Date        string
	State       string
	EscalatedTo string `dynamodbav:",omitempty"`
}

func deviceSchema() *entity.Schema {
	return entity.NewSchema(entity.Config{
		Partition: entity.S("DeviceID"), Sort: entity.S("State#Date"), Raw: true,
		TypeAttribute: entity.None, WriteID: entity.None,
		Indexes: []entity.IndexConfig{
			{Name: "GSI1", Partition: []entity.Attribute{entity.S("Operator")}, Sort: []entity.Attribute{entity.S("Date")}},
			{Name: "GSI2", Partition: []entity.Attribute{entity.S("EscalatedTo")}, Sort: []entity.Attribute{entity.S("State#Date")}},
		},
	})
}

// deviceRows has eleven lines: device, state#date, operator, escalated to.
const deviceRows = `
d#12345 WARNING1#2020-04-24T14:40:00 Liz
d#12345 WARNING1#2020-04-24T14:45:00 Liz
d#12345 WARNING1#2020-04-24T14:50:00 Liz
d#12345 NORMAL#2020-04-24T14:55:00 Liz
d#54321 WARNING2#2020-04-11T09:25:00 Sue
d#54321 NORMAL#2020-04-11T09:30:00 Sue
d#54321 WARNING3#2020-04-11T05:50:00 Sue
d#54321 WARNING3#2020-04-11T05:55:00 Liz
d#54321 NORMAL#2020-04-11T06:00:00 Liz
d#11223 WARNING4#2020-04-27T16:10:00 Sue
d#11223 WARNING4#2020-04-27T16:15:00 Sue Sara
`

// deviceItems returns the items as the SDK stores them.
func deviceItems() []map[string]types.AttributeValue {
	var items []map[string]types.AttributeValue
	for line := range strings.Lines(strings.TrimSpace(deviceRows)) {
		f := strings.Fields(line)
		state, date, _ := strings.Cut(f[1], "#")
		item := map[string]types.AttributeValue{
			"DeviceID": avS(f[0]), "State#Date": avS(f[1]), "Operator": avS(f[2]), "State": avS(state), "Date": avS(date),
		}
		if len(f) == 4 {
			item["EscalatedTo"] = avS(f[3])
		}
		items = append(items, item)
	}
	return items
}

// deviceTable creates the table and its items with the SDK alone.
func deviceTable(t *testing.T, client *dynamodb.Client) {
	t.Helper()
	key := func(hash, sort string) []types.KeySchemaElement {
		return []types.KeySchemaElement{
			{AttributeName: &hash, KeyType: types.KeyTypeHash}, {AttributeName: &sort, KeyType: types.KeyTypeRange},
		}
	}
	all := &types.Projection{ProjectionType: types.ProjectionTypeAll}
	in := &dynamodb.CreateTableInput{
		TableName: aws.String("DeviceStateLog"), BillingMode: types.BillingModePayPerRequest, KeySchema: key("DeviceID", "State#Date"),
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{
			{IndexName: aws.String("GSI1"), KeySchema: key("Operator", "Date"), Projection: all},
			{IndexName: aws.String("GSI2"), KeySchema: key("EscalatedTo", "State#Date"), Projection: all},
		},
	}
	for _, name := range []string{"DeviceID", "State#Date", "Operator", "Date", "EscalatedTo"} {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: &name, AttributeType: types.ScalarAttributeTypeS})
	}
	_, err := client.CreateTable(t.Context(), in)
	require.NoError(t, err)
	for _, item := range deviceItems() {
		storeRaw(t, client, "DeviceStateLog", item)
	}
}

// escalatedTo queries the sparse index with the SDK alone, by partition key and prefix of the sort
// key.
func escalatedTo(t *testing.T, client *dynamodb.Client, who, begins string) []map[string]types.AttributeValue {
	t.Helper()
	in := &dynamodb.QueryInput{
		TableName: aws.String("DeviceStateLog"), IndexName: aws.String("GSI2"), KeyConditionExpression: aws.String("#e = :e"),
		ExpressionAttributeNames: map[string]string{"#e": "EscalatedTo"}, ExpressionAttributeValues: map[string]types.AttributeValue{":e": avS(who)},
	}
	if begins != "" {
		in.KeyConditionExpression = aws.String("#e = :e AND begins_with(#s, :s)")
		in.ExpressionAttributeNames["#s"] = "State#Date"
		in.ExpressionAttributeValues[":s"] = avS(begins)
	}
	out, err := client.Query(context.WithoutCancel(t.Context()), in)
	require.NoError(t, err)
	return out.Items
}

// The library reads, writes and updates an existing table, and every stored item stays identical.
func TestDeviceStateLog(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		client := e.Client(t)
		deviceTable(t, client)
		s := deviceSchema()
		states := entity.Define[deviceState](s)
		table, err := s.Open(client, "DeviceStateLog")
		require.NoError(t, err)
		require.NoError(t, maintain.Check(ctx, table))
		repo := states.In(table)

		for _, item := range deviceItems() {
			row, err := states.Decode(item)
			require.NoError(t, err)
			key := map[string]types.AttributeValue{"DeviceID": item["DeviceID"], "State#Date": item["State#Date"]}
			got, err := repo.Get(ctx, deviceState{DeviceID: row.DeviceID, State: row.State, Date: row.Date})
			require.NoError(t, err)
			require.Equal(t, row, got)
			require.NoError(t, repo.Put(ctx, &got))
			require.Equal(t, item, stored(t, client, "DeviceStateLog", key))
		}
		f5 := escalatedTo(t, client, "Sara", "")
		require.Len(t, f5, 1)
		require.Equal(t, f5, escalatedTo(t, client, "Sara", "WARNING4#"))
		require.Equal(t, f5, escalatedTo(t, client, "Sara", "WARNING4#2020-04-27"))

		requireOutcome(t, repo.Create(ctx, &deviceState{DeviceID: "d#11223", State: "WARNING4", Date: "2020-04-27T16:15:00", Operator: "Sue"}), trestle.ErrExists, trestle.NotApplied)
		testEscalation(t, client, repo)
	})
}

// testEscalation removes and sets EscalatedTo. The item leaves the sparse index and returns to it,
// with an update and with a put.
func testEscalation(t *testing.T, client *dynamodb.Client, repo *entity.Repo[deviceState]) {
	t.Helper()
	ctx := t.Context()
	to := attr.Must(func(s *deviceState) *string { return &s.EscalatedTo })
	operator := attr.Must(func(s *deviceState) *string { return &s.Operator })
	row := deviceState{DeviceID: "d#11223", State: "WARNING4", Date: "2020-04-27T16:15:00"}
	_, err := repo.Update(ctx, row, to.Remove())
	require.NoError(t, err)
	require.Empty(t, escalatedTo(t, client, "Sara", ""))
	got, err := repo.Update(ctx, row, to.Set("Sara"))
	require.NoError(t, err)
	require.Len(t, escalatedTo(t, client, "Sara", ""), 1)
	_, err = repo.Update(ctx, row, to.Set("")) // the service rejects an empty key, so it is absent
	require.NoError(t, err)
	require.Empty(t, escalatedTo(t, client, "Sara", ""))
	require.NoError(t, repo.Put(ctx, &got))
	require.Len(t, escalatedTo(t, client, "Sara", "WARNING4#"), 1)
	got.EscalatedTo = ""
	require.NoError(t, repo.Put(ctx, &got))
	require.Empty(t, escalatedTo(t, client, "Sara", ""))
	key, err := repo.Type().KeyOf(row)
	require.NoError(t, err)
	require.NotContains(t, stored(t, client, "DeviceStateLog", key), "EscalatedTo")

	got, err = repo.Update(ctx, row, operator.Set("Liz"))
	require.NoError(t, err)
	require.Equal(t, "Liz", got.Operator)
	state := attr.Must(func(s *deviceState) *string { return &s.State })
	_, err = repo.Update(ctx, row, state.Set("NORMAL"))
	requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
}
