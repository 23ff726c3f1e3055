package write

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// itemFunc is jsonItem, or a broken one.
type itemFunc func(*core.Plan, codec.Ptr, op.Expected) *op.Content

var randomID = op.Expected{Attribute: "_w", Value: &types.AttributeValueMemberB{Value: []byte{1, 2, 0xff}}}

// sameItem reports how the JSON of an item differs from what newItem returns. It counts what it
// compared.
func sameItem(p *core.Plan, entity codec.Ptr, id op.Expected, json itemFunc, reached map[string]int) error {
	want, wantErr := newItem(p, entity, id)
	content := json(p, entity, id)
	body := content.JSON()
	switch {
	case wantErr != nil && body == nil:
		reached["invalid"]++
		return nil
	case wantErr != nil:
		return fmt.Errorf("the entity is invalid: %w", wantErr)
	case body == nil:
		reached["only a map"]++
		return nil
	}
	item, end, err := itemjson.Scan(body, 0, nil)
	switch {
	case err != nil:
		return err
	case end != len(body):
		return errors.New("more than an item")
	}
	members := 0
	for range item.Members() {
		members++
	}
	if got := item.Map(); members != len(want) || !reflect.DeepEqual(got, want) {
		return fmt.Errorf("the item differs: %s", body)
	}
	if of := p.Schema.KeyOf; !reflect.DeepEqual(of(content.KeyRow()), of(core.NewRow(want))) {
		return fmt.Errorf("the key differs: %s", body)
	}
	reached["JSON"]++
	return nil
}

// compareItems compares the items of random entities of random types.
func compareItems(seed uint64, schemas int, json itemFunc) (map[string]int, error) {
	reached := map[string]int{}
	for i, ran := 0, 0; ran < schemas; i++ {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		made := newRandomType(r, false).compile()
		if made == nil {
			continue
		}
		ran++
		sim := &simulation{compiled: made, r: r}
		for range 20 {
			entity := codec.PtrOf(sim.randomEntity().Elem())
			id := op.Expected{}
			if chance(r, 50) {
				id = randomID
			}
			if err := sameItem(sim.plan, entity, id, json, reached); err != nil {
				return reached, fmt.Errorf("schema %d, %v: %w", i, sim.randomType, err)
			}
		}
	}
	return reached, nil
}

// An item in JSON is the item that newItem returns as a map. TestDifferentialJSON of package codec
// compares the fields of types that are more varied.
func TestJSONItem(t *testing.T) {
	t.Parallel()
	reached, err := compareItems(testrand.Seed(t), testsize.Sequential(100, 500, 2_000, 20_000), jsonItem)
	require.NoError(t, err)
	t.Log(reached)
	require.Greater(t, reached["JSON"], reached["only a map"]) // TestJSONItemLimits has invalid ones
}

// TestJSONItem_control is the negative control.
func TestJSONItem_control(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	replaced := func(old, replacement string) itemFunc {
		return func(p *core.Plan, entity codec.Ptr, id op.Expected) *op.Content {
			if content := jsonItem(p, entity, id); content != nil {
				return op.JSONContent(bytes.Replace(content.JSON(), []byte(old), []byte(replacement), 1), 0)
			}
			return nil
		}
	}
	for name, broken := range map[string]itemFunc{
		"no type":      replaced(`"_type":{"S":"thing"}`, `"type":{"S":"thing"}`),
		"another key":  replaced(`"PK":{"S":"L1`, `"PK":{"S":"L2`),
		"no index key": replaced(`"GSI0PK":`, `"GSI0XX":`),
		"key twice":    replaced(`{`, `{"PK":{"S":"not the key"},`),
		"no write ID": func(p *core.Plan, entity codec.Ptr, _ op.Expected) *op.Content {
			return jsonItem(p, entity, op.Expected{})
		},
		"half a key": func(p *core.Plan, entity codec.Ptr, id op.Expected) *op.Content {
			if content := jsonItem(p, entity, id); content != nil {
				return op.JSONContent(content.JSON(), 1+bytes.IndexByte(content.JSON(), '}'))
			}
			return nil
		},
		"invalid items": func(p *core.Plan, entity codec.Ptr, id op.Expected) *op.Content {
			b, _, _ := appendItem(nil, p, entity, id)
			return op.JSONContent(append(b, '}'), 0)
		},
	} {
		_, err := compareItems(seed, 500, broken)
		require.Error(t, err, name)
	}
}

