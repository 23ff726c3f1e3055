package codec

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// compile finds the fields of a struct type by Go's rules for embedded structs. Like
// attributevalue, it prefers a field named by its tag among fields of the same name and depth.
func (b builder) compile(t reflect.Type, address bool) *Struct {
	s := &Struct{Type: t}
	c := collector{builder: b, into: s}
	c.collect(t, address)
	s.fields = c.visible()
	s.byName = make(map[string]*Field, len(s.fields))
	for _, f := range s.fields {
		s.byName[f.Name] = f
	}
	return s
}

// level is an embedded struct type whose fields are still to be collected, and its path.
type level struct {
	t       reflect.Type
	goName  string
	index   []int
	offset  uintptr
	leaf    []int
	hops    []hop
	address bool
}

// candidate is a field before the embedding rules apply.
type candidate struct {
	*Field
	tagged bool
	twice  bool // its struct type is embedded twice at this depth
}

type collector struct {
	builder
	into  *Struct
	found []candidate
}

func (c *collector) add(index []int, f Issue) {
	c.into.issues = append(c.into.issues, indexedIssue{index, f})
}

// collect visits the embedded structs breadth first, each type once.
func (c *collector) collect(t reflect.Type, address bool) {
	next := []level{{t: t, address: address}}
	visited := map[reflect.Type]bool{}
	for len(next) > 0 {
		current := next
		next = nil
		count := map[reflect.Type]int{}
		for _, l := range current {
			count[l.t]++
		}
		for _, l := range current {
			if visited[l.t] {
				continue
			}
			visited[l.t] = true
			next = append(next, c.level(l, count[l.t] > 1)...)
		}
	}
}

// level collects the fields of one struct and returns the structs embedded in it.
func (c *collector) level(l level, twice bool) (embedded []level) {
	for i := range l.t.NumField() {
		sf := l.t.Field(i)
		if !sf.IsExported() && !sf.Anonymous {
			continue
		}
		tag, issues := parseTag(sf.Tag)
		goName := l.goName + sf.Name
		index := l.step(sf).index
		for _, f := range issues {
			f.Field = goName
			c.add(index, f)
		}
		if tag.ignore {
			continue
		}
		c.checkSeparators(&tag, sf, goName, index)
		base := sf.Type
		if base.Kind() == reflect.Pointer && base.Name() == "" {
			base = base.Elem()
		}
		if reason := embeddingError(sf, base, tag); reason != "" {
			c.add(index, Issue{Field: goName, Tag: sf.Tag.Get(TagKey), Reason: reason, Hint: `tag it "-", or export the type`})
			continue
		}
		if sf.Anonymous && tag.name == "" && base.Kind() == reflect.Struct {
			embedded = append(embedded, c.embed(l, sf, base, goName)...)
			continue
		}
		f := c.field(l, sf, tag, goName)
		c.found = append(c.found, candidate{Field: f, tagged: tag.name != "", twice: twice})
	}
	return embedded
}

// embeddingError returns the reason why an embedded field of an unexported type cannot be stored or
// read, or "".
func embeddingError(sf reflect.StructField, base reflect.Type, t fieldTag) string {
	switch {
	case sf.IsExported():
		return ""
	case base.Kind() != reflect.Struct:
		return "an embedded value of an unexported non-struct type cannot be stored"
	case sf.Type.Kind() == reflect.Pointer:
		return "an embedded pointer to an unexported type cannot be set when an item is read"
	case t.name != "" && reflect.PointerTo(sf.Type).NumMethod() > 0 && hasCodecMethods(sf.Type):
		return "the methods of an embedded unexported type cannot be called"
	default:
		return ""
	}
}

// hasCodecMethods reports whether the type has methods that encode or decode it.
func hasCodecMethods(t reflect.Type) bool {
	n := &Node{}
	builder{}.methods(n, nodeKey{t, true})
	return n.Enc != 0 || n.Dec != 0
}

// embed returns the level of an embedded struct. An embedded time is an issue: it has no fields to
// promote, so its value would be lost.
func (c *collector) embed(l level, sf reflect.StructField, base reflect.Type, goName string) []level {
	if base.ConvertibleTo(timeType) {
		c.add(l.step(sf).index, Issue{
			Field: goName, Tag: sf.Tag.Get(TagKey),
			Reason: "an embedded time has no fields to be stored", Hint: "name it: " + TagKey + `:"` + strings.ToLower(sf.Name) + `"`,
		})
		return nil
	}
	n := l.step(sf)
	n.t, n.goName = base, goName+"."
	if sf.Type.Kind() == reflect.Pointer {
		n.hops = append(slices.Clip(l.hops), hop{offset: n.offset, index: n.leaf, elem: base})
		n.offset, n.leaf, n.address = 0, nil, true
	}
	return []level{n}
}

// step returns the level with the path extended by one of its fields.
func (l level) step(sf reflect.StructField) level {
	l.offset += sf.Offset
	l.index = append(slices.Clip(l.index), sf.Index...)
	l.leaf = append(slices.Clip(l.leaf), sf.Index...)
	return l
}

// field returns a Field without checking for other fields of its name.
func (c *collector) field(l level, sf reflect.StructField, t fieldTag, goName string) *Field {
	at := l.step(sf)
	f := &Field{
		Name: sf.Name, GoName: goName, Index: at.index, Options: t.options, tag: sf.Tag,
		Node:   c.node(nodeKey{sf.Type, l.address}),
		offset: at.offset, leaf: at.leaf, hops: l.hops,
	}
	if t.name != "" {
		f.Name = t.name
	}
	return f
}

// visible returns, in source order, the one field of each name that Go's embedding rules select. If
// the rules select none, the attribute would silently not be stored, so that is an issue.
func (c *collector) visible() []*Field {
	slices.SortStableFunc(c.found, candidate.compare)
	fields := make([]*Field, 0, len(c.found))
	for i, x := range c.found {
		if i > 0 && c.found[i-1].Name == x.Name {
			continue // hidden, or reported with the first
		}
		other := x
		if i+1 < len(c.found) && x.compare(c.found[i+1]) == 0 {
			other = c.found[i+1]
		} else if !x.twice {
			fields = append(fields, x.Field)
			continue
		}
		c.add(x.Index, Issue{
			Field: x.GoName, Tag: x.tag.Get(TagKey),
			Reason: "the attribute " + strconv.Quote(x.Name) + " is also used by " + other.GoName + ": neither would be stored",
			Hint:   "give one of them another name by its tag, or tag it " + TagKey + `:"-"`,
		})
	}
	slices.SortFunc(fields, func(a, b *Field) int { return slices.Compare(a.Index, b.Index) })
	return fields
}

// compare sorts candidates of one name by their priority: the shallowest first, then one that is
// named by its tag.
func (x candidate) compare(y candidate) int {
	c := cmp.Or(strings.Compare(x.Name, y.Name), cmp.Compare(len(x.Index), len(y.Index)))
	switch {
	case c != 0 || x.tagged == y.tagged:
		return c
	case x.tagged:
		return -1
	default:
		return 1
	}
}
