package entity_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
)

// hintOf returns the likely fix that an error reports.
func hintOf(t *testing.T, err error) string {
	t.Helper()
	var e *trestle.OpError
	require.ErrorAs(t, err, &e)
	text, err := json.Marshal(e)
	require.NoError(t, err)
	var out struct {
		Cure string `json:"hint"`
	}
	require.NoError(t, json.Unmarshal(text, &out))
	if out.Cure != "" {
		require.Contains(t, e.Error(), out.Cure)
	}
	return out.Cure
}

// Errors of the environment wrap no sentinel error. They wrap the SDK's error and report a fix.
func TestHintsForFailuresOfTheEnvironment(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		missing := newOffice(t, e.Client(t))
		_, err := missing.notes.Get(ctx, note{ID: "n"})
		requireNone(t, err, trestle.NoWrite)
		require.ErrorAs(t, err, new(*types.ResourceNotFoundException))
		require.NotEmpty(t, hintOf(t, err))
		requireNone(t, missing.notes.Put(ctx, &note{ID: "n"}), trestle.NotApplied)
		require.NotEmpty(t, hintOf(t, maintain.Check(ctx, missing.table)))

		// The table has no index.
		client := e.Client(t)
		bare, err := entity.NewSchema(entity.Config{}).Open(client, "office")
		require.NoError(t, err)
		require.NoError(t, bare.Create(ctx))
		o := newOffice(t, client)
		for _, err = range query.On(o.accounts, "by-mail", account{Mail: "x"}).All(ctx) {
			break
		}
		requireNone(t, err, trestle.NoWrite)
		require.NotEmpty(t, hintOf(t, err))
	})
}

func TestHintForMissingCredentials(t *testing.T) {
	t.Parallel()
	o := newOffice(t, canned(says(200, `{}`), func(o *dynamodb.Options) {
		o.Credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{}, errors.New("none")
		})
	}))
	err := o.notes.Put(t.Context(), &note{ID: "n"})
	requireNone(t, err, trestle.NotApplied)
	require.NotEmpty(t, hintOf(t, err))
}

func TestFailedConditionsHaveNoHint(t *testing.T) {
	t.Parallel()
	o := newOffice(t, canned(says(200, `{}`)))
	_, err := o.notes.Get(t.Context(), note{ID: "n"})
	requireOutcome(t, err, trestle.ErrNotFound, trestle.NoWrite)
	require.Empty(t, hintOf(t, err))
}
