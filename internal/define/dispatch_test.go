package define_test

import (
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
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

type item = map[string]types.AttributeValue

func TestPlanOf_byTypeAttribute(t *testing.T) {
	t.Parallel()
	s := compiled(t, trestle.Config{Indexes: []trestle.IndexConfig{{Name: "GSI1"}}}, Company{}, Employee{})
	text := func(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
	require.Equal(t, s.Plans[1], s.PlanOf(core.NewRow(item{"_type": text("employee"), "PK": text("COM#a"), "SK": text("#METADATA#a")})))
	require.Nil(t, s.PlanOf(core.NewRow(item{"_type": text("later")})), "a type added later")
	require.Nil(t, s.PlanOf(core.NewRow(item{"_type": &types.AttributeValueMemberN{Value: "1"}})), "no text")
	require.Equal(t, s.Plans[1], s.PlanOf(core.NewRow(item{"PK": text("COM#a"), "SK": text("EMP#a")})), "no type: its key says it")
	require.Nil(t, s.PlanOf(core.NewRow(item{"PK": text("COM#a"), "SK": text("ELSE#a")})), "no type, and a key of none")
}

func TestPlanOf_byKey(t *testing.T) {
	t.Parallel()
	d := tournament()
	s, issues := d.compile()
	require.Empty(t, issues)
	text := func(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
	of := func(sort types.AttributeValue) *core.Plan {
		return s.PlanOf(core.NewRow(item{"partitionKey": text("983d39a3-bdd6-4b61-88d5-58595d555b81"), "sortKey": sort}))
	}
	require.Equal(t, "Team", of(text("team-t1")).Name)
	require.Equal(t, "Team", of(text("team-983d39a3-bdd6")).Name)
	require.Equal(t, "Details", of(text("tournament-details")).Name)
	require.Nil(t, of(text("referee-r1")))
	require.Nil(t, of(text("team-")))
	require.Nil(t, of(text("tournament-details-")))
	require.Nil(t, of(&types.AttributeValueMemberB{Value: []byte("team-t1")}))
	require.Nil(t, s.PlanOf(core.NewRow(item{"partitionKey": text("x")})))
	require.Nil(t, s.PlanOf(core.NewRow(item{"partitionKey": text("$Uguard"), "sortKey": text("team-t1")})), "the library's own item")
}

// Parts has one field for each way of encoding.
type Parts struct {
	A string    `dynamodbav:"a"`
	B string    `dynamodbav:"b"`
	N int64     `dynamodbav:"n"`
	T time.Time `dynamodbav:"t"`
	F bool      `dynamodbav:"f"`
}

// schemas generates random schemas whose types only their keys can identify.
type schemas struct{ *rand.Rand }

func (r schemas) pick(from ...string) string { return from[r.IntN(len(from))] }

func (r schemas) template() string {
	text := r.pick("", "A#", "A#", "AB#", "A#B#", "p#", "ph#", "p", "*")
	parts := r.IntN(3)
	if text == "" {
		parts = max(1, parts)
	}
	for i := range parts {
		if i > 0 {
			text += r.pick("#", "#", "#X#", "#B#")
		} else if text != "" && !strings.HasSuffix(text, "#") {
			text += r.pick("", "#")
		}
		text += r.pick("<a>", "<b>", "<a>", "<b:lower>", "<n:03>", "<n:ord>", "<t:day>", "<t:s>", "<f>")
	}
	if parts > 0 {
		text += r.pick("", "", "", "#X", "#Total")
	}
	return text
}

func (r schemas) schema() definition {
	d := definition{config: trestle.Config{TypeAttribute: trestle.None, Raw: r.IntN(4) == 0}}
	for range 2 + r.IntN(3) {
		d.types = append(d.types, reflect.TypeFor[Parts]())
	}
	return d
}

// compile is like definition.compile, for types of one Go type with random keys.
func (r schemas) compile(d definition) (*core.Schema, []define.Issue) {
	s, issues := define.Schema(d.config)
	partition := r.template()
	for i, t := range d.types {
		if r.IntN(3) == 0 {
			partition = r.template()
		}
		plan, more := define.Compile(s, t, markers, &trestle.Spec{
			Type: fmt.Sprint("t", i), Key: trestle.KeySpec{PK: partition, SK: r.template()},
		})
		issues = append(issues, more...)
		s.Add(plan)
	}
	return s, issues
}

func (r schemas) text() string {
	alphabet := []rune("aABpX#$ !h\x00\uFFFD\U0010FFFF")
	var b strings.Builder
	for range 1 + r.IntN(5) {
		b.WriteRune(alphabet[r.IntN(len(alphabet))])
	}
	if r.IntN(3) == 0 {
		return r.pick("Total", "X", "A#", "A", "B", "x#X", "111")
	}
	return b.String()
}

// item renders the key of a random entity. It returns false if the values cannot be rendered.
func (r schemas) item(p *core.Plan) (item, bool) {
	v := &Parts{A: r.text(), B: r.text(), N: r.Int64N(1000), T: time.Unix(r.Int64N(4e9), 0), F: r.IntN(2) == 0}
	made := item{}
	for a := range p.Table.Attributes() {
		var vals []keys.Value
		for _, m := range a.Members {
			val, err := m.Key(codec.PtrTo(v))
			if err != nil {
				return nil, false
			}
			vals = append(vals, val)
		}
		av, err := a.Render(vals)
		if err != nil {
			return nil, false
		}
		made[a.Name] = av
	}
	return made, true
}

// naively returns the first type whose literals are prefixes of the key.
func naively(s *core.Schema, i item) *core.Plan {
	for _, p := range s.Plans {
		fits := true
		for a := range p.Table.Attributes() {
			literal, _, _ := strings.Cut(a.Template.String(), "<")
			text, _ := core.KeyText(a.Type, i[a.Name])
			fits = fits && strings.HasPrefix(text, literal)
		}
		if fits {
			return p
		}
	}
	return nil
}

// anyOverlap reports whether two types of the table clash. It uses keyspace.FindOverlap without the
// prefix check of Validate.
func anyOverlap(s *core.Schema) bool {
	pair := func(p *core.Plan) keyspace.CompositeKey {
		return keyspace.CompositeKey{Partition: p.Table.Partition[0].Template.Space(), Sort: p.Table.Sort[0].Template.Space()}
	}
	for j := range s.Plans {
		for i := range j {
			if _, found := keyspace.FindOverlap(pair(s.Plans[i]), pair(s.Plans[j])); found {
				return true
			}
		}
	}
	return false
}

// TestPlanOf_random checks that each key leads to the type that rendered it, in every schema
// without issues from Validate. Negative controls: the test fails if literal prefixes determine the
// type, and if the issues of Validate are ignored.
func TestPlanOf_random(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := schemas{testrand.New(t)}
	var accepted, refused, keysTried, naiveWrong, refusedWrong int
	// The rarer control fails for one of 50 schemas at least. It may need more schemas than the
	// small size.
	size := testsize.Pick(200, 700, 10_000)
	for accepted < size || (naiveWrong == 0 || refusedWrong == 0) && accepted < size+700 {
		s, issues := r.compile(r.schema())
		if len(issues) > 0 {
			continue // for example, a raw template with text after a string placeholder
		}
		clash := len(define.Validate(s)) > 0
		require.Equal(t, anyOverlap(s), clash, "Validate agrees with the keys\n%s", describe(s))
		if clash {
			refused++
		} else {
			accepted++
		}
		for range 8 {
			p := s.Plans[r.IntN(len(s.Plans))]
			key, ok := r.item(p)
			if !ok {
				continue
			}
			keysTried++
			switch {
			case clash && s.PlanOf(core.NewRow(key)) != p:
				refusedWrong++
			case !clash:
				require.Same(t, p, s.PlanOf(core.NewRow(key)), "%s", describe(s))
				if naively(s, key) != p {
					naiveWrong++
				}
			}
		}
	}
	t.Logf("%d schemas accepted, %d refused, %d keys; wrong: %d by literals, %d in refused schemas", accepted, refused, keysTried, naiveWrong, refusedWrong)
	require.Positive(t, naiveWrong, "the naive dispatch is never wrong: the test proves nothing")
	require.Positive(t, refusedWrong, "refused schemas are never wrong: Validate proves nothing")
	require.Greater(t, refused, accepted/10)
}
