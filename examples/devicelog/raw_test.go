package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/keys"
	"github.com/trestledb/trestle/query"
)

// stateRow is a row of an existing table. Its keys are plain attributes, and times are strings in a
// layout.
type stateRow struct {
	_           entity.Key   `pk:"<DeviceID>" sk:"<State>#<Date:iso>"`
	_           entity.Index `name:"by-operator" on:"GSI1" sk:"<Date:iso>"`
	_           entity.Index `name:"escalated" on:"GSI2"`
	DeviceID    string
	State       string
	Date        time.Time
	Operator    string
	EscalatedTo string `dynamodbav:",omitempty"`
	Detail      string `dynamodbav:",omitempty"`
}

// dateRow is a row of the first version of the table, which sorts reports by time alone.
type dateRow struct {
	_        entity.Key `pk:"<DeviceID>" sk:"<Date:iso>"`
	DeviceID string
	State    string
	Date     time.Time
	Operator string
	Detail   string `dynamodbav:",omitempty"`
}

// textRow is a row of a model whose times are strings.
type textRow struct {
	_        entity.Key   `pk:"<DeviceID>" sk:"<State>#<Date>"`
	_        entity.Index `name:"by-operator" on:"GSI1"`
	DeviceID string
	State    string
	Date     string
	Operator string
}

var (
	rawState    = attr.Must(func(r *stateRow) *string { return &r.State })
	rawAt       = attr.Must(func(r *stateRow) *time.Time { return &r.Date })
	rawFor      = attr.Must(func(r *stateRow) *string { return &r.EscalatedTo })
	firstState  = attr.Must(func(r *dateRow) *string { return &r.State })
	firstAt     = attr.Must(func(r *dateRow) *time.Time { return &r.Date })
	textualDate = attr.Must(func(r *textRow) *string { return &r.Date })
)

// rawConfig returns the configuration of the existing table with a sort key.
func rawConfig(t *testing.T, sort string, indexes ...entity.IndexConfig) entity.Config {
	t.Helper()
	iso, err := keys.Layout(layout)
	require.NoError(t, err)
	return entity.Config{
		Partition: entity.S("DeviceID"), Sort: entity.S(sort), Raw: true, TypeAttribute: entity.None, WriteID: entity.None,
		Formats: map[string]keys.Format{"iso": iso}, Indexes: indexes,
	}
}

func byOperator() entity.IndexConfig {
	return entity.IndexConfig{Name: "GSI1", Partition: []entity.Attribute{entity.S("Operator")}, Sort: []entity.Attribute{entity.S("Date")}}
}

func escalated() entity.IndexConfig {
	return entity.IndexConfig{Name: "GSI2", Partition: []entity.Attribute{entity.S("EscalatedTo")}, Sort: []entity.Attribute{entity.S("State#Date")}}
}

// rawLog reads the existing tables.
type rawLog struct {
	states *entity.Repo[stateRow]
	first  *entity.Repo[dateRow]
	now    func() time.Time
}

// rawItem returns a report as the SDK stores it.
func rawItem(r Report) map[string]types.AttributeValue {
	item := map[string]types.AttributeValue{}
	for name, text := range map[string]string{
		"DeviceID": r.Device, "State": r.State, "Date": r.At.Format(layout), "State#Date": r.State + "#" + r.At.Format(layout),
		"Operator": r.Operator, "EscalatedTo": r.EscalatedTo, "Detail": r.Detail,
	} {
		if text != "" {
			item[name] = &types.AttributeValueMemberS{Value: text}
		}
	}
	return item
}

// size returns the size of an item of strings in bytes, names and values.
func size(item map[string]types.AttributeValue) (n int) {
	for name, av := range item {
		n += len(name) + len(av.(*types.AttributeValueMemberS).Value)
	}
	return n
}

