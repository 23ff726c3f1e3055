package check_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testsize"
)

const beyond = "The update expression attempted to update the secondary index key beyond allowed size limits"

func checkIndexKeyNotEmpty(kind, index, name string) string {
	return fmt.Sprintf("One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue "+
		"for a key attribute cannot contain an empty %s value. IndexName: %s, IndexKey: %s", kind, index, name)
}

func newEmptyUpdateError(kind string) string {
	return fmt.Sprintf("One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is "+
		"not supported. The AttributeValue for a key attribute cannot contain an empty %s value.", kind)
}

func errIndexKeyType(index, name, expected, actual string) string {
	return fmt.Sprintf("One or more parameter values were invalid: Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s", name, expected, actual, index)
}

func TestIndexKeys(t *testing.T) {
	t.Parallel()
	_, table := newTable(
		&store.Index{Name: "local", Local: true, Key: key("pk:S", "|", "l:B")},
		&store.Index{Name: "plain", Key: key("g:S", "|", "h:S")},
		&store.Index{Name: "multi", Key: key("a:S", "b:S", "|", "c:S", "d:S")},
	)
	for name, c := range map[string]struct {
		attributes   []value.Attribute
		put, updated string
	}{
		"none":               {nil, "", ""},
		"all right":          {[]value.Attribute{attr("l", octets(1024)), attr("g", text(2048)), attr("h", text(1024))}, "", ""},
		"other type":         {[]value.Attribute{attr("g", number(1))}, errIndexKeyType("plain", "g", "S", "N"), errIndexKeyType("plain", "g", "S", "N")},
		"no scalar":          {[]value.Attribute{attr("h", value.List{})}, errIndexKeyType("plain", "h", "S", "L"), errIndexKeyType("plain", "h", "S", "L")},
		"empty text":         {[]value.Attribute{attr("h", text(0))}, checkIndexKeyNotEmpty("string", "plain", "h"), newEmptyUpdateError("string")},
		"empty bytes":        {[]value.Attribute{attr("l", octets(0))}, checkIndexKeyNotEmpty("binary", "local", "l"), newEmptyUpdateError("binary")},
		"long partition":     {[]value.Attribute{attr("g", text(2049)), attr("h", text(1))}, longHash, beyond},
		"long and not there": {[]value.Attribute{attr("g", text(2049))}, longHash, beyond},
		"long sort":          {[]value.Attribute{attr("h", text(1025))}, longRange, beyond},
		"long local sort":    {[]value.Attribute{attr("l", octets(1025))}, longRange, beyond},
		"longest together":   {[]value.Attribute{attr("a", text(1024)), attr("b", text(1024)), attr("c", text(1023)), attr("d", text(1))}, "", ""},
		"long together": {
			[]value.Attribute{attr("a", text(1024)), attr("b", text(1025))},
			"Aggregate size for HASH key attributes a, b of index multi has exceeded limit 2048 bytes, with actual size 2049 bytes", beyond,
		},
		"long sort together": {
			[]value.Attribute{attr("c", text(512)), attr("d", text(513))},
			"Aggregate size for RANGE key attributes c, d of index multi has exceeded limit 1024 bytes, with actual size 1025 bytes", beyond,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			item := value.MapOf(append(c.attributes, attr("pk", text(1)), attr("sk", number(1)))...)
			requireMessage(t, c.put, check.IndexKeys(table, item))
			err := check.UpdatedIndexKeys(table, item)
			requireMessage(t, c.updated, err)
			require.Equal(t, c.updated == newEmptyUpdateError("string") || c.updated == newEmptyUpdateError("binary"), check.IsEmptyUpdate(err))
			if want := checkIndexKeyNotEmpty("string", "plain", "h"); c.put == want {
				requireMessage(t, want, check.EmptyIndexKeys(table, item))
			}
		})
	}
}

// indexedBy is the attributes of random items, and the types that indexes require.
var indexedBy = []string{"a:S", "b:N", "c:B"}

func randomItem(r *rand.Rand) value.Map {
	item := value.MapOf(attr("pk", text(1)), attr("sk", number(r.Int64N(3))))
	for _, name := range []string{"a", "b", "c"} {
		switch r.IntN(6) {
		case 0, 1:
			item = item.With(name, []value.Value{text(1), number(1), octets(1)}[name[0]-'a'])
		case 2:
			item = item.With(name, []value.Value{text(0), text(3000), octets(0), value.Null{}}[r.IntN(4)])
		}
	}
	return item
}

func randomIndexes(r *rand.Rand) []*store.Index {
	var list []*store.Index
	for i := range 1 + r.IntN(4) {
		name := fmt.Sprintf("%c%d", 'a'+rune(r.IntN(26)), i)
		list = append(list, &store.Index{Name: name, Key: key(indexedBy[r.IntN(3)], "|", indexedBy[r.IntN(3)])})
	}
	return list
}

// The service reports the failing index whose name sorts first, no matter in which order the
// indexes were created.
func TestErrorNamesTheFirstIndex(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	outOfOrder := 0
	for range testsize.Pick(3_000, 20_000, 100_000) {
		indexes := randomIndexes(r)
		_, table := newTable(indexes...)
		item := randomItem(r)
		var first, naive string
		var want error
		for _, ix := range indexes {
			_, alone := newTable(&store.Index{Name: ix.Name, Key: ix.Key})
			err := check.IndexKeys(alone, item)
			if err == nil {
				continue
			}
			if naive == "" {
				naive = ix.Name
			}
			if first == "" || ix.Name < first {
				first, want = ix.Name, err
			}
		}
		require.Equal(t, want, check.IndexKeys(table, item))
		if naive != first {
			outOfOrder++
		}
	}
	require.Positive(t, outOfOrder, "the order in which the indexes were made would have done")
}

// An update is rejected only for what it changed: a value may be older than the index whose key it
// violates.
func TestOnlyUpdatedAttributesAreChecked(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	spared, blamed := 0, 0
	for range testsize.Pick(3_000, 20_000, 100_000) {
		s, table := newTable()
		item := randomItem(r)
		var old value.Map
		if r.IntN(4) > 0 {
			old = randomItem(r).With("sk", item.Get("sk"))
			s.Put(table, old)
		}
		for _, ix := range randomIndexes(r) {
			ix.Projection.Type = "ALL"
			table.AddIndex(ix)
		}
		want := false
		for _, ix := range table.Indexes {
			want = want || indexInError(ix, old, item)
		}
		err := check.UpdatedIndexKeys(table, item)
		require.Equal(t, want, err != nil, "%.300v to %.300v: %v", old, item, err)
		if naive := check.IndexKeys(table, item); naive != nil && err == nil {
			spared++
		}
		if want {
			blamed++
		}
	}
	require.Positive(t, spared, "a check of the whole item would have done")
	require.Positive(t, blamed)
}

// indexInError reports whether an update from old to item itself violates the key of the index.
func indexInError(ix *store.Index, old, item value.Map) bool {
	changed, suits := false, true
	for _, a := range ix.Key.All() {
		v := item.Get(a.Name)
		bad := v != nil && (v.Kind() != a.Kind || v == text(0) || v == octets(0))
		suits = suits && !bad
		if !value.Equal(old.Get(a.Name), v) {
			changed = true
			if bad {
				return true
			}
		}
	}
	return changed && suits && ix.Key.Has("a") && value.Equal(item.Get("a"), text(3000))
}
