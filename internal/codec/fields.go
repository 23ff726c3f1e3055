package codec

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// compile finds the fields of a struct type by Go's rules for embedded structs. Like
// attributevalue, it prefers a field named by its tag among fields of the same name and depth.
func (b builder) compile(t reflect.Type) *Struct {
	s := &Struct{Type: t}
	c := collector{builder: b, into: s}
	c.collect(t)
	s.fields = c.visible()
	for _, f := range s.fields {
		f.setMember()
	}
	s.lookup = s.Lookup()
	return s
}

// level is a struct type whose fields are still to be collected.
type level struct {
	t  reflect.Type
	at Field // the embedded field that holds the struct; zero for the outermost struct
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

// add records an issue of a field.
func (c *collector) add(f *Field, issue Issue) {
	issue.Field, issue.Tag, issue.index = f.GoName, cmp.Or(issue.Tag, f.Tag.Get(TagKey)), f.Index
	c.into.issues = append(c.into.issues, issue)
}

// collect visits the embedded structs breadth first, each type once.
func (c *collector) collect(t reflect.Type) {
	next := []level{{t: t}}
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
		f := l.field(sf)
		tag, issues := parseTag(f.Tag)
		for _, issue := range issues {
			c.add(f, issue)
		}
		if tag.ignore {
			continue
		}
		c.checkSeparators(&tag, sf.Type, f)
		f.Name, f.Options = cmp.Or(tag.name, f.Name), tag.options
		base := sf.Type
		if base.Kind() == reflect.Pointer && base.Name() == "" {
			base = base.Elem()
		}
		reason := embeddingError(sf, base, tag)
		switch {
		case reason != "":
			c.add(f, Issue{Reason: reason, Hint: notStored + ", or export the type", lost: sf.Type.Kind() != reflect.Pointer})
		case !sf.Anonymous || tag.name != "" || base.Kind() != reflect.Struct:
			f.Node = c.node(sf.Type)
			c.found = append(c.found, candidate{Field: f, tagged: tag.name != "", twice: twice})
		case hidesValue(base) && (base.ConvertibleTo(timeType) || encodes(base)):
			c.add(f, Issue{
				Reason: fmt.Sprintf("the embedded %s has no exported field for its value, so it would not be stored", base),
				Hint:   "name it: " + TagKey + `:"` + strings.ToLower(sf.Name) + `"`, lost: true,
			})
		default:
			embedded = append(embedded, l.embed(f, base, sf.Type != base))
		}
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
	n := &Node{Type: t}
	n.findMethods()
	return n.Enc != 0 || n.Dec != 0
}

// encodes reports whether the type has a method that encodes it.
func encodes(t reflect.Type) bool {
	n := &Node{Type: t}
	n.findMethods()
	return n.Enc != 0
}

// field returns a field of the level's struct with its path.
func (l level) field(sf reflect.StructField) *Field {
	return &Field{
		Name: sf.Name, GoName: strings.TrimPrefix(l.at.GoName+"."+sf.Name, "."), Tag: sf.Tag,
		Index:  append(slices.Clip(l.at.Index), sf.Index...),
		offset: l.at.offset + sf.Offset,
		leaf:   append(slices.Clip(l.at.leaf), sf.Index...),
		hops:   l.at.hops,
	}
}

// embed returns the level of a struct that f embeds, or points to.
func (l level) embed(f *Field, t reflect.Type, pointer bool) level {
	next := level{t: t, at: *f}
	if pointer {
		next.at.hops = append(slices.Clip(f.hops), hop{offset: f.offset, index: f.leaf, elem: t})
		next.at.offset, next.at.leaf = 0, nil
	}
	return next
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
		c.add(x.Field, Issue{
			Reason: "the attribute " + strconv.Quote(x.Name) + " is also used by " + other.GoName + ": neither would be stored",
			Hint:   "give one of them another name by its tag, or tag it " + TagKey + `:"-"`, lost: true,
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
