package schemadiff_test

import (
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/keys"
)

type (
	house struct {
		ID    string               `dynamodbav:"id"`
		Home  street               `dynamodbav:"home"`
		Ways  []*street            `dynamodbav:"ways"`
		Tags  []string             `dynamodbav:"tags,nullemptyelem"`
		Marks map[string]bool      `dynamodbav:"marks"`
		Years map[int]float64      `dynamodbav:"years"`
		Rooms room                 `dynamodbav:"rooms"`
		Any   any                  `dynamodbav:"any"`
		Raw   types.AttributeValue `dynamodbav:"raw"`
	}
	street struct {
		Name string    `dynamodbav:"the name"`
		Num  *int      `dynamodbav:"num"`
		Made time.Time `dynamodbav:"made,unixtime"`
	}
	room struct {
		Size  int              `dynamodbav:"size"`
		Next  *room            `dynamodbav:"next"`
		Doors map[string]*room `dynamodbav:"doors"`
		Walls list             `dynamodbav:"walls"`
	}
	list []list
)

// TestTextTellsWhatContainersHold checks the description of structs, lists and maps, including
// recursive types.
func TestTextTellsWhatContainersHold(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	entity.DefineSpec[house](s, spec("house", "H#<id>", "H"))
	require.NoError(t, s.Err())
	text := s.Text()
	for _, line := range []string{
		`attribute home M{"the name" S, num N|NULL(int64), made N(time)}`,
		`attribute ways NULL|L[NULL|M{"the name" S, num N|NULL(int64), made N(time)}]`,
		`attribute tags NULL|L[S|NULL]`, `attribute marks NULL|M[BOOL]`, `attribute years NULL|M[N(int64): N(float64)]`,
		`attribute rooms M{size N(int64), next NULL|M=1, doors NULL|M[NULL|M=1], walls NULL|L[NULL|L=3]}`,
		"attribute any S|N|B|BOOL|NULL|M|L|SS|NS|BS\n", "attribute raw S|N|B|BOOL|NULL|M|L|SS|NS|BS(raw)\n",
	} {
		require.Contains(t, text, "\n"+line)
	}
	require.Empty(t, s.Drift(text))
}

// holding is a type whose attribute h has the Go type H.
type holding[H any] struct {
	ID string `dynamodbav:"id"`
	H  H      `dynamodbav:"h"`
}

func textOf[H any](t *testing.T) *entity.Schema {
	t.Helper()
	s := entity.NewSchema(entity.Config{})
	entity.DefineSpec[holding[H]](s, spec("nest", "L#<id>", "X"))
	require.NoError(t, s.Err())
	return s
}

type (
	one struct {
		Street string `dynamodbav:"street"`
	}
	renamedOne struct {
		Road string `dynamodbav:"road"`
	}
	retypedOne struct {
		Street int `dynamodbav:"street"`
	}
	two struct {
		Street string `dynamodbav:"street"`
		Zip    int    `dynamodbav:"zip"`
	}
	chain struct {
		Value string `dynamodbav:"value"`
		Next  *chain `dynamodbav:"next"`
	}
	numbers struct {
		Value int      `dynamodbav:"value"`
		Next  *numbers `dynamodbav:"next"`
	}
	unrolled struct {
		Value string `dynamodbav:"value"`
		Next  *chain `dynamodbav:"next"`
	}
)

