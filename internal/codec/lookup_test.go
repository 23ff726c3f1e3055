package codec

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/testrand"
)

// likeNames are names of one hash: they have the same length and the same bytes at both ends.
var likeNames = []string{"the_first_name_is_of_all", "the_first_aged_is_of_all", "the_first_days_is_of_all"}

// A lookup distinguishes names of one hash.
func TestLookupOfLikeNames(t *testing.T) {
	t.Parallel()
	type T struct {
		Name string `dynamodbav:"the_first_name_is_of_all"`
		Age  string `dynamodbav:"the_first_aged_is_of_all"`
		Nest struct {
			Day string `dynamodbav:"the_first_days_is_of_all"`
		}
	}
	for _, name := range likeNames[1:] {
		require.Equal(t, itemjson.NameOf(likeNames[0]).Hash, itemjson.NameOf(name).Hash)
	}
	s, issues := Compile(reflect.TypeFor[T]())
	require.Empty(t, issues)
	item := scan(t, []byte(`{"the_first_aged_is_of_all":{"S":"a"},"the_first_days_is_of_all":{"S":"unknown"},"Nest":{"M":{`+
		`"the_first_days_is_of_all":{"S":"d"},"the_first_aged_is_of_all":{"S":"unknown"}}},"the_first_name_is_of_all":{"S":"n"}}`))
	var got T
	require.NoError(t, s.DecodeJSON(item, PtrTo(&got), nil, NewArena(0)))
	want := T{Name: "n", Age: "a"}
	want.Nest.Day = "d"
	require.Equal(t, want, got)
	require.Equal(t, "the_first_aged_is_of_all", s.ByName("the_first_aged_is_of_all").Name)
	require.Nil(t, s.ByName("the_first_days_is_of_all"))
}

// A lookup finds the members that the item itself finds by name.
func TestRandomLookups(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	type T struct {
		Short string `dynamodbav:"a"`
		Long  string `dynamodbav:"the_first_name_is_of_all"`
	}
	s, _ := Compile(reflect.TypeFor[T]())
	further := append([]string{"PK", "SK", "a", "sixteen_or_more_bytes"}, likeNames[1:]...)
	lookup := s.Lookup(further...)
	known := append([]string{"a", likeNames[0]}, further...)
	names := append([]string{"none", "", `\u0050K`}, known...)
	for range 2000 {
		var members []string
		for range r.IntN(12) {
			members = append(members, `"`+names[r.IntN(len(names))]+`":{"L":[{"N":"1"}]}`)
		}
		item := scan(t, []byte("{"+strings.Join(members, ",")+"}"))
		found := make([]uint32, lookup.Len())
		lookup.Members(item, found)
		for _, name := range known {
			require.Equal(t, item.Find(itemjson.NameOf(name)), int(found[lookup.Position(name)])-1, "%s in %q", name, members)
		}
	}
}