// newRawLog creates the tables and stores their rows with the SDK alone.
func newRawLog(t *testing.T, client *dynamodb.Client, rows []Report, now func() time.Time) deviceLog {
	t.Helper()
	byState := entity.NewSchema(rawConfig(t, "State#Date", byOperator(), escalated()))
	states := entity.Define[stateRow](byState)
	byDate := entity.NewSchema(rawConfig(t, "Date"))
	first := entity.Define[dateRow](byDate)
	log := rawLog{
		states: states.In(opened(t, client, byState, "DeviceStateLog")),
		first:  first.In(opened(t, client, byDate, "DeviceLog")),
		now:    now,
	}
	for _, r := range rows {
		item := rawItem(r)
		putRaw(t, client, "DeviceStateLog", item)
		delete(item, "State#Date")
		putRaw(t, client, "DeviceLog", item)
	}
	return log
}

func putRaw(t *testing.T, client *dynamodb.Client, table string, item map[string]types.AttributeValue) {
	t.Helper()
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
	require.NoError(t, err)
}

// opened creates a table of a schema and opens it.
func opened(t *testing.T, client *dynamodb.Client, s *entity.Schema, name string) *entity.Table {
	t.Helper()
	table, err := s.Open(client, name, entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	return table
}

func (l rawLog) InState(device, state string) read {
	return reading(query.Of(l.states, stateRow{DeviceID: device}).Where(rawState.Eq(state)).Desc(), stateRow.line)
}

func (l rawLog) InStates(device, prefix string) read {
	return reading(query.Of(l.states, stateRow{DeviceID: device}).Where(attr.BeginsWith(rawState, prefix)), stateRow.line)
}

func (l rawLog) InStateByFilter(device, state string) read {
	return reading(query.Of(l.first, dateRow{DeviceID: device}).Filter(firstState.Eq(state)).Desc(), dateRow.line)
}

func (l rawLog) OnDuty(operator string, p attr.Period) read {
	return reading(query.On(l.states, "by-operator", stateRow{Operator: operator}).Where(attr.During(rawAt, p)), stateRow.line)
}

func (l rawLog) EscalatedTo(who string) read {
	return reading(query.On(l.states, "escalated", stateRow{EscalatedTo: who}), stateRow.line)
}

func (l rawLog) EscalatedIn(who, state string) read {
	return reading(query.On(l.states, "escalated", stateRow{EscalatedTo: who}).Where(rawState.Eq(state)), stateRow.line)
}

func (l rawLog) EscalatedDuring(who, state string, p attr.Period) read {
	q := query.On(l.states, "escalated", stateRow{EscalatedTo: who}).Where(rawState.Eq(state), attr.During(rawAt, p))
	return reading(q, stateRow.line)
}

func (l rawLog) Recent(device string, window time.Duration) read {
	since := l.now().Add(-window).Truncate(time.Second)
	return reading(query.Of(l.first, dateRow{DeviceID: device}).Where(attr.Since(firstAt, since)).Desc(), dateRow.line)
}

func (l rawLog) BySortKeyPrefix(device, state string) read {
	return readingAll(query.Of(l.states, stateRow{DeviceID: device}).Collection().Prefix(state), stateRow.line)
}

func (l rawLog) Settle(ctx context.Context, r Report) error {
	_, err := l.states.Update(ctx, stateRow{DeviceID: r.Device, State: r.State, Date: r.At}, rawFor.Remove())
	return err
}

func (l rawLog) Escalate(ctx context.Context, r Report, to string) error {
	_, err := l.states.Update(ctx, stateRow{DeviceID: r.Device, State: r.State, Date: r.At}, rawFor.Set(to))
	return err
}

func (r stateRow) line() string { return line(r.DeviceID, r.State, r.Date) }
func (r dateRow) line() string  { return line(r.DeviceID, r.State, r.Date) }
func (r textRow) line() string  { return strings.Join([]string{r.DeviceID, r.State, r.Date}, " ") }