// TestDriftLooksIntoContainers checks that drift gives the path of nested attributes.
func TestDriftLooksIntoContainers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		was, is *entity.Schema
		says    string // empty: no message
	}{
		"a struct's field renamed":     {textOf[one](t), textOf[renamedOne](t), "attribute h.street of nest is gone, and h.road is new, in the field H.Road"},
		"a struct's field retyped":     {textOf[one](t), textOf[retypedOne](t), "attribute h.street of nest was stored as S and is stored as N(int64): no stored nest with it can be read"},
		"a struct's field gone":        {textOf[two](t), textOf[one](t), "attribute h.zip of nest is gone"},
		"a struct's field more":        {textOf[one](t), textOf[two](t), "attribute h.zip of nest is new, stored as N(int64), in the field H.Zip of type int: a stored nest without it reads as 0"},
		"a field more in a list":       {textOf[[]one](t), textOf[[]two](t), "attribute h[].zip of nest is new, stored as N(int64), in the field H[].Zip of type int"},
		"elements of a list":           {textOf[[]string](t), textOf[[]int](t), "attribute h[] of nest was stored as S and is stored as N(int64): no stored nest with it can be read"},
		"elements that may be null":    {textOf[[]string](t), textOf[[]*string](t), ""},
		"a slice, and an array":        {textOf[[]string](t), textOf[[3]string](t), "is stored as L(3 elements)[S]: a stored nest is read with 3 elements"},
		"elements of elements":         {textOf[[]map[string]one](t), textOf[[]map[string]retypedOne](t), "attribute h[][].street of nest was stored as S and"},
		"elements of a map":            {textOf[map[string]bool](t), textOf[map[string]string](t), "attribute h[] of nest was stored as BOOL and is stored as S"},
		"keys of a map":                {textOf[map[string]bool](t), textOf[map[int]bool](t), "attribute h of nest was stored as NULL|M[BOOL] and is stored as NULL|M[N(int64): BOOL]: a stored nest cannot be read where a name in it is no int64"},
		"keys of a map are texts":      {textOf[map[int]bool](t), textOf[map[string]bool](t), ""},
		"a struct becomes a map":       {textOf[one](t), textOf[map[string]string](t), ""},
		"a struct becomes another map": {textOf[two](t), textOf[map[string]string](t), "attribute h.zip of nest was stored as N(int64) and is stored as S: a stored nest is read, but conditions do not find it"},
		"a struct of structs becomes a map": {
			textOf[struct {
				A one `dynamodbav:"a"`
			}](t), textOf[map[string]two](t), "attribute h.a.zip of nest is new, stored as N(int64), in the field H[].Zip of type int",
		},
		"a map becomes a struct":   {textOf[map[string]string](t), textOf[one](t), "is stored as M{street S}: a stored nest is read without its names that have no field"},
		"anything":                 {textOf[one](t), textOf[any](t), ""},
		"a number in anything":     {textOf[two](t), textOf[any](t), "attribute h.zip of nest was stored as N(int64) and is stored as S|N|B|BOOL|NULL|M|L|SS|NS|BS: numbers of more than 15 digits are rounded"},
		"a type that holds itself": {textOf[chain](t), textOf[numbers](t), "attribute h.value of nest was stored as S and is stored as N(int64)"},
		"the same told otherwise":  {textOf[chain](t), textOf[unrolled](t), ""},
	} {
		drift := c.is.Drift(c.was.Text())
		if c.says == "" {
			require.Empty(t, drift, name)
			continue
		}
		require.Len(t, drift, 1, "%s: %q", name, drift)
		require.Contains(t, drift[0], c.says, name)
	}
}

type dated struct {
	ID   string    `dynamodbav:"id"`
	At   time.Time `dynamodbav:"at"`
	Rank int       `dynamodbav:"rank"`
}

// ranks returns a format with few valid values.
func ranks(names ...string) keys.Format {
	return keys.Format{
		Kinds:  []keys.Kind{keys.KindInt},
		Encode: func(v keys.Value) (string, error) { return names[v.Int()], nil },
		Decode: func(string) (keys.Value, error) { return keys.Value{}, errors.New("no rank") },
	}
}

func datedSchema(t *testing.T, layout string, rank keys.Format, sk, gsi1sk string) *entity.Schema {
	t.Helper()
	iso, err := keys.Layout(layout)
	require.NoError(t, err)
	s := entity.NewSchema(entity.Config{
		Formats: map[string]keys.Format{"iso": iso, "rank": rank, "unused": ranks()}, Indexes: []entity.IndexConfig{{Name: "GSI1"}},
	})
	entity.DefineSpec[dated](s, spec("dated", "L#<id>", sk, entity.IndexSpec{Name: "by-rank", On: "GSI1", PK: "L#<id>", SK: gsi1sk}))
	require.NoError(t, s.Err())
	return s
}

