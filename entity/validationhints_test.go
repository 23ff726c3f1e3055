package entity_test

import (
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
	"github.com/trestledb/trestle/query"
)

// Errors that only the service detects are distinguished. Each reason has its own fix, and none
// shows a value.
func TestHintsForInvalidRequests(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		client := e.Client(t)
		o := newOffice(t, client)
		require.NoError(t, o.table.Create(ctx))
		other := entity.NewSchema(entity.Config{Partition: entity.S("Other"), Indexes: []entity.IndexConfig{{Name: "none"}}})
		things := entity.DefineSpec[job](other, entity.Spec{
			Type: "job", Key: entity.KeySpec{PK: "JOB#<id>", SK: "JOB"}, Indexes: []entity.IndexSpec{{Name: "x", On: "none", PK: "<id>", SK: "JOB"}},
		})
		elsewhere, err := other.Open(client, "office")
		require.NoError(t, err)
		_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("office"), Item: map[string]types.AttributeValue{
			"PK": avS("NOTE#n"), "SK": avS("NOTE#n"), "_type": avS("note"), "id": avS("n"), "count": avS("canary"),
		}})
		require.NoError(t, err)

		big := account{Org: "acme", ID: "big", Skills: []string{strings.Repeat("x", 300_000)}}
		require.NoError(t, o.accounts.Create(ctx, &big))

		cures := map[string]string{}
		for name, call := range map[string]func() error{
			"another key": func() error { _, err := things.In(elsewhere).Get(ctx, job{ID: "canary"}); return err },
			"no index": func() error {
				_, err := query.On(things.In(elsewhere), "x", job{ID: "canary"}).Collect(ctx)
				return err
			},
			"another type": func() error {
				_, err := o.notes.Update(ctx, note{ID: "n"}, attr.Add(noteCount, 1))
				return err
			},
			"too large": func() error {
				_, err := o.accounts.Update(ctx, account{Org: "acme", ID: "big"}, attr.Named[account]("more").Set(strings.Repeat("canary", 30_000)))
				return err
			},
		} {
			err := call()
			outcome := trestle.NotApplied
			if name == "another key" || name == "no index" {
				outcome = trestle.NoWrite
			}
			requireNone(t, err, outcome)
			cure := hintOf(t, err)
			require.NotEmpty(t, cure, name)
			require.NotContains(t, cures, cure, name)
			require.NotContains(t, err.Error(), "canary")
			cures[cure] = name
		}
	})
}
