package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
)

func TestTableName(t *testing.T) {
	t.Parallel()
	for given, name := range map[string]string{
		"orders": "orders",
		"arn:aws:dynamodb:eu-north-1:123456789012:table/orders":           "orders",
		"arn:aws:dynamodb:eu-north-1:123456789012:table/orders/index/all": "orders",
		"arn:aws:s3:::bucket": "arn:aws:s3:::bucket",
		"":                    "",
	} {
		require.Equal(t, name, api.TableName(given))
	}
}