// TestDriftOfFormats checks that a custom format with new output changes every key that uses it,
// even if the templates are equal.
func TestDriftOfFormats(t *testing.T) {
	t.Parallel()
	const day, second = "2006-01-02", "20060102T150405"
	was := datedSchema(t, day, ranks("x", "low"), "<at:iso>", "<rank:rank>#<at:iso,desc>").Text()
	require.Contains(t, was, "\nformat iso time \"2001-02-03\" \"2001-12-31\"\nformat rank int \"low\" refused")
	drift := datedSchema(t, second, ranks("x", "low"), "<at:iso>", "<rank:rank>#<at:iso,desc>").Drift(was)
	require.Len(t, drift, 2, "%q", drift)
	require.Contains(t, drift[0], "the key GSI1SK of dated")
	require.Contains(t, drift[0], "must be re-indexed")
	require.Contains(t, drift[1], "the key SK of dated")
	require.Contains(t, drift[1], "must be moved")

	drift = datedSchema(t, day, ranks("x", "1low"), "<at:iso>", "<rank:rank>#<at:iso,desc>").Drift(was)
	require.Len(t, drift, 1, "%q", drift)
	require.Contains(t, drift[0], "GSI1SK")
	require.Empty(t, datedSchema(t, day, ranks("y", "low", "more"), "<at:iso>", "<rank:rank>#<at:iso,desc>").Drift(was), "of what no sample shows, nothing is said")
	require.Len(t, datedSchema(t, second, ranks("x", "low"), "<at:s>", "<rank:rank>#<id>").Drift(was), 2, "other templates are told once")
}

// numbered has a field of type N in its keys.
type numbered[N any] struct {
	ID string `dynamodbav:"id"`
	N  N      `dynamodbav:"n"`
}

func numberedText[N any](t *testing.T, sk string) *entity.Schema {
	t.Helper()
	s := entity.NewSchema(entity.Config{Formats: map[string]keys.Format{"fixed": {
		Encode: func(keys.Value) (string, error) { return "x", nil },
		Decode: func(string) (keys.Value, error) { return keys.Value{}, errors.New("no way back") },
	}}})
	entity.DefineSpec[numbered[N]](s, spec("numbered", "L#<id>", sk))
	require.NoError(t, s.Err())
	return s
}

// TestDriftOfKinds checks keys whose text depends on the Go kind of a field, because the format
// does not determine it.
func TestDriftOfKinds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		was, is *entity.Schema
		says    []string
	}{
		"int64 and float64": {numberedText[int64](t, "<n:ord>#x"), numberedText[float64](t, "<n:ord>#x"), []string{"must be moved", "are rounded"}},
		"the same digits":   {numberedText[int64](t, "<n:ord,desc>#x"), numberedText[uint64](t, "<n:ord,desc>#x"), []string{"cannot be read where"}},
		"and the way back":  {numberedText[uint32](t, "<n:ord>#x"), numberedText[int64](t, "<n:ord>#x"), nil},
		"int64 and int":     {numberedText[int64](t, "<n:ord>#x"), numberedText[int](t, "<n:ord>#x"), nil},
		"padded digits":     {numberedText[uint8](t, "<n:08>#x"), numberedText[int64](t, "<n:08>#x"), nil},
		"a format of one's own": {
			numberedText[int64](t, "<n:fixed>#x"), numberedText[float64](t, "<n:fixed>#x"), []string{"must be moved", "are rounded"},
		},
		"of integers too": {numberedText[uint8](t, "<n:fixed>#x"), numberedText[int](t, "<n:fixed>#x"), []string{"must be moved"}},
	} {
		drift := c.is.Drift(c.was.Text())
		require.Len(t, drift, len(c.says), "%s: %q", name, drift)
		for i, says := range c.says {
			require.Contains(t, drift[i], says, name)
		}
	}
	drift := numberedText[bool](t, "A#<n>#x").Drift(numberedText[string](t, "A#<n>#x").Text())
	require.Len(t, drift, 2, "%q", drift)
	require.Contains(t, drift[0], "must be moved")
}

// TestDriftOfDamagedTexts checks that an invalid description is the only thing reported.
func TestDriftOfDamagedTexts(t *testing.T) {
	t.Parallel()
	s := first().schema(t)
	text := s.Text()
	for name, damaged := range map[string]string{
		"empty": "", "junk": "junk", "another file": "## Entities\n", "marks of a merge": "<<<<<<< ours\n" + text + "=======\n" + text + ">>>>>>> theirs\n",
		"both sides of a merge": text + text, "a type twice": text + text[len(text)-len("attribute skills NULL|L[S]\n"):], "a half line": text[:len(text)-3],
		"half of it": text[len(text)/2:], "a layout that is none": text + "attribute more L[M=7]\n",
	} {
		drift := s.Drift(damaged)
		require.Len(t, drift, 1, name)
		require.Contains(t, drift[0], "damaged", name)
	}
}

