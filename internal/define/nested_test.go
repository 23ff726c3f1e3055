package define_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The parts of entities.
type (
	// Audit is valid: it has attribute names only.
	Audit struct {
		By string    `dynamodbav:"by"`
		At time.Time `dynamodbav:"at,omitempty"`
	}
	// Tally has a role.
	Tally struct {
		N int64 `dynamodbav:"n" entity:"version"`
	}
	// Deep contains a role at a greater depth.
	Deep struct {
		Name string             `dynamodbav:"name"`
		Map  map[string]*Nested `dynamodbav:"map"`
	}
	// Nested embeds a struct with a role.
	Nested struct{ Tally }
	// Linked refers to itself and to a role.
	Linked struct {
		Next *Linked `dynamodbav:"next"`
		All  []Tally `dynamodbav:"all"`
	}
	// Box has a value of any type.
	Box[T any] struct {
		Value T `dynamodbav:"value"`
	}
	// Opaque marshals itself as text, so its fields are not stored.
	Opaque struct {
		N int64 `entity:"version"`
	}
	// ByPointer marshals itself as text too, by methods with a pointer receiver.
	ByPointer struct {
		N int64 `dynamodbav:"n" entity:"version"`
	}
	// Stamps is for embedding.
	Stamps struct {
		Version int64     `dynamodbav:"version" entity:"version"`
		Created time.Time `dynamodbav:"created_at" entity:"created"`
	}
)

func (Opaque) MarshalText() ([]byte, error)     { return []byte("x"), nil }
func (*Opaque) UnmarshalText([]byte) error      { return nil }
func (*ByPointer) MarshalText() ([]byte, error) { return []byte("x"), nil }
func (*ByPointer) UnmarshalText([]byte) error   { return nil }

// entityWith returns an entity type with one more field.
func entityWith(f reflect.StructField) reflect.Type {
	const here = "github.com/trestledb/trestle/internal/define_test"
	return reflect.StructOf([]reflect.StructField{
		{Name: "_", PkgPath: here, Type: markers.Key, Tag: `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`},
		{Name: "ID", Type: reflect.TypeFor[string](), Tag: `dynamodbav:"id"`},
		f,
	})
}

func part[T any](tag reflect.StructTag) reflect.StructField {
	return reflect.StructField{Name: "Part", Type: reflect.TypeFor[T](), Tag: tag}
}

func embeds[T any](tag reflect.StructTag) reflect.StructField {
	t := reflect.TypeFor[T]()
	return reflect.StructField{Name: strings.ToUpper(t.Name()[:1]) + t.Name()[1:], Type: t, Tag: tag, Anonymous: true}
}

