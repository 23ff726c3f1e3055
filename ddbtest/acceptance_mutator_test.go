package ddbtest_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// mutator creates requests by changing others.
type mutator struct {
	*rand.Rand
	requests []request
	nodes    []any    // of all requests' bodies
	words    []string // of all their strings
}

func newMutator(r *rand.Rand, requests []request) *mutator {
	m := &mutator{Rand: r, requests: requests}
	for _, request := range requests {
		m.collect(decoded(request.body))
	}
	for _, text := range []string{
		"null", "true", "0", "-1", "1.5", "1e999", `""`, `" "`, `"\u0000"`, "[]", "{}", "[[]]", `{"S":""}`, `{"N":"0"}`, `{"NULL":true}`, `{"L":[]}`, `{"M":{}}`,
		`{"SS":["x"]}`, `{"NS":["1","2"]}`, `{"B":""}`, `{"B":"AA=="}`, `"rows"`, `"local"`, `"multi"`, `"SET"`, `"("`, `":n"`, `"#n"`,
	} {
		m.nodes = append(m.nodes, decoded([]byte(text)))
	}
	return m
}

func decoded(body []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	_ = d.Decode(&v)
	return v
}

// collect collects the nodes of a tree.
func (m *mutator) collect(v any) {
	m.nodes = append(m.nodes, v)
	switch v := v.(type) {
	case string:
		m.words = append(m.words, strings.Fields(v)...)
	case []any:
		for _, element := range v {
			m.collect(element)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			m.collect(v[name])
		}
	}
}

// next returns a new request.
func (m *mutator) next() (target string, body []byte) {
	of := m.requests[m.IntN(len(m.requests))]
	if m.IntN(20) == 0 {
		of.target = m.requests[m.IntN(len(m.requests))].target
	}
	v := decoded(of.body)
	for range 1 + m.IntN(3) {
		v = m.mutate(v)
	}
	body, _ = json.Marshal(v)
	return of.target, body
}

// mutate changes one node of a tree, more likely a deep one.
func (m *mutator) mutate(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 && m.IntN(8) > 0 {
			return m.mutateMember(v)
		}
	case []any:
		if len(v) > 0 && m.IntN(8) > 0 {
			list := slices.Clone(v)
			i := m.IntN(len(list))
			if m.IntN(6) == 0 {
				return append(list, list[i])
			}
			list[i] = m.mutate(list[i])
			return list
		}
	case string:
		if words := strings.Fields(v); len(words) > 1 && m.IntN(4) > 0 {
			words[m.IntN(len(words))] = m.words[m.IntN(len(m.words))]
			return strings.Join(words, " ")
		}
	}
	return m.nodes[m.IntN(len(m.nodes))]
}

func (m *mutator) mutateMember(v map[string]any) map[string]any {
	changed := maps.Clone(v)
	name := slices.Sorted(maps.Keys(changed))[m.IntN(len(changed))]
	switch m.IntN(10) {
	case 0:
		delete(changed, name)
	case 1:
		changed[m.words[m.IntN(len(m.words))]] = changed[name]
	default:
		changed[name] = m.mutate(changed[name])
	}
	return changed
}