// tree is an item of any depth and size.
type tree struct {
	_    keyTag   `type:"tree" pk:"T#<id>" sk:"#"`
	_    indexTag `name:"by-text" on:"GSI1" pk:"<text>" sk:"<id>"`
	ID   string   `dynamodbav:"id"`
	Text string   `dynamodbav:"text"`
	Any  any      `dynamodbav:"any,omitempty"`

	Expires time.Time                       `dynamodbav:"expires" entity:"ttl"`
	Rest    map[string]types.AttributeValue `dynamodbav:"rest" entity:"rest"`
}

// nested returns a value of that many levels.
func nested(levels int) any {
	var v any = "x"
	for i := range levels - 1 {
		if i%2 == 0 {
			v = []any{v}
		} else {
			v = map[string]any{"a": v}
		}
	}
	return v
}

// Items at the limits are the same, and invalid ones are left to newItem.
func TestJSONItemLimits(t *testing.T) {
	t.Parallel()
	p := planOf[tree](t, trestle.Config{Indexes: []trestle.IndexConfig{{Name: "GSI1"}}, TTL: "expires"})
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	for name, c := range map[string]struct {
		tree tree
		want string
	}{
		"plain":                    {tree{ID: "1", Text: "a"}, "JSON"},
		"escapes":                  {tree{ID: "\"\\\n\x00é", Text: "\u2028\U0001F600</script>"}, "JSON"},
		"not on the index":         {tree{ID: "1"}, "JSON"},
		"deepest":                  {tree{ID: "1", Text: "a", Any: nested(codec.MaxNesting)}, "JSON"},
		"too deep":                 {tree{ID: "1", Text: "a", Any: nested(codec.MaxNesting + 1)}, "invalid"},
		"many containers":          {tree{ID: "1", Text: "a", Any: make([][]string, 40)}, "JSON"},
		"many lists":               {tree{ID: "1", Text: "a", Any: [][]string{31: {}}}, "JSON"},
		"large":                    {tree{ID: "1", Text: "a", Any: strings.Repeat("x", MaxItem/2)}, "JSON"},
		"large only as JSON":       {tree{ID: "1", Text: "a", Any: strings.Repeat("\n", MaxItem/2)}, "only a map"},
		"too large":                {tree{ID: "1", Text: "a", Any: strings.Repeat("x", MaxItem)}, "invalid"},
		"a key too long":           {tree{ID: "1", Text: strings.Repeat("x", 2049)}, "invalid"},
		"no key":                   {tree{Text: "a"}, "invalid"},
		"no UTF-8":                 {tree{ID: "1", Any: "\xff"}, "invalid"},
		"expires":                  {tree{ID: "1", Expires: noon}, "JSON"},
		"expires in milliseconds":  {tree{ID: "1", Expires: time.Unix(noon.UnixMilli(), 0)}, "invalid"},
		"attributes of the system": {tree{ID: "1", Rest: op.Item{"PK": text("x"), "_type": text("x"), "_w": text("x"), "GSI1PK": text("x"), "id": text("x"), "own": text("x")}}, "JSON"},
		"an invalid attribute":     {tree{ID: "1", Rest: op.Item{"own": &types.AttributeValueMemberSS{}}}, "invalid"},
	} {
		for _, id := range []op.Expected{{}, randomID} {
			reached := map[string]int{}
			require.NoError(t, sameItem(p, codec.PtrTo(&c.tree), id, jsonItem, reached), name)
			require.Equal(t, map[string]int{c.want: 1}, reached, name)
		}
	}
}

// A plan has an item in JSON only if it is asked for one.
func TestPutOfJSON(t *testing.T) {
	t.Parallel()
	p := planOf[tree](t, trestle.Config{Indexes: []trestle.IndexConfig{{Name: "GSI1"}}, TTL: "expires"})
	for _, json := range []bool{false, true} {
		args := putArgs(p, &tree{ID: "1", Text: "a"})
		args.JSON = json
		o, _, err := Put(args)
		require.NoError(t, err)
		content := o.Actions[0].Item
		require.Equal(t, json, content.JSON() != nil)
		item, err := Item(p, args.Entity)
		require.NoError(t, err)
		require.Equal(t, item, content.Map())
		require.Equal(t, codec.ItemSize(item), content.Size())
		args = putArgs(p, &tree{})
		args.JSON = json
		_, _, err = Put(args)
		require.ErrorIs(t, err, errs.Invalid)
	}
}
