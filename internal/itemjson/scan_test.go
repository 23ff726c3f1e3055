package itemjson

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/schemas"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/aws/smithy-go/transport/http/protocol/awsjson"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testjson"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

type item = map[string]types.AttributeValue

var (
	sdkProtocol = awsjson.New10(schemas.DynamoDB_20120810)
	getItem     = smithy.NewOperationSchema(schemas.GetItem, schemas.GetItemInput, schemas.GetItemOutput)
)

// sdkDecode decodes the JSON of an item with the SDK.
func sdkDecode(body []byte) (item, error) {
	full := slices.Concat([]byte(`{"Item":`), body, []byte(`}`))
	response := &smithyhttp.Response{Response: &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(full))}}
	var out dynamodb.GetItemOutput
	err := sdkProtocol.DeserializeResponse(context.Background(), getItem, nil, response, &out)
	return out.Item, err
}

// decode scans one item and converts it to a map.
func decode(body []byte) (item, error) {
	it, end, err := Scan(body, 0, nil)
	if err != nil {
		return nil, err
	}
	if rest := bytes.TrimLeft(body[end:], " \t\r\n"); len(rest) > 0 {
		return nil, errors.New("more than an item")
	}
	return it.Map(), nil
}

func TestScan(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{}`, ` { } `, `{"a":{"S":""}}`, `{"a":{"S":"x"},"b":{"N":"1.5"}}`, `{"":{"S":"x"}}`, `{"a":{"BOOL":true},"b":{"BOOL":false}}`,
		`{"a":{"NULL":true}}`, `{"a":{"NULL":false}}`, `{"a":{"B":"AAEC"}}`, `{"a":{"B":""}}`, `{"a":{"B":"AA=="}}`, `{"a":{"B":"AA\u003d="}}`,
		`{"a":{"M":{}},"b":{"L":[]},"c":{"SS":[]},"d":{"NS":[]},"e":{"BS":[]}}`, `{"a":{"M":{"b":{"M":{"c":{"L":[{"L":[]},{"S":"x"}]}}}}}}`,
		`{"a":{"SS":["x","y"]},"b":{"NS":["1","2"]},"c":{"BS":["AA==",""]}}`, `{"a" : { "S" : "x" } , "b":{"L":[ {"N":"1"} , {"S":"2"} ]}}`,
		`{"\u0061":{"\u0053":"\ud83d\ude00\n\/\"\\"}}`, `{"a":{"S":"\ud800"}}`, `{"a":{"S":"\ud800\u0041"}}`, `{"a":{"S":"\udc00\ud800"}}`,
		`{"a":{"S":"é\u00e9"}}`, "{\"a\":{\"S\":\"\xff\"}}", "{\"a\":{\"S\":\"\xff\\n\"}}", `{"a":{"S":"1"},"a":{"S":"2"}}`,
		`{"` + strings.Repeat("long", 100) + `":{"S":"` + strings.Repeat("long", 100) + `"}}`,
	} {
		want, err := sdkDecode([]byte(text))
		require.NoError(t, err, text)
		got, err := decode([]byte(text))
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{
		``, ` `, `null`, `[]`, `""`, `{`, `{"a"}`, `{"a":}`, `{"a":{}}`, `{"a":null}`, `{"a":{"S":null}}`, `{"a":{"S":1}}`, `{"a":{"S":"x"}`, `{"a":{"S":"x"},}`,
		`{,"a":{"S":"x"}}`, `{"a":{"S":"x","N":"1"}}`, `{"a":{"S":"x"}"b":{"S":"x"}}`, `{"a":{"X":"x"}}`, `{"a":{"s":"x"}}`, `{"a":{"$unknown":["X",1]}}`, `{"a":{"BOOL":"true"}}`,
		`{"a":{"BOOL":tru}}`, `{"a":{"BOOL":truefalse}}`, `{"a":{"BOOL":null}}`, `{"a":{"NULL":null}}`, `{"a":{"B":"A"}}`, `{"a":{"B":"AA=A"}}`, `{"a":{"B":"*AAA"}}`,
		`{"a":{"M":[]}}`, `{"a":{"L":{}}}`, `{"a":{"L":["x"]}}`, `{"a":{"SS":[{"S":"x"}]}}`, `{"a":{"SS":"x"}}`, `{"a":{"SS":["x",]}}`, `{"a":{"SS":[,]}}`,
		`{"a":{"SS":["x"}}`, `{"a":{"S":"\x"}}`, `{"a":{"S":"\u12"}}`, `{"a":{"S":"\u12g4"}}`, "{\"a\":{\"S\":\"\x00\"}}", "{\"a\":{\"S\":\"a\nb\"}}", `{'a':{"S":"x"}}`,
		`{"a":{"L":[null]}}`, `{"a":{"M":{"b":null}}}`, `{"a":{S:"x"}}`, `{"a":{"S":'x'}}`, `{"a":{"S":"x"]}`, `{"a":{"S"."x"}}`, "{\"a\":{\"S\":\"\\", `{"a":{"S":"\`,
		`{"a":` + strings.Repeat(`{"L":[`, 101) + `]}` + strings.Repeat(`]}`, 100) + `}`,
	} {
		_, err := decode([]byte(text))
		var syntax *SyntaxError
		require.ErrorAs(t, err, &syntax, text)
		require.LessOrEqual(t, syntax.Offset, len(text))
	}
	deep := `{"a":` + strings.Repeat(`{"L":[`, 100) + strings.Repeat(`]}`, 100) + `}`
	_, err := decode([]byte(deep))
	require.NoError(t, err)
	_, _, err = Scan([]byte(`{}`), -1, nil)
	require.Error(t, err)
	_, _, err = Scan([]byte(`{}`), 3, nil)
	require.Error(t, err)
}

// randomItem returns an item of all types, with texts that need escapes.
func randomItem(r *rand.Rand, depth int) item {
	it := item{}
	for range r.IntN(6) {
		it[randomText(r)] = randomAttribute(r, depth)
	}
	return it
}

// characters are those that JSON escapes, or that are long in UTF-8 or UTF-16.
var characters = []rune("aaaaabcdefgh 0123\"\\/\n\t\x00\x1f\x7fé\u2028\ufffd😀")

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(4) * r.IntN(12) {
		b.WriteRune(characters[r.IntN(len(characters))])
	}
	return b.String()
}

func many[E any](r *rand.Rand, elem func() E) []E {
	elems := make([]E, 0, 4)
	for range r.IntN(4) {
		elems = append(elems, elem())
	}
	return elems
}

func randomAttribute(r *rand.Rand, depth int) types.AttributeValue {
	bytes := func() []byte { return []byte(randomText(r)) }
	kinds := 8
	if depth > 0 {
		kinds = 10
	}
	switch r.IntN(kinds) {
	case 0:
		return &types.AttributeValueMemberN{Value: "1.5"}
	case 1:
		return &types.AttributeValueMemberB{Value: bytes()}
	case 2:
		return &types.AttributeValueMemberBOOL{Value: r.IntN(2) == 0}
	case 3:
		return &types.AttributeValueMemberNULL{Value: true}
	case 4:
		return &types.AttributeValueMemberSS{Value: many(r, func() string { return randomText(r) })}
	case 5:
		return &types.AttributeValueMemberNS{Value: many(r, func() string { return "7" })}
	case 6:
		return &types.AttributeValueMemberBS{Value: many(r, bytes)}
	case 8:
		return &types.AttributeValueMemberL{Value: many(r, func() types.AttributeValue { return randomAttribute(r, depth-1) })}
	case 9:
		return &types.AttributeValueMemberM{Value: randomItem(r, depth-1)}
	default:
		return &types.AttributeValueMemberS{Value: randomText(r)}
	}
}

// agree compares a decoder with the SDK on random items in random spellings, and on the same items
// with random damage. What is damaged may be an error for this package only.
func agree(r *rand.Rand, rounds int, decode func([]byte) (item, error)) error {
	for range rounds {
		want := randomItem(r, 3)
		body := slices.Clip(testjson.Append(r, nil, want))
		got, err := decode(body)
		if err != nil || !reflect.DeepEqual(got, want) {
			return errors.Join(errors.New("an item differs: "+string(body)), err)
		}
		if written, err := Append(nil, want); err != nil || !json.Valid(written) {
			return errors.Join(errors.New("an item is not encoded: "+string(written)), err)
		} else if got, err := sdkDecode(written); err != nil || !reflect.DeepEqual(got, want) {
			return errors.Join(errors.New("an encoded item differs: "+string(written)), err)
		}
		damaged := slices.Clone(body)
		damaged[r.IntN(len(damaged))] = "{}[]\",:\\ntS0\x00\x80"[r.IntN(14)]
		if r.IntN(3) == 0 {
			damaged = slices.Clip(damaged[:r.IntN(len(damaged))])
		}
		got, err = decode(damaged)
		if err != nil {
			continue
		}
		want, err = sdkDecode(damaged)
		if err != nil || !reflect.DeepEqual(got, want) {
			return errors.Join(errors.New("a damaged item differs: "+string(damaged)), err)
		}
	}
	return nil
}

func TestScanRandom(t *testing.T) {
	t.Parallel()
	require.NoError(t, agree(testrand.New(t), testsize.Sequential(1_000, 10_000, 100_000, 2_000_000), decode))
}

// TestScanRandom_control checks that the test fails for decoders with one defect.
func TestScanRandom_control(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	replaced := func(old, replacement string) func([]byte) (item, error) {
		return func(body []byte) (item, error) {
			return decode(bytes.ReplaceAll(body, []byte(old), []byte(replacement)))
		}
	}
	for name, broken := range map[string]func([]byte) (item, error){
		"a surrogate pair": replaced(`\ud83d`, `\ud83c`),
		"an escaped slash": replaced(`\/`, `\\`),
		"a type":           replaced(`"NS"`, `"SS"`),
		"whitespace":       replaced("\r", "x"),
		"the end of the JSON": func(body []byte) (item, error) {
			return decode(append(bytes.TrimRight(body, "} \t\r\n"), "}}"...))
		},
		"a control character": func(body []byte) (item, error) {
			return decode(bytes.ReplaceAll(body, []byte{0}, []byte(`\u0000`)))
		},
		"a member too many": func(body []byte) (item, error) {
			if it, err := decode(body); err == nil {
				return it, nil
			}
			it, _, _ := Scan(append(body, `}}`...), 0, nil)
			return it.Map(), nil
		},
	} {
		require.Error(t, agree(rand.New(rand.NewPCG(seed, 1)), 200_000, broken), name)
	}
}

func TestItems(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	var l Items
	for range testsize.Pick(300, 3_000) {
		var want []item
		body := []byte(" [ ")
		for range r.IntN(5) {
			if len(want) > 0 {
				body = append(body, ',')
			}
			want = append(want, randomItem(r, 2))
			body = testjson.Append(r, body, want[len(want)-1])
		}
		body = append(body, " ],1"...)
		end, err := l.Scan(body, 0)
		require.NoError(t, err)
		require.Equal(t, ",1", string(body[end:]))
		require.Equal(t, len(want), l.Len())
		for i, it := range want {
			require.Equal(t, it, l.At(i).Map())
			for name, av := range it {
				require.Equal(t, av, l.At(i).Attribute(l.At(i).Find(NameOf(name))))
			}
			require.Equal(t, -1, l.At(i).Find(NameOf("absent")))
		}
		_, err = l.Scan(body[:r.IntN(end)], 0)
		require.Error(t, err)
		require.Zero(t, l.Len())
	}
}

func TestSkip(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`1`, `-1.5e+7`, `true`, `null`, `"a\"b"`, `{}`, `[]`, `{"a":[1,{"b":"]}"}],"c":null}`, `[[],[[]]]`} {
		end, err := Skip([]byte("x "+text+",}"), 1)
		require.NoError(t, err, text)
		require.Equal(t, 2+len(text), end, text)
		for cut := range len(text) {
			if text[0] == '{' || text[0] == '[' || text[0] == '"' {
				_, err = Skip([]byte(text[:cut]), 0)
				require.Error(t, err, text[:cut])
			}
		}
	}
	for _, text := range []string{``, ` `, `,`, `}`, `:1`, `"`, `"\x"`, `[`, `[[}`, `{"a":[1,2}`, strings.Repeat("[", 200)} {
		_, err := Skip([]byte(text), 0)
		require.Error(t, err, text)
	}
}

// Skip finds the end of what encoding/json accepts, whatever follows. It does not pass the body's
// end.
func TestRandomSkips(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	const parts = `{}[]",:\0123456789.eE+-tfn `
	var valid, invalid int
	for range 20_000 {
		text := []string{`{"a":[1,{"b":"]}"}],"c":null}`, `[-1.5e+7,0.5,10,-0]`, `[[],[true,false],{}]`, `"a\"b\u00e9"`, ` 12 `, `0`}[r.IntN(6)]
		for range r.IntN(3) {
			at := r.IntN(len(text))
			text = text[:at] + parts[r.IntN(len(parts)):][:1] + text[at+r.IntN(2):]
		}
		end, err := Skip([]byte(text), 0)
		require.LessOrEqual(t, end, len(text), text)
		if !json.Valid([]byte(text)) {
			invalid++
			continue
		}
		valid++
		require.NoError(t, err, text)
		require.Equal(t, len(strings.TrimRight(text, " ")), end, text)
		for _, after := range []string{",", "}", "]", " ,", ":"} {
			again, err := Skip([]byte(text+after+"1"), 0)
			require.NoError(t, err, text)
			require.Equal(t, end, again, text)
		}
	}
	require.Greater(t, valid, 1000)
	require.Greater(t, invalid, 1000)
}

// members returns the members of an object as texts.
func members(body []byte, at int) (list []string, end int, err error) {
	end, err = Object(body, at, func(name []byte, at int) (int, error) {
		end, err := Skip(body, at)
		if err == nil {
			list = append(list, string(name)+"="+string(body[at:end]))
		}
		return end, err
	})
	return list, end, err
}

func TestObject(t *testing.T) {
	t.Parallel()
	body := []byte(`{"Count": 2 , "\u0049tems":[{"a":{"S":"}"}}],"Last":null} `)
	got, end, err := members(body, 0)
	require.NoError(t, err)
	require.Equal(t, len(body)-1, end)
	require.Equal(t, []string{"Count=2", `Items=[{"a":{"S":"}"}}]`, "Last=null"}, got)
	for cut := range end {
		_, _, err := members(body[:cut], 0)
		require.Error(t, err)
	}
	for _, text := range []string{`[]`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{a:1}`} {
		_, _, err := members([]byte(text), 0)
		require.Error(t, err, text)
	}
}

func TestArray(t *testing.T) {
	t.Parallel()
	body := []byte(` [ 1 ,{"a":[2]}, "]" ] `)
	var got []string
	array := func(body []byte) (end int, err error) {
		return Array(body, 0, func(at int) (int, error) {
			end, err := Skip(body, at)
			if err == nil {
				got = append(got, string(body[at:end]))
			}
			return end, err
		})
	}
	end, err := array(body)
	require.NoError(t, err)
	require.Equal(t, len(body)-1, end)
	require.Equal(t, []string{"1", `{"a":[2]}`, `"]"`}, got)
	for cut := range end {
		_, err := array(body[:cut])
		require.Error(t, err)
	}
}

// Find finds the last of repeated names, and escaped ones.
func TestFind(t *testing.T) {
	t.Parallel()
	body := []byte(`{"a":{"M":{"b":{"N":"1"}}},"\u0062":{"S":"x"},"b":{"S":"y"},"cc":{"S":"z"},"\u0064":{"NULL":true}}`)
	it, _, err := Scan(body, 0, nil)
	require.NoError(t, err)
	for name, index := range map[string]int{"a": 0, "b": 3, "cc": 4, "d": 5, "none": -1, "": -1} {
		require.Equal(t, index, it.Find(NameOf(name)), name)
	}
}

// Add appends items, and leaves the list unchanged after an error.
func TestItemsAdd(t *testing.T) {
	t.Parallel()
	body := []byte(`{"a":{"S":"x"}} {} {"a":{"M":{"b":{"N":"1"}}}} {"a":}`)
	var list Items
	at := 0
	for range 3 {
		end, err := list.Add(body, at)
		require.NoError(t, err)
		at = end
	}
	_, err := list.Add(body, at)
	require.Error(t, err)
	list.AddEmpty()
	require.Equal(t, 4, list.Len())
	require.Empty(t, list.At(3).Map())
	require.Equal(t, len(body), list.Size())
	require.Equal(t, item{"a": &types.AttributeValueMemberS{Value: "x"}}, list.At(0).Map())
	require.Empty(t, list.At(1).Map())
	require.Equal(t, item{"a": &types.AttributeValueMemberM{Value: item{"b": &types.AttributeValueMemberN{Value: "1"}}}}, list.At(2).Map())
}

func TestAppendUnknown(t *testing.T) {
	t.Parallel()
	var none *types.AttributeValueMemberS
	for _, av := range []types.AttributeValue{nil, none, &types.UnknownUnionMember{}, &types.AttributeValueMemberL{Value: []types.AttributeValue{nil}}} {
		_, err := Append(nil, item{"a": av})
		require.ErrorIs(t, err, ErrUnknownType)
	}
}

// FuzzScan checks that the scanner never panics and never reads past the body, and that it decodes
// what it accepts as the SDK does.
func FuzzScan(f *testing.F) {
	f.Add([]byte(`{"a":{"S":"x\n"},"b":{"M":{"c":{"L":[{"N":"1"}]}}},"d":{"BOOL":true}}`))
	f.Add([]byte(`{ "a" : {"SS":["x"]},"b":{"BS":["AA=="]},"c":{"NULL":true},"d":{"B":"AA\u003d="}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		body = slices.Clip(body)
		_, _ = Skip(body, 0)
		_, _, _ = members(body, 0)
		got, err := decode(body)
		if err != nil {
			return
		}
		require.True(t, json.Valid(body))
		want, err := sdkDecode(body)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}
