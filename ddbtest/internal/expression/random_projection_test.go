package expression_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testsize"
)

func TestRandomProjections(t *testing.T) {
	t.Parallel()
	r := newRandom(t)
	if text, item, different := r.differentProjection(t, testsize.Pick(4_000, 15_000, 200_000), prune); different {
		t.Fatalf("%s takes something else out of %v", text, item)
	}
}

func TestRandomProjectionsFindMutants(t *testing.T) {
	t.Parallel()
	for name, naive := range map[string]func(value.Map, []randomPath) value.Map{
		"whole attributes": wholeAttributes,
		"order of request": inOrderOfRequest,
	} {
		_, _, different := newRandom(t).differentProjection(t, 20_000, naive)
		require.True(t, different, name)
	}
}

// differentProjection searches for a projection that the package applies differently from the test.
func (r *random) differentProjection(t *testing.T, n int, project func(value.Map, []randomPath) value.Map) (text string, item value.Map, different bool) {
	t.Helper()
	something := 0
	for range n {
		item = r.mapping(3)
		r.item = item
		ways := r.apart(1 + r.IntN(4))
		var texts []string
		for _, w := range ways {
			texts = append(texts, w.String())
		}
		text = strings.Join(texts, ", ")
		got := mustProjection(t, text, nil).Apply(item)
		if !project(item, ways).Equal(got) {
			return text, item, true
		}
		if len(got) > 0 {
			something++
		}
	}
	require.Greater(t, something, n/3, "too few projections return anything")
	return "", nil, false
}

// prune walks the whole item and keeps what the paths select.
func prune(item value.Map, ways []randomPath) value.Map {
	pruned, ok := pruneAt(item, nil, ways)
	if !ok {
		return nil
	}
	return pruned.(value.Map)
}

func pruneAt(v value.Value, at randomPath, ways []randomPath) (value.Value, bool) {
	for _, w := range ways {
		if w.String() == at.String() {
			return v, true
		}
	}
	switch v := v.(type) {
	case value.Map:
		var left []value.Attribute
		for _, a := range v {
			if inside, ok := pruneAt(a.Value, append(at[:len(at):len(at)], a.Name), ways); ok {
				left = append(left, value.Attribute{Name: a.Name, Value: inside})
			}
		}
		return value.MapOf(left...), len(left) > 0
	case value.List:
		var left value.List
		for i, element := range v {
			if inside, ok := pruneAt(element, append(at[:len(at):len(at)], i), ways); ok {
				left = append(left, inside)
			}
		}
		return left, len(left) > 0
	}
	return nil, false
}

// wholeAttributes returns every attribute in which a path selects something.
func wholeAttributes(item value.Map, ways []randomPath) value.Map {
	var left []value.Attribute
	for _, a := range prune(item, ways) {
		left = append(left, value.Attribute{Name: a.Name, Value: item.Get(a.Name)})
	}
	return value.MapOf(left...)
}

// inOrderOfRequest returns the elements of a top-level list in the order of the paths.
func inOrderOfRequest(item value.Map, ways []randomPath) value.Map {
	pruned := prune(item, ways)
	for _, a := range pruned {
		if _, ok := a.Value.(value.List); !ok {
			continue
		}
		var elements value.List
		for _, w := range ways {
			if w[0] != a.Name || len(w) == 1 {
				continue
			}
			if part, ok := pruneAt(item, nil, []randomPath{w}); ok {
				elements = append(elements, part.(value.Map)[0].Value.(value.List)...)
			}
		}
		if elements != nil {
			pruned = pruned.With(a.Name, elements)
		}
	}
	return pruned
}
