package codec

import (
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// The SDK stores types with MarshalText by their kinds unless an option is set. Such attributes are
// read, although the codec stores texts.
func TestAttributesOfSDKDefaultAreRead(t *testing.T) {
	t.Parallel()
	type T struct {
		Number zPtrText
		Struct zPoint
		Bytes  zUUID
		List   []zPtrText
	}
	v := T{7, zPoint{1, 2}, zUUID{1, 2, 3, 4}, []zPtrText{8}}
	byDefault, err := attributevalue.MarshalMap(v)
	require.NoError(t, err)
	require.IsType(t, &types.AttributeValueMemberN{}, byDefault["Number"])
	require.IsType(t, &types.AttributeValueMemberM{}, byDefault["Struct"])
	got, err := decodeOf[T](t, byDefault)
	require.NoError(t, err)
	require.Equal(t, v, got)

	own, err := encodeOf(t, v)
	require.NoError(t, err)
	require.Equal(t, text("t7"), own["Number"])
	require.Equal(t, text("1;2"), own["Struct"])
	got, err = decodeOf[T](t, own)
	require.NoError(t, err)
	require.Equal(t, v, got)

	lost, err := attributevalue.Marshal(netip.MustParseAddr("192.0.2.1"))
	require.NoError(t, err)
	require.Equal(t, &types.AttributeValueMemberM{Value: Item{}}, lost, "the SDK's default loses it")
}

// A text time is read in its own zone, and a unixtime in time.Local, as by the SDK.
func TestZonesOfTimes(t *testing.T) {
	t.Parallel()
	type T struct {
		Text time.Time
		Unix time.Time `dynamodbav:",unixtime"`
	}
	at := time.Date(2026, 8, 1, 12, 0, 0, 0, time.FixedZone("", 3600))
	item, err := encodeOf(t, T{at, at})
	require.NoError(t, err)
	got, err := decodeOf[T](t, item)
	require.NoError(t, err)
	require.Equal(t, time.UTC, got.Text.Location())
	require.Equal(t, time.Local, got.Unix.Location()) //nolint:gosmopolitan // the SDK's zone
	require.True(t, got.Text.Equal(at) && got.Unix.Equal(at))

	got, err = decodeOf[T](t, Item{"Text": text("2026-08-01T12:00:00+01:00")})
	require.NoError(t, err)
	_, offset := got.Text.Zone()
	require.Equal(t, 3600, offset)

	var theirs T
	require.NoError(t, attributevalue.UnmarshalMap(item, &theirs))
	require.True(t, reflect.DeepEqual(theirs.Unix, time.Unix(at.Unix(), 0)))
}
