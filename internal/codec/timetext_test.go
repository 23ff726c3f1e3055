package codec

import (
	"database/sql"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/keys"
)

// Structs around a time, and what they write.
type (
	zStamp   struct{ time.Time }
	zLabeled struct {
		zStamp
		Label string
	}
	zLater     struct{ *time.Time }
	zDate      struct{ time.Time } // has a text of its own
	zNumbered  struct{ time.Time } // stores itself as a number
	zAt        time.Time           // has no text
	zAtOfOwn   time.Time           // has a text
	zAround    struct{ At time.Time }
	zPanicking struct{ time.Time }
	ZEndless   struct {
		*ZEndless
		time.Time
	}
)

func (d zDate) MarshalText() ([]byte, error) { return []byte(d.Format(time.DateOnly)), nil }
func (a zAtOfOwn) MarshalText() ([]byte, error) {
	return []byte(time.Time(a).Format(time.DateOnly)), nil
}
func (zPanicking) MarshalText() ([]byte, error) { panic("not now") }
func (z zNumbered) MarshalDynamoDBAttributeValue() (AV, error) {
	return numberValue(z.Format("20060102")), nil
}

// TestStructsAroundTimes: what stores itself as the time that it embeds does not sort by time, so
// it is in no key. A type of another text is text, and a type that is a time by its underlying type
// is a time.
func TestStructsAroundTimes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value    any
		kind     keys.Kind // 0: in no key
		timeText bool
	}{
		{zStamp{}, 0, true}, {&zStamp{}, 0, true}, {new(*zStamp), 0, true}, {zLabeled{}, 0, true}, {zLater{}, 0, true}, {struct{ time.Time }{}, 0, true},
		{zNumbered{}, 0, true}, {ZEndless{}, 0, true},
		{zDate{}, keys.KindText, false}, {&zDate{}, keys.KindText, false}, {zPanicking{}, keys.KindText, false}, {zUUID{}, keys.KindText, false},
		{zAt{}, keys.KindTime, false}, {&zAt{}, keys.KindTime, false}, {zAtOfOwn{}, keys.KindTime, false}, {time.Time{}, keys.KindTime, false},
		{zAround{}, 0, false}, {sql.NullTime{}, 0, false}, {sql.Null[time.Time]{}, 0, false}, {"", keys.KindText, false},
	} {
		typ := reflect.StructOf([]reflect.StructField{{Name: "F", Type: reflect.TypeOf(c.value)}})
		s, faults := Compile(typ)
		require.Empty(t, faults, "%T", c.value)
		f := s.Fields()[0]
		kind, ok := f.KeyKind()
		require.Equal(t, c.kind, kind, "%T", c.value)
		require.Equal(t, c.kind != 0, ok, "%T", c.value)
		require.Equal(t, c.timeText, f.Node.TimeText(), "%T", c.value)
		if c.kind == 0 && reflect.TypeOf(c.value).Kind() != reflect.Pointer {
			_, err := f.Key(PtrOf(reflect.New(typ).Elem()))
			require.Error(t, err, "%T", c.value)
		}
	}
}

// Why a struct around a time is in no key: the attribute is the promoted text, whose order is not that of
// the times. It is stored in UTC, as every time is.
func TestTextsOfStructsAroundTimes(t *testing.T) {
	t.Parallel()
	noon := zStamp{time.Date(2026, 8, 1, 12, 0, 0, 0, time.FixedZone("", 3600))}
	later := zStamp{noon.Add(time.Second / 2)}
	var texts []string
	for _, s := range []zStamp{noon, later} {
		av, err := NodeOf(reflect.TypeFor[zStamp]()).EncodeOperand(&s)
		require.NoError(t, err)
		require.Equal(t, textValue(s.UTC().Format(time.RFC3339Nano)), av)
		texts = append(texts, s.UTC().Format(time.RFC3339Nano))
	}
	require.Greater(t, texts[0], texts[1])
}
