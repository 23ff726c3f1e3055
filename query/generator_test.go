package query_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/keys"
)

// generator deals all columns in all their formats in turn.
type generator struct {
	r         *rand.Rand
	remaining []part
	delim     string // the delimiter of the current table
}

// allowed reports whether texts in a format never contain the delimiter. Raw keys require this.
func (d *generator) allowed(p part) bool {
	if _, isTime := p.get(&sample{}).(time.Time); isTime && d.delim == "-" {
		return strings.HasPrefix(p.form.format, "unix") || p.form.format == "compact"
	}
	return d.delim == "#" || p.form.format != "raw"
}

// next returns the next part whose column is not taken yet.
func (d *generator) next(taken map[string]bool) part {
	for {
		for i, p := range d.remaining {
			if !taken[p.name] && d.allowed(p) {
				d.remaining = slices.Delete(d.remaining, i, i+1)
				return p
			}
		}
		for _, c := range columns {
			for _, f := range c.forms {
				d.remaining = append(d.remaining, part{column: c, form: f})
			}
		}
		d.r.Shuffle(len(d.remaining), func(i, j int) { d.remaining[i], d.remaining[j] = d.remaining[j], d.remaining[i] })
	}
}

// parts returns n parts of different columns. Some lists include the tenant.
func (d *generator) parts(n int, raw, tenanted bool) []part {
	var parts []part
	for taken := map[string]bool{}; len(parts) < n; {
		p := d.next(taken)
		p.raw, p.delim, taken[p.name] = raw, d.delim, true
		parts = append(parts, p)
	}
	if d.r.IntN(4) == 0 || !tenanted {
		at := 0
		if tenanted {
			at = d.r.IntN(n + 1)
		}
		parts = append(parts[:at:at], append([]part{{column: tenant, form: textForms[0], known: tenanted, raw: raw, delim: d.delim}}, parts[at:]...)...)
	}
	return parts
}

// template returns a path of parts with literals around them.
func (d *generator) template(access string, n int, raw, tenanted bool) *path {
	p := &path{access: access, tenanted: tenanted, parts: d.parts(n, raw, tenanted), pk: "P" + d.delim + "<tenant>"}
	if !tenanted {
		p.pk = "ALL"
	}
	p.lead = strings.ReplaceAll(pick(d.r, "", "A#", "EMP#", "team-", "#M#", "sh#"), "#", d.delim)
	p.sk = p.lead
	for i, q := range p.parts {
		if i > 0 {
			p.sk += strings.ReplaceAll(pick(d.r, "#", "#", "#B#", "#."), "#", d.delim)
		}
		p.sk += q.String()
	}
	if tail := pick(d.r, "", "", "", d.delim+"END"); tail != "" {
		p.sk += tail
	} else {
		p.parts[len(p.parts)-1].last = true
	}
	if len(p.parts) == 1 && p.sk == p.parts[0].String() {
		p.parts[0].raw = true // the attribute is the value itself
	}
	return p
}

// native returns a path whose sort key is one value of type S, N or B.
func (d *generator) native(access string, tenanted bool) *path {
	c := columns[d.r.IntN(len(columns))]
	for c.native == "" {
		c = columns[d.r.IntN(len(columns))]
	}
	p := &path{access: access, tenanted: tenanted, pk: "P" + d.delim + "<tenant>", sk: "<" + c.name + ">", parts: []part{d.nativePart(c)}}
	if !tenanted {
		p.pk = "ALL"
	}
	return p
}

func (d *generator) nativePart(c *column) part {
	f := c.forms[0]
	if c.native != keys.S {
		f = form{keep: c.forms[0].keep, ordered: true, prefixes: c.forms[0].prefixes}
	}
	return part{column: c, form: f, raw: true, delim: d.delim, last: true, binary: c.native != keys.S}
}

func attributeOf(c *column, name string) entity.Attribute {
	switch c.native {
	case keys.N:
		return entity.N(name)
	case keys.B:
		return entity.B(name)
	}
	return entity.S(name)
}

// multiAttribute returns a path over an index of multiAttribute attributes, which are plain fields.
func (d *generator) multiAttribute(access string) *path {
	p := &path{access: access, tenanted: true, index: entity.IndexConfig{Partition: []entity.Attribute{entity.S("tenant")}}}
	for n := 2 + d.r.IntN(3); len(p.parts) < n; {
		c := columns[d.r.IntN(len(columns))]
		if c.native == "" || c.name == "addr" || strings.Contains(p.sk, c.name) {
			continue
		}
		p.sk += c.name + " "
		p.parts = append(p.parts, d.nativePart(c))
		p.index.Sort = append(p.index.Sort, attributeOf(c, c.name))
	}
	return p
}

var compact = func() keys.Format {
	f, err := keys.Layout("20060102T150405")
	if err != nil {
		panic(err)
	}
	return f
}()

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }
