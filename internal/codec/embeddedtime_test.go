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
	return numberValue(z.Format("20060102")), nil
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
	}{
		{zStamp{}, 0, true}, {&zStamp{}, 0, true}, {new(*zStamp), 0, true}, {zLabeled{}, 0, true}, {zLater{}, 0, true}, {struct{ time.Time }{}, 0, true},
		{zNumbered{}, 0, true}, {ZEndless{}, 0, true},
		{zDate{}, keys.KindText, false}, {&zDate{}, keys.KindText, false}, {zPanicking{}, keys.KindText, false}, {zUUID{}, keys.KindText, false},
		{zAt{}, keys.KindTime, false}, {&zAt{}, keys.KindTime, false}, {zAtOfOwn{}, keys.KindTime, false}, {time.Time{}, keys.KindTime, false},
		{zAround{}, 0, false}, {sql.NullTime{}, 0, false}, {sql.Null[time.Time]{}, 0, false}, {"", keys.KindText, false},
	} {
		typ := reflect.StructOf([]reflect.StructField{{Name: "F", Type: reflect.TypeOf(c.value)}})
		s, issues := Compile(typ)
		if typ := reflect.TypeOf(c.value); typ.Name() != "" || typ.Kind() == reflect.Pointer { // an unnamed struct has no method that decodes
			require.Empty(t, issues, "%T", c.value)
		}
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
		av, err := nodeOf(nodeKey{reflect.TypeFor[zStamp](), true}).EncodeOperand(&s)
		require.NoError(t, err)
		require.Equal(t, textValue(s.UTC().Format(time.RFC3339Nano)), av)
		texts = append(texts, s.UTC().Format(time.RFC3339Nano))
	}
	require.Greater(t, texts[0], texts[1])
}
