package ddbtest_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testsize"
)

// scale measures requests instead of sending them.
type scale struct{ bytes int }

var errSizeMeasured = errors.New("weighed")

func (s *scale) Do(r *http.Request) (*http.Response, error) {
	n, err := io.Copy(io.Discard, r.Body)
	if err != nil {
		return nil, err
	}
	s.bytes = int(n)
	return nil, errSizeMeasured
}

// TestRequestSizeLimit checks the limit of 16 MB of JSON. Items of 10 MB reach it if their
// characters have to be escaped.
func TestRequestSizeLimit(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	onEveryEngine(t, tableOf("pk:S"), func(s *session) {
		batch := func(padding int) *dynamodb.BatchWriteItemInput {
			writes := make([]types.WriteRequest, 25)
			for i := range writes {
				writes[i].PutRequest = &types.PutRequest{Item: row("pk", fmt.Sprint(i), "x", strings.Repeat("\x01", 108*kb))}
			}
			writes[0].PutRequest.Item["y"] = letters(padding)
			return &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{s.table: writes}}
		}
		var scale scale
		_, err := s.client.BatchWriteItem(s.Context(), batch(0), once, func(o *dynamodb.Options) { o.HTTPClient = &scale })
		require.ErrorIs(s, err, errSizeMeasured)
		for _, over := range s.around() {
			if s.local && over <= 0 {
				continue // it takes seconds there
			}
			_, err := s.client.BatchWriteItem(s.Context(), batch(16<<20-scale.bytes+over), once)
			if over <= 0 {
				require.NoError(s, err, "%+d", over)
				continue
			}
			var reply *smithyhttp.ResponseError
			require.ErrorAs(s, err, &reply)
			require.Equal(s, http.StatusRequestEntityTooLarge, reply.HTTPStatusCode())
		}
	})
}
