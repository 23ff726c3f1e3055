package shard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// Keys are the keys and attributes of counters that a table already has. The items keep their other
// attributes. Resize, drain and growth add attributes to them: closed and moves to the shards, and
// shards, form, max, epoch, moved, base, past, grown and asof to the total item. A total item
// without the attribute shards is one that this package has not written yet: its counter has
// Config.Shards shards.
type Keys struct {
	// Shard and Total are the templates of the partition keys, such as "<name>#<shard>" and
	// "<name>#Total". The keys of the total item can never be those of a shard.
	Shard, Total string
	// ShardSort and TotalSort are the templates of the sort keys, if the table has a sort key.
	ShardSort, TotalSort string
	First                int // the number of the first shard
	Width                int // the digits of the number, with leading zeros; 0: no leading zeros

	Count      string // the attribute of a shard that has its value
	TotalCount string // the attribute of the total item that has the last roll-up
	// Updated is the attribute of the shards and of the total item that has the time of the last
	// change, such as 2019-09-30T11:35:53, in UTC. Empty means none. Increments in mode ExactWindow
	// do not change it in the shards, because a repeated request must be the same.
	Updated string
}

// The placeholders of templates.
const (
	fieldName   = "name"
	fieldShard  = "shard"
	fieldNumber = "shard_number" // in compiled templates: package keys reserves the name shard
)

// templates are compiled Keys.
type templates struct {
	schema       *core.Schema
	shard, total []*keys.Template // of the partition key, and of the sort key if there is one
	first        int
}

// compile compiles the templates, and reports all mistakes.
func (k *Keys) compile(s *core.Schema) (*templates, error) {
	var wrong errs.Problems
	k.checkAttributes(&wrong, s)
	if k.First < 0 || k.First > maxFirst || k.Width < 0 || k.Width > 20 {
		wrong.Add("Keys", "First or Width is negative, or First exceeds 1000000000, or Width exceeds 20", "use the number of the first shard, and its digits")
	} else if k.most() < 1 {
		wrong.Add("Keys.First", "it has more digits than Width", "use the number of the first shard, and its digits")
	}
	t := &templates{schema: s, first: k.First}
	t.shard = k.templatesOf(&wrong, s, "Shard", k.Shard, k.ShardSort)
	t.total = k.templatesOf(&wrong, s, "Total", k.Total, k.TotalSort)
	if len(wrong) == 0 {
		t.check(&wrong)
	}
	return t, wrong.Err()
}

// maxFirst is the greatest number of a first shard.
const maxFirst = 1_000_000_000

// most returns how many shards have a number of Width digits.
func (k *Keys) most() int {
	numbers := 1
	for range k.Width {
		if numbers *= 10; numbers >= k.First+maxShards {
			return maxShards
		}
	}
	if k.Width == 0 {
		return maxShards
	}
	return numbers - k.First
}

// checkAttributes checks the names of the attributes.
func (k *Keys) checkAttributes(wrong *errs.Problems, s *core.Schema) {
	names := map[string]string{"Count": k.Count, "TotalCount": k.TotalCount, "Updated": k.Updated}
	for _, field := range []string{"Count", "TotalCount", "Updated"} {
		switch name := names[field]; {
		case name == "" && field != "Updated":
			wrong.Add("Keys."+field, "the attribute has no name", "name the attribute of the stored items")
		case name != "" && libitem.Taken(s, name):
			wrong.Add("Keys."+field, "the table uses the attribute for a key or the time to live", "name another attribute")
		case slices.Contains(ownAttributes, name) && name != attrValue && name != attrTotal:
			wrong.Add("Keys."+field, "this package uses the attribute for something else", "name another attribute")
		}
	}
	if k.Updated != "" && (k.Updated == k.Count || k.Updated == k.TotalCount) {
		wrong.Add("Keys.Updated", "the attribute has a number", "name another attribute, or none")
	}
}

