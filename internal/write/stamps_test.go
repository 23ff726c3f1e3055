package write

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/op"
)

// TestStamps checks that the caller's struct gets the version and the times of the write, and only
// from Apply. An existing creation time stays.
func TestStamps(t *testing.T) {
	t.Parallel()
	p := planOf[employee](t, twoIndexes)
	for name, made := range map[string]time.Time{"created before": anna.CreatedAt, "new": {}} {
		e := anna
		e.CreatedAt = made
		want, stored := e, e
		want.Version, want.UpdatedAt = 1, noon
		if made.IsZero() {
			want.CreatedAt = noon
		}
		_, stamps, err := Create(putArgs(p, &stored))
		require.NoError(t, err, name)
		require.NoError(t, stamps.Apply(codec.PtrTo(&e)), name)
		require.Equal(t, want, e, name)
	}
}

// TestStampsOfOverwrite checks that the stamps follow the version that was read.
func TestStampsOfOverwrite(t *testing.T) {
	t.Parallel()
	e := anna
	stored := e
	o, stamps, err := Overwrite(putArgs(planOf[employee](t, twoIndexes), &stored))
	require.NoError(t, err)
	for version, item := range map[int64]op.Item{1: nil, 10: {"PK": text("COM#c1"), "version": number("9")}} {
		_, err := o.PreRead.Plan([]op.Item{item})
		require.NoError(t, err)
		require.NoError(t, stamps.Apply(codec.PtrTo(&e)))
		require.Equal(t, version, e.Version)
	}
}

// TestStampsAreAsStored checks that a stamp is the value that a reader of the item gets, and that
// the item is the same if it is decoded and put again.
func TestStampsAreAsStored(t *testing.T) {
	t.Parallel()
	type coarse struct {
		_       keyTag    `type:"coarse" pk:"C#<id>" sk:"C"`
		_       indexTag  `name:"by-end" on:"GSI1" pk:"ENDS" sk:"<ends:ns>"`
		_       indexTag  `name:"by-update" on:"GSI2" pk:"UPDATES" sk:"<updated:ns>"`
		ID      string    `dynamodbav:"id"`
		Ends    time.Time `dynamodbav:"ends" entity:"ttl"`
		Updated time.Time `dynamodbav:"updated,unixtime" entity:"updated"`
	}
	p := planOf[coarse](t, trestle.Config{Indexes: []trestle.IndexConfig{{Name: "GSI1"}, {Name: "GSI2"}}})
	e := coarse{ID: "a", Ends: noon.Add(123456789)}
	args := putArgs(p, &e)
	args.Now = e.Ends
	o, stamps, err := Put(args)
	require.NoError(t, err)
	var stamped, decoded coarse
	require.NoError(t, stamps.Apply(codec.PtrTo(&stamped)))
	require.Equal(t, noon, stamped.Updated)
	require.NoError(t, p.Decode(o.Actions[0].Item.Map(), codec.PtrTo(&decoded)))
	again, err := Item(p, codec.PtrTo(&decoded))
	require.NoError(t, err)
	require.Equal(t, o.Actions[0].Item.Map(), again)
}
