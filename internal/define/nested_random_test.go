package define_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testsize"
)

// typeKey is the place of the one role in a random type.
type typeKey uint8

const (
	own      typeKey = iota // a field of the entity, direct or promoted
	inside                  // a field inside a part, which is an issue
	unstored                // a field that is not stored
	membersOf
)

// parts generates random struct types with one role.
type parts struct {
	*rand.Rand
	names int // the number of names used; attribute names are unique
}

// entity generates an entity type and returns the place of its role.
func (p *parts) entity() (reflect.Type, typeKey) {
	t, at := p.structType(1+p.IntN(4), own)
	const here = "github.com/trestledb/trestle/internal/define_test"
	fields := []reflect.StructField{
		{Name: "_", PkgPath: here, Type: markers.Key, Tag: `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`},
		{Name: "ID", Type: reflect.TypeFor[string](), Tag: `dynamodbav:"id"`},
	}
	for i := range t.NumField() {
		fields = append(fields, t.Field(i))
	}
	return reflect.StructOf(fields), at
}

// structType generates a struct with the role at the given depth. The place of its own fields is
// around.
func (p *parts) structType(depth int, around typeKey) (reflect.Type, typeKey) {
	fields := make([]reflect.StructField, 1+p.IntN(4))
	for i := range fields {
		fields[i] = p.without(depth - 1)
	}
	var at typeKey
	chosen := p.IntN(len(fields))
	fields[chosen], at = p.with(depth-1, around)
	return reflect.StructOf(fields), at
}

func (p *parts) name() string {
	p.names++
	return fmt.Sprintf("F%d", p.names)
}

// with generates the field that has the role or leads to it.
func (p *parts) with(depth int, around typeKey) (reflect.StructField, typeKey) {
	f := reflect.StructField{Name: p.name()}
	if depth <= 0 {
		f.Type, f.Tag = reflect.TypeFor[int64](), `dynamodbav:"version" entity:"version"`
		return f, around
	}
	f.Anonymous = p.IntN(2) == 0
	switch p.IntN(4) {
	case 0:
		f.Tag = reflect.StructTag(fmt.Sprintf(`dynamodbav:%q`, f.Name))
	case 1:
		f.Tag = `dynamodbav:",omitempty"`
	}
	switch {
	case p.IntN(8) == 0:
		f.Tag, around = `dynamodbav:"-"`, unstored
	case around == own && (!f.Anonymous || f.Tag != "" && f.Tag != `dynamodbav:",omitempty"`):
		around = inside
	}
	t, at := p.structType(depth, around)
	switch {
	case f.Anonymous && p.IntN(2) == 0:
		f.Type = reflect.PointerTo(t)
	case f.Anonymous:
		f.Type = t
	default:
		f.Type = p.container(t)
	}
	if f.Tag == `dynamodbav:",omitempty"` && !f.Anonymous {
		f.Type = reflect.PointerTo(f.Type)
	}
	return f, at
}

// container wraps a type in pointers, slices, arrays or maps.
func (p *parts) container(t reflect.Type) reflect.Type {
	for range p.IntN(4) {
		switch p.IntN(4) {
		case 0:
			t = reflect.PointerTo(t)
		case 1:
			t = reflect.SliceOf(t)
		case 2:
			t = reflect.ArrayOf(1+p.IntN(2), t)
		default:
			t = reflect.MapOf(reflect.TypeFor[string](), t)
		}
	}
	return t
}

// without generates a field whose roles do not count.
func (p *parts) without(depth int) reflect.StructField {
	f := reflect.StructField{Name: p.name()}
	switch n := p.IntN(4); {
	case n == 0:
		f.Type = p.container(reflect.TypeFor[Opaque]())
	case n == 1 && depth > 0:
		f.Type = p.container(reflect.StructOf([]reflect.StructField{p.without(depth - 1), p.without(depth - 1)}))
	case n == 2:
		f.Type, f.Tag = p.container(reflect.TypeFor[Tally]()), `dynamodbav:"-"`
	default:
		f.Type = p.container(reflect.TypeFor[string]())
	}
	return f
}

// TestNestedStructs_random checks that a role works or is reported, at every place.
func TestNestedStructs_random(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	p := &parts{Rand: rand.New(rand.NewPCG(seed, 3))}
	var met [membersOf]int
	caught := 0 // by the control, which checks only the entity's own fields
	for range testsize.Pick(3000, 5_000, 20_000) {
		typ, at := p.entity()
		s, issues := definition{types: []reflect.Type{typ}}.compile()
		met[at]++
		switch at {
		case own:
			require.Empty(t, issues, "%v\n%s", typ, textOf(issues))
			require.NotNil(t, s.Plans[0].Version, typ)
		case inside:
			require.Len(t, issues, 1, "%v\n%s", typ, textOf(issues))
			require.Equal(t, "entity", issues[0].Tag)
			if !roleAmong(typ) {
				caught++
			}
		case unstored:
			require.Empty(t, issues, "%v\n%s", typ, textOf(issues))
			require.Nil(t, s.Plans[0].Version, typ)
		}
	}
	t.Logf("own, inside, not stored: %d; the control was wrong %d times", met, caught)
	for at, n := range met {
		require.Greater(t, n, 50, at)
	}
	require.Greater(t, caught, 50, "the control finds the role among the entity's own fields")
}

// roleAmong reports whether one of the type's own fields has a role.
func roleAmong(t reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("entity") != "" {
			return true
		}
	}
	return false
}