// templatesOf compiles the templates of one kind of items.
func (k *Keys) templatesOf(wrong *errs.Problems, s *core.Schema, field, partition, sort string) (list []*keys.Template) {
	for _, side := range []struct {
		field, text string
		key         core.Attribute
	}{{field, partition, s.Partition}, {field + "Sort", sort, s.Sort}} {
		switch at := "Keys." + side.field; {
		case side.key.Name == "" && side.text != "":
			wrong.Add(at, "the table has no sort key", "leave it empty")
		case side.key.Name != "":
			t, err := k.compileOne(side.text, side.key, s, side.field == field)
			wrong.AddErr(at, err)
			list = append(list, t)
		}
	}
	return list
}

// compileOne compiles a template. The number of a shard is an integer, so that its text consists of
// digits.
func (k *Keys) compileOne(text string, a core.Attribute, s *core.Schema, partition bool) (*keys.Template, error) {
	format := "raw"
	if k.Width > 0 {
		format = fmt.Sprintf("0%d", k.Width)
	}
	number := "<" + fieldNumber + ":" + format + ">"
	if a.Type == keys.N { // it needs no format
		number = "<" + fieldNumber + ">"
	}
	text = strings.ReplaceAll(text, "<"+fieldShard+">", number)
	return keys.Compile(text, keys.Options{
		Type: a.Type, Delimiter: s.Delimiter, Raw: s.Raw, Partition: partition, Formats: s.Formats,
		Kind: func(field string) (keys.Kind, bool) {
			kind, ok := map[string]keys.Kind{fieldName: keys.KindText, fieldNumber: keys.KindUint}[field]
			return kind, ok
		},
	})
}

// check checks that the keys of all items are distinct.
func (t *templates) check(wrong *errs.Problems) {
	const hint = `such as "<name>#<shard>" and "<name>#Total"`
	if !has(t.shard, fieldName) || !has(t.shard, fieldNumber) {
		wrong.Add("Keys.Shard", "the key of a shard needs the placeholders <name> and <shard>", hint)
	}
	if !has(t.total, fieldName) || has(t.total, fieldNumber) {
		wrong.Add("Keys.Total", "the key of the total item needs the placeholder <name>, and has no number of a shard", hint)
	}
	if o, found := keyspace.FindOverlap(keyOf(t.shard), keyOf(t.total)); found && o.Kind == keyspace.SameKey {
		wrong.Add("Keys.Total", "a shard and a total item can have the same key", hint)
	}
}

func has(list []*keys.Template, field string) bool {
	return slices.ContainsFunc(list, func(t *keys.Template) bool {
		return slices.ContainsFunc(t.Fields(), func(f keys.Field) bool { return f.Name == field })
	})
}

func keyOf(list []*keys.Template) keyspace.CompositeKey {
	k := keyspace.CompositeKey{Partition: list[0].Space()}
	if len(list) > 1 {
		k.Sort = list[1].Space()
	}
	return k
}

func (t *templates) totalKey(name string) (op.Item, error) { return t.render(t.total, name, 0) }

func (t *templates) shardKey(name string, i int) (op.Item, error) {
	return t.render(t.shard, name, uint64(t.first+i))
}

// render returns the key of an item.
func (t *templates) render(list []*keys.Template, name string, shard uint64) (op.Item, error) {
	key := op.Item{}
	for i, a := range []core.Attribute{t.schema.Partition, t.schema.Sort}[:len(list)] {
		var vals []keys.Value
		for _, f := range list[i].Fields() {
			if f.Name == fieldName {
				vals = append(vals, keys.Text(name))
			} else {
				vals = append(vals, keys.Uint(shard))
			}
		}
		text, err := list[i].Render(vals...)
		if err != nil {
			return nil, errs.Wrap("", err)
		}
		key[a.Name] = core.KeyValue(a.Type, text)
	}
	return key, nil
}
