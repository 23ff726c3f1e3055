package codec

import (
	"database/sql"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/keys"
)

// Structs with a time, and the form in which they store it.
type (
	zStamp   struct{ time.Time }
	zLabeled struct {
		zStamp
		Label string
	}
	zLater     struct{ *time.Time }
	zDate      struct{ time.Time } // has its own text
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
	return number(z.Format("20060102")), nil
}

// TestEmbeddedTimes checks that a type that marshals itself as an embedded time cannot be part
// of a key, because its text does not sort by time. A type with another text is text. A type whose
// underlying type is a time is a time.
func TestEmbeddedTimes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value    any
		kind     keys.Kind // 0: cannot be part of a key
		timeText bool
		issue    bool // its values would be lost, or not be read
	}{
		{zStamp{}, 0, true, false}, {&zStamp{}, 0, true, false}, {new(*zStamp), 0, true, false}, {zLabeled{}, 0, true, true}, {zLater{}, 0, true, true},
		{struct{ time.Time }{}, 0, true, true}, {zNumbered{}, 0, true, true}, {ZEndless{}, 0, true, false},
		{zDate{}, keys.KindText, false, false}, {&zDate{}, keys.KindText, false, false}, {zPanicking{}, keys.KindText, false, false},
		{zUUID{}, keys.KindText, false, false}, {zAt{}, keys.KindTime, false, false}, {&zAt{}, keys.KindTime, false, false},
		{zAtOfOwn{}, keys.KindTime, false, true}, {time.Time{}, keys.KindTime, false, false}, {zAround{}, 0, false, false},
		{sql.NullTime{}, 0, false, false}, {sql.Null[time.Time]{}, 0, false, false}, {"", keys.KindText, false, false},
	} {
		typ := reflect.StructOf([]reflect.StructField{{Name: "F", Type: reflect.TypeOf(c.value)}})
		s, issues := Compile(typ)
		require.Equal(t, c.issue, len(issues) > 0, "%T: %v", c.value, issues)
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

// The attribute of a struct with an embedded time is the promoted text in UTC. Its order differs
// from the order of the times, so the struct cannot be part of a key.
func TestEmbeddedTimes_text(t *testing.T) {
	t.Parallel()
	noon := zStamp{time.Date(2026, 8, 1, 12, 0, 0, 0, time.FixedZone("", 3600))}
	later := zStamp{noon.Add(time.Second / 2)}
	var texts []string
	for _, s := range []zStamp{noon, later} {
		av, err := nodeOf(reflect.TypeFor[zStamp]()).EncodeOperand(&s)
		require.NoError(t, err)
		require.Equal(t, text(s.UTC().Format(time.RFC3339Nano)), av)
		texts = append(texts, s.UTC().Format(time.RFC3339Nano))
	}
	require.Greater(t, texts[0], texts[1])
}
