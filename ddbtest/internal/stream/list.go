package stream

import (
	"maps"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// maxListed is the largest number of streams, or of shards, in a reply.
const maxListed = 100

// List implements ListStreams. It lists the streams that can still be read, in the order of their
// ARNs.
func List(c *engine.Call, in *api.ListStreamsInput) (*api.ListStreamsOutput, error) {
	start := ""
	if in.ExclusiveStartStreamArn != nil {
		if start = *in.ExclusiveStartStreamArn; !isARN(start) {
			return nil, awserr.Validation("Invalid StreamArn")
		}
	}
	out := &api.ListStreamsOutput{Streams: []api.Stream{}}
	most := pageLimit(in.Limit, maxListed)
	err := viewSwept(c, func(s *store.State) error {
		for _, arn := range slices.Sorted(maps.Keys(s.Streams)) {
			st := s.Streams[arn]
			if arn <= start || in.TableName != nil && st.Table != api.TableName(*in.TableName) {
				continue
			}
			if len(out.Streams) == most {
				out.LastEvaluatedStreamArn = api.Pointer(out.Streams[most-1].StreamArn)
				break
			}
			out.Streams = append(out.Streams, api.Stream{StreamArn: arn, StreamLabel: st.Label, TableName: st.Table})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// pageLimit returns the largest number of elements in a reply.
func pageLimit(asked *int64, most int) int {
	if asked == nil {
		return most
	}
	return int(min(*asked, int64(most)))
}