// TestNestedStructs_roles checks that roles and markers are valid only on the entity's own and
// promoted fields.
func TestNestedStructs_roles(t *testing.T) {
	t.Parallel()
	type misspelled struct {
		N int64 `dynamodbav:"n" entitty:"version"`
	}
	type unknown struct {
		N int64 `dynamodbav:"n" entity:"versino"`
	}
	type unstored struct {
		N int64 `dynamodbav:"-" entity:"version"`
	}
	type named struct {
		Tally `dynamodbav:"counted"`
	}
	type hidden struct {
		Tally `dynamodbav:"-"`
	}
	type promoting struct {
		Tally `dynamodbav:",omitempty"`
	}
	malformed := reflect.StructOf([]reflect.StructField{{Name: "N", Type: reflect.TypeFor[int64](), Tag: `dynamodbav:"n" entity: "version"`}})
	type pointing struct{ *Tally }
	for _, c := range []struct {
		name  string
		field reflect.StructField
		at    []string // the fields whose tag has issues
	}{
		{"none", part[Audit](""), nil},
		{"in a struct", part[Tally](""), []string{"Part.N"}},
		{"in a struct with a name", part[Tally](`dynamodbav:"part"`), []string{"Part.N"}},
		{"behind pointers", part[**Tally](""), []string{"Part.N"}},
		{"in a list", part[[]Tally](""), []string{"Part.N"}},
		{"in an array of pointers", part[[2]*Tally](""), []string{"Part.N"}},
		{"in a map of lists", part[map[string][]Tally](""), []string{"Part.N"}},
		{"embedded in a part", part[Nested](""), []string{"Part.Tally.N"}},
		{"embedded in a part with a tag, not a name", part[promoting](""), []string{"Part.Tally.N"}},
		{"embedded in a part behind a pointer", part[pointing](""), []string{"Part.Tally.N"}},
		{"further down", part[Deep](""), []string{"Part.Map.Tally.N"}},
		{"in a recursive type", part[Linked](""), []string{"Part.All.N"}},
		{"in a generic type", part[Box[Box[[]Tally]]](""), []string{"Part.Value.Value.N"}},
		{"embedded with a name", embeds[Tally](`dynamodbav:"counted"`), []string{"Tally.N"}},
		{"embedded with a name, inside what is embedded", embeds[named](""), []string{"Named.Tally.N"}},
		{"an unknown role", part[unknown](""), []string{"Part.N"}},
		{"a misspelled tag", part[misspelled](""), []string{"Part.N"}},
		{"a malformed tag", reflect.StructField{Name: "Part", Type: malformed}, []string{"Part.N", "Part.N"}},
		{"on a field that is not stored", part[unstored](""), []string{"Part.N"}},
		{"an entity", part[Company](""), []string{"Part"}},
		{"entities", part[map[string][]*Company](""), []string{"Part"}},
		{"an entity in a part", part[Box[Company]](""), []string{"Part.Value"}},
		{"an entity that a part embeds", part[struct{ Company }](""), []string{"Part.Company"}},

		{"embedded", embeds[Stamps](""), nil},
		{"embedded, with a tag and no name", embeds[Stamps](`dynamodbav:",omitempty"`), nil},
		{"embedded twice over", embeds[promoting](""), nil},
		{"not stored", part[[]Tally](`dynamodbav:"-"`), nil},
		{"embedded and not stored", embeds[Tally](`dynamodbav:"-"`), nil},
		{"embedded and not stored, inside what is embedded", embeds[hidden](""), nil},
		{"a type that marshals itself", part[Opaque](""), nil},
		{"lists of a type that marshals itself", part[[]*Opaque](""), nil},
		{"a type that marshals itself by its address", part[[]ByPointer](""), nil},
		{"a type that marshals itself by its address, in a map", part[map[string]ByPointer](""), nil},
		{"anything", part[any](""), nil},
		{"an entity that is not stored", part[[]Company](`dynamodbav:"-"`), nil},
	} {
		d := with()
		d.types = []reflect.Type{entityWith(c.field)}
		_, issues := d.compile()
		var at []string
		for _, f := range issues {
			at = append(at, f.Field)
			require.NotEmpty(t, f.Hint, c.name)
		}
		require.Equal(t, c.at, at, "%s\n%s", c.name, textOf(issues))
	}
}

// TestNestedStructs_reportedOnce checks that a part's type with an issue is reported once, at its
// first place.
func TestNestedStructs_reportedOnce(t *testing.T) {
	t.Parallel()
	type Order struct {
		_     Key     `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
		ID    string  `dynamodbav:"id"`
		First Tally   `dynamodbav:"first"`
		Rest  []Tally `dynamodbav:"rest"`
		More  Nested  `dynamodbav:"more"`
	}
	_, issues := with(Order{}).compile()
	require.Len(t, issues, 1, textOf(issues))
	require.Equal(t, "First.N", issues[0].Field)
}

// TestNestedStructs_otherTags checks that tags of other packages are not reported as misspellings.
func TestNestedStructs_otherTags(t *testing.T) {
	t.Parallel()
	type Order struct {
		_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
		ID string `dynamodbav:"id" json:"id,omitempty" identity:"yes" entries:"2" dynamo:"ID,hash"`
	}
	_, issues := with(Order{}).compile()
	require.Empty(t, issues, textOf(issues))
}
