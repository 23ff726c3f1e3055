package stream

import (
	"crypto/sha256"
	"fmt"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// newRecord returns the stream record of a change, according to the view type of the stream.
func newRecord(st *store.Stream, c store.Change, region string) api.Record {
	r := api.StreamRecord{
		ApproximateCreationDateTime: api.Pointer(float64(c.At.Unix())),
		Keys:                        st.Key.Pick(firstNonNil(c.New, c.Old)),
		SequenceNumber:              formatSequence(c.Sequence),
		StreamViewType:              st.View,
	}
	switch st.View {
	case "NEW_IMAGE":
		r.NewImage = c.New
	case "OLD_IMAGE":
		r.OldImage = c.Old
	case "NEW_AND_OLD_IMAGES":
		r.NewImage, r.OldImage = c.New, c.Old
	}
	r.SizeBytes = int64(r.Keys.Size() + r.NewImage.Size() + r.OldImage.Size())
	return api.Record{
		AwsRegion:    region,
		Dynamodb:     r,
		EventID:      eventID(st.ARN, c.Sequence),
		EventName:    eventName(c),
		EventSource:  "aws:dynamodb",
		EventVersion: "1.1",
		UserIdentity: identity(c),
	}
}

func firstNonNil(item, other value.Map) value.Map {
	if item != nil {
		return item
	}
	return other
}

func eventName(c store.Change) string {
	switch {
	case c.Old == nil:
		return "INSERT"
	case c.New == nil:
		return "REMOVE"
	default:
		return "MODIFY"
	}
}

// identity is nil unless the service itself made the change.
func identity(c store.Change) *api.Identity {
	if !c.Expired {
		return nil
	}
	return &api.Identity{PrincipalId: "dynamodb.amazonaws.com", Type: "Service"}
}

// eventID returns the same ID each time a record is read.
func eventID(arn string, n uint64) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", arn, n))
	return fmt.Sprintf("%x", sum[:16])
}
