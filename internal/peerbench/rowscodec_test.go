package peerbench

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/itemjson"
)

// byHand is code written by hand for the type.
const byHand = "by hand"

// codecRows encode and decode one item of 18 attributes.
var codecRows = []row{
	{
		number: 8, task: "decode an item, JSON to struct", subjects: decoders,
		lines: []line{
			asks("CPU", processTime, less, theSDK, 5),
			asks("CPU", processTime, portion, byHand, 1.2),
			shown("time", wallTime),
			shown("allocations", allocations),
			shown("memory", memory),
		},
	},
	{
		number: 9, task: "encode an item, struct to JSON", subjects: encoders,
		lines: []line{
			asks("CPU", processTime, less, theSDK, 15),
			asks("CPU", processTime, portion, byHand, 1.5),
			shown("time", wallTime),
			atMost("allocations", allocations, 0),
			shown("memory", memory),
		},
	},
	{
		number: 10, task: "struct to attribute map", subjects: mapEncoders,
		lines: []line{
			asks("CPU", processTime, less, theSDK, 2),
			asks("CPU", processTime, less, guregu, 1.15),
			shown("time", wallTime),
			shown("allocations", allocations),
			shown("memory", memory),
		},
	},
	{
		number: 11, task: "attribute map to struct", subjects: mapDecoders,
		lines: []line{
			asks("CPU", processTime, less, theSDK, 4.5),
			asks("CPU", processTime, less, guregu, 8),
			shown("time", wallTime),
			shown("allocations", allocations),
			shown("memory", memory),
		},
	},
}

// decodedItems is the number of items that the decoders take in turn. Their attributes are in
// different orders.
const decodedItems = 100

var errWrongItem = errors.New("the item is not the one that was encoded")

func orderPlan(tb testing.TB) *codec.Struct {
	tb.Helper()
	plan, issues := codec.Compile(reflect.TypeFor[storedOrder]())
	require.Empty(tb, issues)
	return plan
}

// decoders decode one item after the other. The first decodes are compared with the whole item, and
// all others with its ID.
func decoders(tb testing.TB) []subject {
	tb.Helper()
	items, _ := stored(tb)
	bodies, want := make([][]byte, decodedItems), make([]storedOrder, decodedItems)
	for i := range bodies {
		bodies[i], want[i] = []byte(items[i]), storedOrderOf(i)
	}
	turns := func(name string, decode func(context.Context, []byte, *storedOrder) error) subject {
		for i := range bodies {
			var o storedOrder
			require.NoError(tb, decode(tb.Context(), bodies[i], &o), name)
			require.Equal(tb, want[i], o, name)
		}
		i := 0
		return called(name, func(ctx context.Context) error {
			var o storedOrder
			i = (i + 1) % decodedItems
			if err := decode(ctx, bodies[i], &o); err != nil {
				return err
			}
			if o.ID != want[i].ID {
				return errWrongItem
			}
			return nil
		})
	}
	plan, arena := orderPlan(tb), codec.NewArena(math.MaxInt)
	var values, valuesByHand []itemjson.Value
	return []subject{
		turns(ours, func(_ context.Context, body []byte, o *storedOrder) error {
			item, _, err := itemjson.Scan(body, 0, values)
			if err != nil {
				return err
			}
			values = item.Values
			return plan.DecodeJSON(item, codec.PtrTo(o), nil, arena)
		}),
		turns(byHand, func(_ context.Context, body []byte, o *storedOrder) error {
			item, _, err := itemjson.Scan(body, 0, valuesByHand)
			if err != nil {
				return err
			}
			valuesByHand = item.Values
			return o.decodeByHand(item)
		}),
		turns(theSDK, func(ctx context.Context, body []byte, o *storedOrder) error {
			item, err := sdkItem(ctx, body)
			if err != nil {
				return err
			}
			return attributevalue.UnmarshalMap(item, o)
		}),
	}
}

func encoders(tb testing.TB) []subject {
	tb.Helper()
	o, plan := storedOrderOf(7), orderPlan(tb)
	var body, bodyByHand []byte
	encode := func(context.Context) (err error) {
		body, err = plan.AppendJSON(append(body[:0], '{'), codec.PtrTo(&o), nil)
		body = append(body, '}')
		return err
	}
	encodeByHand := func(context.Context) error {
		bodyByHand = o.appendByHand(bodyByHand[:0])
		return nil
	}
	want, err := attributevalue.MarshalMap(o)
	require.NoError(tb, err)
	require.NoError(tb, encode(tb.Context()))
	require.NoError(tb, encodeByHand(tb.Context()))
	for _, encoded := range [][]byte{body, bodyByHand} {
		item, err := sdkItem(tb.Context(), encoded)
		require.NoError(tb, err)
		require.Equal(tb, want, item)
	}
	return []subject{
		called(ours, encode),
		called(byHand, encodeByHand),
		called(theSDK, func(ctx context.Context) error {
			item, err := attributevalue.MarshalMap(o)
			if err != nil {
				return err
			}
			_, err = sdkRequest(ctx, item)
			return err
		}),
	}
}

func mapEncoders(tb testing.TB) []subject {
	tb.Helper()
	o, peer, plan := storedOrderOf(7), peerRowOf(orderOf(7)), orderPlan(tb)
	want, err := attributevalue.MarshalMap(o)
	require.NoError(tb, err)
	checked := func(name string, encode func() (map[string]types.AttributeValue, error)) subject {
		item, err := encode()
		require.NoError(tb, err, name)
		require.Equal(tb, want, item, name)
		return called(name, func(context.Context) error {
			item, err := encode()
			if err == nil && len(item) != len(want) {
				return errWrongItem
			}
			return err
		})
	}
	return []subject{
		checked(ours, func() (map[string]types.AttributeValue, error) {
			item := make(map[string]types.AttributeValue, 24)
			return item, plan.Encode(codec.PtrTo(&o), item)
		}),
		checked(theSDK, func() (map[string]types.AttributeValue, error) { return attributevalue.MarshalMap(o) }),
		checked(guregu, func() (map[string]types.AttributeValue, error) { return dynamo.MarshalItem(peer) }),
	}
}

func mapDecoders(tb testing.TB) []subject {
	tb.Helper()
	want, plan := storedOrderOf(7), orderPlan(tb)
	item, err := attributevalue.MarshalMap(want)
	require.NoError(tb, err)
	checked := func(name string, decode func(*storedOrder) error) subject {
		var o storedOrder
		require.NoError(tb, decode(&o), name)
		require.Equal(tb, want, o, name)
		return called(name, func(context.Context) error {
			var o storedOrder
			if err := decode(&o); err != nil || o.ID != want.ID {
				return errors.Join(errWrongItem, err)
			}
			return nil
		})
	}
	var decoded peerRow
	require.NoError(tb, dynamo.UnmarshalItem(item, &decoded))
	require.Equal(tb, peerRowOf(orderOf(7)), decoded)
	return []subject{
		checked(ours, func(o *storedOrder) error { return plan.Decode(item, codec.PtrTo(o), nil) }),
		checked(theSDK, func(o *storedOrder) error { return attributevalue.UnmarshalMap(item, o) }),
		called(guregu, func(context.Context) error {
			var o peerRow
			if err := dynamo.UnmarshalItem(item, &o); err != nil || o.ID != want.ID {
				return errors.Join(errWrongItem, err)
			}
			return nil
		}),
	}
}
