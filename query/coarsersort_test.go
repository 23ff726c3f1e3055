package query_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// A condition on a time that the sort key has in longer periods than the partition key is refused.
func TestPeriodsOfACoarserSortKey(t *testing.T) {
	t.Parallel()
	type hourly struct {
		_  entity.Key `type:"hourly" pk:"H#<at:hour>" sk:"<at:day>#<id>"`
		At time.Time  `dynamodbav:"at"`
		ID string     `dynamodbav:"id"`
	}
	s := entity.NewSchema(entity.Config{})
	types := entity.Define[hourly](s)
	at := attr.Must(func(e *hourly) *time.Time { return &e.At })
	db := ddbtest.Start(t)
	table, err := s.Open(db.Client(), "hourly")
	require.NoError(t, err)
	r := types.In(table)
	sent := len(db.Requests())
	_, err = query.Of(r, hourly{}).Where(attr.During(at, attr.Day(2026, 8, 1))).Collect(t.Context())
	require.ErrorIs(t, err, trestle.ErrInvalid)
	require.Len(t, db.Requests(), sent)
}