type several struct {
	Firm  string `dynamodbav:"firm"`
	ID    string `dynamodbav:"id"`
	Squad string `dynamodbav:"squad"`
	Grade int    `dynamodbav:"grade"`
}

// TestDriftDoesNotGuessAmongSeveral checks that no rename is assumed if several attributes were
// added and removed.
func TestDriftDoesNotGuessAmongSeveral(t *testing.T) {
	t.Parallel()
	was := with(define[narrowed](spec("worker", workerPK, workerSK))).schema(t).Text()
	drift := with(define[several](spec("worker", workerPK, workerSK))).schema(t).Drift(was)
	require.Len(t, drift, 6, "%q", drift)
	for i, says := range []string{
		"hired of worker is gone:", "level of worker is gone:", "team of worker is gone:", "grade of worker is new,", "squad of worker is new,",
		"where what is new in worker is another name of what is gone",
	} {
		require.Contains(t, drift[i], says)
	}
}

// bucket is in one partition per day. Its sort key keeps the rest of the time.
type (
	bucket struct {
		At time.Time `dynamodbav:"at"`
		ID string    `dynamodbav:"id"`
	}
	lone struct {
		At time.Time `dynamodbav:"at"`
	}
)

// TestSheetOfTimeBuckets checks that a partition key determines only the part of a member that it
// keeps.
func TestSheetOfTimeBuckets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sk    string
		sheet []string
	}{
		"finer":          {"<at:s>#<id>", []string{"| get log", "| query log | table | `PK = LOG#<at:day> AND SK BETWEEN 0000-01-01T00:00:00Z AND 9999-12-31T23:59:59Z$` "}},
		"alike":          {"DAY#<at:day>#<id>", []string{"| query log | table | `PK = LOG#<at:day> AND begins_with(SK, DAY#<at:day>#)` "}},
		"with a literal": {"AT#<at:s>#<id>", []string{"| query log | table | `PK = LOG#<at:day> AND SK BETWEEN AT#0000-01-01T00:00:00Z AND AT#9999-12-31T23:59:59Z$` "}},
	} {
		s := entity.NewSchema(entity.Config{})
		entity.DefineSpec[bucket](s, spec("log", "LOG#<at:day>", c.sk))
		require.NoError(t, s.Err(), name)
		for _, line := range c.sheet {
			require.Contains(t, s.Chart(), line, name)
		}
	}
	s := entity.NewSchema(entity.Config{})
	entity.DefineSpec[lone](s, spec("tick", "LOG#<at:day>", "<at:s>"))
	require.Contains(t, s.Chart(), "| query tick | table | `PK = LOG#<at:day>` ", "a partition holds many")
	s = entity.NewSchema(entity.Config{})
	entity.DefineSpec[lone](s, spec("tick", "LOG#<at:ns>", "<at:s>"))
	require.NotContains(t, s.Chart(), "query tick", "a partition holds one")
}

// TestTextPassesOverWhatIsNeverStored checks that a description omits fields that are never stored.
func TestTextPassesOverWhatIsNeverStored(t *testing.T) {
	t.Parallel()
	type hook struct {
		ID   string `dynamodbav:"id"`
		Call func() `dynamodbav:"call"`
		In   struct {
			Done chan int `dynamodbav:"done"`
			Name string   `dynamodbav:"name"`
		} `dynamodbav:"in"`
		All []func()          `dynamodbav:"all"`
		Any map[string]func() `dynamodbav:"any"`
	}
	s := entity.NewSchema(entity.Config{})
	entity.DefineSpec[hook](s, spec("hook", "H#<id>", "H"))
	require.NoError(t, s.Err())
	text := s.Text()
	require.NotContains(t, text, "call")
	require.Contains(t, text, "\nattribute in M{name S}\nattribute all NULL|L\nattribute any NULL|M\n")
	require.Empty(t, s.Drift(text))
}
