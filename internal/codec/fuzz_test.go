package codec

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/itemjson"
)

// zAll has a field for each way of decoding.
type zAll struct {
	A      string
	B      int8
	C      uint
	D      float32
	E      bool
	F      []byte
	G      [2]byte
	H      time.Time
	I      zTimes
	J      []string
	K      []zBlob
	L      [2]int
	M      map[string]string
	N      map[int8]zTree
	O      zTree
	P      **zColor
	Q      any
	R      error
	S      json.Number
	T      zEmbeds
	U      types.AttributeValue
	V      zUUID
	W      *types.AttributeValueMemberS
	X      int `dynamodbav:",string"`
	Y      []zUUID
	Z      map[zColor]*[]any
	Custom attributevalue.UnixTime
	Func   func()
	Rest   map[string]types.AttributeValue
}

// tree makes attributes from the bytes of a fuzzer.
type tree struct{ bytes []byte }

func (t *tree) next() byte {
	if len(t.bytes) == 0 {
		return 0
	}
	b := t.bytes[0]
	t.bytes = t.bytes[1:]
	return b
}

func (t *tree) text() string {
	n := min(int(t.next()%12), len(t.bytes))
	s := string(t.bytes[:n])
	t.bytes = t.bytes[n:]
	return s
}

func (t *tree) texts() []string {
	s := make([]string, t.next()%4)
	for i := range s {
		s[i] = t.text()
	}
	return s
}

func (t *tree) attribute(depth int) AV {
	kind := t.next() % 12
	if depth == 0 && kind > 8 {
		kind = 0
	}
	switch kind {
	case 0, 1:
		return text(t.text())
	case 2:
		return number(t.text())
	case 3:
		return &types.AttributeValueMemberB{Value: []byte(t.text())}
	case 4:
		return &types.AttributeValueMemberBOOL{Value: t.next()%2 == 0}
	case 5:
		return null()
	case 6:
		return &types.AttributeValueMemberSS{Value: t.texts()}
	case 7:
		return &types.AttributeValueMemberNS{Value: t.texts()}
	case 8:
		return &types.AttributeValueMemberBS{Value: [][]byte{[]byte(t.text()), nil}}
	case 9:
		l := make([]AV, t.next()%4)
		for i := range l {
			l[i] = t.attribute(depth - 1)
		}
		return &types.AttributeValueMemberL{Value: l}
	case 10:
		return &types.AttributeValueMemberM{Value: t.item(reflect.TypeFor[zTree](), depth-1)}
	default:
		return nil
	}
}

// item returns an item. Most of its attributes have the name of a field.
func (t *tree) item(typ reflect.Type, depth int) Item {
	item := Item{}
	for range t.next() % 8 {
		name := typ.Field(int(t.next()) % typ.NumField()).Name
		if t.next()%4 == 0 {
			name = t.text()
		}
		item[name] = t.attribute(depth)
	}
	return item
}

// FuzzDecode checks that decoding never panics, that decoded values can be encoded, and that errors
// are typed.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("\x07\x00\x01\x00\x05hello\x01\x01\x02\x0212\x07\x01\x00\x142026-01-01T00:00:00Z"))
	f.Add([]byte("\x07\x0d\x01\x0a\x03\x00\x01\x0b\x0e\x01\x0a\x02\x01\x01\x09\x02\x00\x01x\x05"))
	f.Add([]byte("\x06\x10\x01\x0a\x05\x00\x00\x03abc\x07\x02\x011\x02x2\x16\x01\x00\x03abc\x19\x01\x0a\x01"))
	f.Add([]byte("\x05\x06\x01\x03\x02ab\x06\x01\x03\x03abc\x0b\x01\x07\x02\x011\x013\x18\x01\x06\x01\x0800010203"))
	f.Add([]byte{})
	s, _ := Compile(reflect.TypeFor[zAll]())
	require.NoError(f, s.SetRest(s.ByName("Rest")))
	f.Fuzz(func(t *testing.T, bytes []byte) {
		item := (&tree{bytes: bytes}).item(reflect.TypeFor[zAll](), 4)
		var v zAll
		var fe *FieldError
		if err := s.Decode(item, PtrTo(&v), nil); err != nil {
			require.ErrorAs(t, err, &fe)
			return
		}
		if err := s.Encode(PtrTo(&v), Item{}); err != nil {
			require.ErrorAs(t, err, &fe)
		}
	})
}

// FuzzDecodeJSON checks that items in JSON are decoded as maps are, into a struct with a field for
// each way of decoding, and that the result is encoded as a map is.
func FuzzDecodeJSON(f *testing.F) {
	f.Add([]byte(`{"A":{"S":"x\n"},"B":{"N":"12"},"D":{"N":"-1.25"},"H":{"S":"2026-08-01T09:30:00.5Z"},"J":{"SS":["a"]},"M":{"M":{"k":{"S":"v"}}}}`))
	f.Add([]byte(`{"O":{"M":{"name":{"S":"x"},"kids":{"L":[{"M":{}}]}}},"Q":{"L":[{"NULL":true}]},"L":{"L":[{"N":"1"}]},"F":{"B":"AAEC"}}`))
	f.Add([]byte(`{"P":{"S":"color-red"},"T":{"M":{"id":{"S":"i"}}},"X":{"S":"12"},"E":{"BOOL":true},"E":{"BOOL":false},"unknown":{"S":"y"}}`))
	s, _ := Compile(reflect.TypeFor[zAll]())
	require.NoError(f, s.SetRest(s.ByName("Rest")))
	f.Fuzz(func(t *testing.T, body []byte) {
		item, _, err := itemjson.Scan(body, 0, nil)
		if err != nil {
			return
		}
		var got, want zAll
		wantErr := s.Decode(item.Map(), PtrTo(&want), nil)
		err = s.DecodeJSON(item, PtrTo(&got), nil, arenaFor(body))
		require.True(t, sameError(err, wantErr), "%v, want %v", err, wantErr)
		if err != nil {
			return
		}
		require.Equal(t, want, got)
		wanted := Item{}
		wantErr = s.Encode(PtrTo(&want), wanted)
		written, err := ourJSON.encode(s, PtrTo(&got))
		require.True(t, sameError(err, wantErr), "%v, want %v", err, wantErr)
		if err == nil {
			item, _, err := itemjson.Scan(written, 0, nil)
			require.NoError(t, err)
			require.Equal(t, wanted, item.Map())
		}
	})
}
