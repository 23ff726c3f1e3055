package entity_test

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// drawer has a field of each kind that refers to memory.
type drawer struct {
	_     entity.Key        `type:"drawer" pk:"DRAWER#<id>" sk:"DRAWER"`
	ID    string            `dynamodbav:"id"`
	Ptr   *int              `dynamodbav:"ptr"`
	Map   map[string]string `dynamodbav:"map"`
	Lists map[string][]int  `dynamodbav:"lists"`
	Slice []string          `dynamodbav:"slice"`
	Set   []string          `dynamodbav:"set,stringset"`
	Bytes []byte            `dynamodbav:"bytes"`
	Part  *drawerPart       `dynamodbav:"part"`
	Any   any               `dynamodbav:"any"`
	Own   types.AttributeValue
	Rest  map[string]types.AttributeValue `entity:"rest"`
}

type drawerPart struct{ Names []string }

func fullDrawer() *drawer {
	n := 7
	return &drawer{
		ID: "d", Ptr: &n, Map: map[string]string{"k": "v"}, Lists: map[string][]int{"k": {1}}, Slice: []string{"a", "b"}, Set: []string{"a", "b"},
		Bytes: []byte("bytes"), Part: &drawerPart{Names: []string{"a"}}, Any: []any{"a", map[string]any{"k": "v"}},
		Own: &types.AttributeValueMemberL{Value: []types.AttributeValue{avS("a")}}, Rest: map[string]types.AttributeValue{"more": avS("v")},
	}
}

// overwrite changes all memory that a drawer refers to.
func (d *drawer) overwrite() {
	*d.Ptr, d.Map["k"], d.Lists["k"][0], d.Slice[0], d.Bytes[0] = 8, "x", 8, "x", 'x'
	slices.Sort(d.Set)
	d.Set[0], d.Part.Names[0] = "x", "x"
	list, _ := d.Any.([]any)
	list[1].(map[string]any)["k"], list[0] = "x", "x"
	own, _ := d.Own.(*types.AttributeValueMemberL)
	own.Value[0].(*types.AttributeValueMemberS).Value = "x"
	own.Value[0] = avS("y")
	d.Rest["more"].(*types.AttributeValueMemberS).Value = "x"
	clear(d.Rest)
	clear(d.Map)
}

// equal compares the memory of two drawers, in one goroutine.
func (d *drawer) equal(o *drawer) bool {
	a, _ := d.Own.(*types.AttributeValueMemberL)
	b, _ := o.Own.(*types.AttributeValueMemberL)
	return *d.Ptr == *o.Ptr && maps.Equal(d.Map, o.Map) && slices.Equal(d.Lists["k"], o.Lists["k"]) && slices.Equal(d.Slice, o.Slice) &&
		bytes.Equal(d.Bytes, o.Bytes) && len(d.Rest) == len(o.Rest) && slices.Equal(d.Part.Names, o.Part.Names) &&
		a.Value[0].(*types.AttributeValueMemberS).Value == b.Value[0].(*types.AttributeValueMemberS).Value
}

// The results of reads that share a request share no memory: a caller may change its result while
// others read theirs.
func TestCoalescedResultsShareNoMemory(t *testing.T) {
	for name, options := range map[string][]entity.TableOption{
		"one item":                     {entity.CoalesceReads(0)},
		"a batch":                      {entity.CoalesceReads(time.Millisecond)},
		"one item, attribute values":   {entity.CoalesceReads(0), entity.AttributeValues()},
		"a batch, of attribute values": {entity.CoalesceReads(time.Millisecond), entity.AttributeValues()},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				db := ddbtest.Start(t)
				s := entity.NewSchema(entity.Config{})
				all := entity.Define[drawer](s)
				table, err := s.Open(db.Client(), "drawers", options...)
				require.NoError(t, err)
				require.NoError(t, table.Create(t.Context()))
				drawers := all.In(table)
				want := fullDrawer()
				require.NoError(t, drawers.Put(t.Context(), want))
				db.Fail(ddbtest.Op("GetItem", "BatchGetItem"), ddbtest.Delay(5*time.Millisecond)).MustHit(t)

				before := len(db.Requests())
				got := make([]drawer, 8)
				var done sync.WaitGroup
				for i := range got {
					done.Go(func() {
						d, err := drawers.Get(t.Context(), drawer{ID: "d"})
						if err != nil {
							t.Error(err)
							return
						}
						if got[i] = d; i%2 == 0 {
							d.overwrite()
							return
						}
						for range 100 {
							if !d.equal(want) {
								t.Error("the result of another Get has changed")
							}
						}
					})
				}
				if strings.HasPrefix(name, "a batch") { // a second item makes it one
					done.Go(func() {
						if _, err := drawers.Get(t.Context(), drawer{ID: "none"}); !errors.Is(err, trestle.ErrNotFound) {
							t.Error(err)
						}
					})
				}
				done.Wait()
				require.Len(t, db.Requests(), before+1, "all Gets share a request")
				for i := range got {
					if i%2 == 1 {
						slices.Sort(got[i].Set)
						require.Equal(t, *want, got[i])
					}
				}
			})
		})
	}
}
