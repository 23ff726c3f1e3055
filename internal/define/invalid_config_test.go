package define_test

import (
	"strconv"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

func invalidConfigs() []invalidCase {
	config := func(c trestle.Config) definition { return definition{config: c} }
	attrs := func(names ...string) (as []core.Attribute) {
		for _, n := range names {
			as = append(as, core.Attribute{Name: n})
		}
		return as
	}
	local := func(n int) (xs []trestle.IndexConfig) {
		for i := range n {
			xs = append(xs, trestle.IndexConfig{Name: "LSI" + strconv.Itoa(i), Kind: trestle.LocalIndex})
		}
		return xs
	}
	return []invalidCase{
		{"one attribute for both halves", 1, config(trestle.Config{Sort: attribute("PK", "")})},
		{"a sort key and none", 1, config(trestle.Config{Sort: attribute("SK", ""), NoSort: true})},
		{"an index with a sort key and none", 1, config(trestle.Config{Indexes: []trestle.IndexConfig{{Name: "flat", NoSort: true, Sort: attrs("at")}}})},
		{"a tenant index that the table does not have", 1, config(trestle.Config{TenantIndex: "tenants", Indexes: []trestle.IndexConfig{{Name: "GSI1"}}})},
		{"a local index as tenant index", 1, config(trestle.Config{TenantIndex: "local", Indexes: []trestle.IndexConfig{{Name: "local", Kind: trestle.LocalIndex}}})},
		{"a tenant index with two partition key attributes", 1, config(trestle.Config{TenantIndex: "wide", Indexes: []trestle.IndexConfig{{Name: "wide", Partition: attrs("a", "b")}}})},
		{"a tenant index sorted by numbers", 1, config(trestle.Config{TenantIndex: "one", Indexes: []trestle.IndexConfig{{Name: "one", Sort: []core.Attribute{{Name: "n", Type: keys.N}}}}})},
		{"a tenant index with an attribute of another key", 1, config(trestle.Config{TenantIndex: "one", Indexes: []trestle.IndexConfig{{Name: "one", Partition: attrs("SK"), NoSort: true}}})},
		{"a type that no key has", 1, config(trestle.Config{Partition: attribute("PK", "BOOL")})},
		{"a name that is too long", 1, config(trestle.Config{Partition: attribute(strings.Repeat("k", 256), keys.S)})},
		{"names of indexes", 4, config(trestle.Config{Indexes: []trestle.IndexConfig{{Name: ""}, {Name: "by"}, {Name: "by status"}, {Name: "GSI1"}, {Name: "GSI1"}}})},
		{"six local indexes", 1, config(trestle.Config{Indexes: local(6)})},
		{"a local index of a table without a sort key", 1, config(trestle.Config{NoSort: true, Indexes: local(1)})},
		{"a local index with keys of its own", 2, config(trestle.Config{Indexes: []trestle.IndexConfig{{Name: "local", Kind: trestle.LocalIndex, Partition: attrs("other"), Sort: attrs("a", "b")}}})},
		{"an unknown kind of index", 1, config(trestle.Config{Indexes: []trestle.IndexConfig{{Name: "new", Kind: 200}}})},
		{"five attributes on a side", 1, config(trestle.Config{Indexes: []trestle.IndexConfig{{Name: "wide", Partition: attrs("a", "b", "c", "d", "e")}}})},
		{"an attribute twice in one index", 1, config(trestle.Config{Indexes: []trestle.IndexConfig{{Name: "twice", Partition: attrs("a", "b"), Sort: attrs("a")}}})},
		{"an attribute of two types", 1, config(trestle.Config{Indexes: []trestle.IndexConfig{
			{Name: "one", Partition: attrs("shop"), Sort: attrs("number")},
			{Name: "two", Partition: attrs("shop"), Sort: []core.Attribute{{Name: "number", Type: keys.N}}},
		}})},
		{"projections", 2, config(trestle.Config{Indexes: []trestle.IndexConfig{{Name: "both", KeysOnly: true, Include: []string{"a", "a"}}}})},
		{"more included attributes than the service takes", 1, config(trestle.Config{Indexes: []trestle.IndexConfig{{Name: "much", Include: numbered(101)}}})},
		{"attributes of the library's own", 3, config(trestle.Config{TypeAttribute: "PK", WriteID: "same", TTL: "same", Indexes: []trestle.IndexConfig{{Name: "one", Partition: attrs("SK"), Sort: attrs("PK")}}, Sort: attribute("same", "")})},
		{"a time to live as a text of an index", 1, config(trestle.Config{TTL: "ends", Indexes: []trestle.IndexConfig{{Name: "one", Partition: attrs("ends"), NoSort: true}}})},
		{"time to live switched off", 1, config(trestle.Config{TTL: trestle.None})},
		{"a delimiter of two characters", 1, config(trestle.Config{Delimiter: "::"})},
		{"a delimiter that is a letter", 1, config(trestle.Config{Delimiter: "x"})},
		{"formats", 2, config(trestle.Config{Formats: map[string]keys.Format{"day": layout("2006-01-02"), "half": {}}})},
	}
}

func numbered(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = "a" + strconv.Itoa(i)
	}
	return names
}
