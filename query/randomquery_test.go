package query_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// question is one read of a path. It has Eq conditions on the first parts of its sort key, and
// optionally another operator on the next part.
type question struct {
	path     *path
	tenant   string
	equals   []any // operands for the parts in order; nil if the partition determines the part
	op       operator
	operands []any
	filter   int // 0: none; 1: by Keep; 2: by Score
	desc     bool
	end      ending
	limit    int // 0: none
	size     int // 0: none
}

// ending is the method that runs a question.
type ending string

const (
	byCollect ending = "collect"
	byAll     ending = "all, prefetching"
	byPages   ending = "pages"
	byCount   ending = "count"
	byFirst   ending = "first"
	byOne     ending = "one"
)

// question returns a random question, usually about existing values.
func (s *randomTable) question(r *rand.Rand) question {
	q := question{
		path: s.paths[r.IntN(len(s.paths))], tenant: s.tenants[r.IntN(len(s.tenants))], op: opNothing, filter: max(0, r.IntN(6)-3), desc: r.IntN(2) == 0,
		end: pick(r, byCollect, byCollect, byAll, byPages, byPages, byCount, byFirst, byOne),
	}
	if r.IntN(30) == 0 {
		q.tenant = "nobody"
	}
	if r.IntN(2) == 0 {
		q.limit = 1 + r.IntN(8)
	}
	if r.IntN(2) == 0 {
		q.size = 1 + r.IntN(8)
	}
	like := s.items[r.IntN(len(s.items))] // the item whose values the Eq conditions use
	parts := q.path.parts
	at := r.IntN(len(parts) + 1)
	for at < len(parts) && parts[at].known {
		at++ // the partition determines it
	}
	for _, p := range parts[:at] {
		switch v, ok := p.value(like); {
		case p.known:
			q.equals = append(q.equals, nil)
		case ok && r.IntN(25) > 0:
			q.equals = append(q.equals, v)
		default:
			q.equals = append(q.equals, s.operand(r, p))
		}
	}
	if at == len(parts) {
		return q
	}
	p := parts[at]
	q.op = s.operator(r, p)
	switch q.op {
	case opNothing:
	case opBetween, opDuring:
		q.operands = []any{s.operand(r, p), s.operand(r, p)}
		if r.IntN(8) > 0 && compareTyped(q.operands[0], q.operands[1]) > 0 {
			q.operands[0], q.operands[1] = q.operands[1], q.operands[0]
		}
	case opBegins:
		q.operands = []any{begin(r, s.operand(r, p))}
	default:
		q.operands = []any{s.operand(r, p)}
	}
	return q
}

func (s *randomTable) operator(r *rand.Rand, p part) operator {
	ops := []operator{opEq, opLt, opLe, opGt, opGe, opBetween, opNothing}
	switch p.get(&sample{}).(type) {
	case time.Time:
		ops = append(ops, opDuring, opDuring, opSince, opBefore)
	case string, label, []byte:
		ops = append(ops, opBegins, opBegins)
	}
	return ops[r.IntN(len(ops))]
}

// operand returns a value as the key keeps it. Sometimes it returns any value of the field, which
// the key may not be able to hold.
func (s *randomTable) operand(r *rand.Rand, p part) any {
	v := s.pools[p.name][r.IntN(4)]
	if drawn := p.draw(r); r.IntN(3) == 0 && s.keepsOrder(drawn) {
		v = drawn
	}
	if r.IntN(10) == 0 {
		return v
	}
	if kept, ok := p.form.keep(v); ok {
		return kept
	}
	return v
}

// begin returns a prefix of a text.
func begin(r *rand.Rand, v any) any {
	switch v := v.(type) {
	case string:
		runes := []rune(v)
		return string(runes[:r.IntN(len(runes)+1)])
	case label:
		runes := []rune(string(v))
		return label(runes[:r.IntN(len(runes)+1)])
	case []byte:
		return v[:r.IntN(len(v)+1)]
	}
	return v
}

// refused reports whether the query must be rejected according to the model. The key cannot hold a
// value exactly, the format does not support the operator, or the bounds are in the wrong order.
func (q question) refused() bool {
	for i, v := range q.equals {
		if v != nil && !q.path.parts[i].exact(v, opEq) {
			return true
		}
	}
	if q.op == opNothing {
		return false
	}
	p := q.path.parts[len(q.equals)]
	for _, v := range q.operands {
		if !p.exact(v, q.op) {
			return true
		}
	}
	if q.op != opEq && !p.form.ordered || q.op == opBegins && !p.form.prefixes {
		return true
	}
	return len(q.operands) == 2 && compareTyped(q.operands[0], q.operands[1]) > 0
}

// exact reports whether the key, and for Eq also the attribute, holds the operand without loss.
func (p part) exact(v any, op operator) bool {
	if kept, ok := p.keptValue(v); !ok || compareTyped(kept, v) != 0 {
		return false
	}
	return op != opEq || p.stored == nil || compareTyped(p.stored(v), v) == 0
}

// holds reports whether the conditions on the sort key are true for the values in a key.
func (q question) holds(tuple []any) bool {
	for i, v := range q.equals {
		if v != nil && compareTyped(tuple[i], v) != 0 {
			return false
		}
	}
	if q.op == opNothing {
		return true
	}
	v, o := tuple[len(q.equals)], q.operands[0]
	if q.op == opBegins {
		return strings.HasPrefix(textOf(v), textOf(o))
	}
	order := compareTyped(v, o)
	switch q.op {
	case opEq:
		return order == 0
	case opLt, opBefore:
		return order < 0
	case opLe:
		return order <= 0
	case opGt:
		return order > 0
	case opGe, opSince:
		return order >= 0
	}
	end := compareTyped(v, q.operands[1])
	return order >= 0 && (end < 0 || end == 0 && q.op == opBetween)
}

// answer returns the result of the model: a filter over all items, and a sort.
func (s *randomTable) answer(q question) []*sample {
	var found []*sample
	for _, one := range s.items {
		tuple, ok := q.path.has(one)
		switch {
		case !ok, q.path.tenanted && one.Tenant != q.tenant, !q.holds(tuple),
			q.filter == 1 && !one.Keep, q.filter == 2 && one.Score >= 5:
			continue
		}
		found = append(found, one)
	}
	slices.SortStableFunc(found, q.compare)
	return found
}

func (q question) compare(a, b *sample) int {
	one, _ := q.path.has(a)
	other, _ := q.path.has(b)
	if q.desc {
		return q.path.compare(other, one)
	}
	return q.path.compare(one, other)
}

// query returns the query of the library for the question.
func (q question) query(repo *entity.Repo[sample], r *rand.Rand) query.Query[sample] {
	var in sample
	if q.path.tenanted {
		in.Tenant = q.tenant
	}
	read := query.Of(repo, in)
	if q.path.access != "" {
		read = query.On(repo, q.path.access, in)
	}
	var where []attr.KeyCond[sample]
	for i, v := range q.equals {
		if v != nil {
			where = append(where, q.path.parts[i].ask(opEq, v))
		}
	}
	if q.op != opNothing {
		where = append(where, q.path.parts[len(q.equals)].ask(q.op, q.operands...))
	}
	r.Shuffle(len(where), func(i, j int) { where[i], where[j] = where[j], where[i] })
	read = read.Where(where...)
	switch q.filter {
	case 1:
		read = read.Filter(sampleKeep.Eq(true))
	case 2:
		read = read.Filter(sampleScore.Lt(5))
	}
	if q.desc {
		read = read.Desc()
	}
	if q.limit > 0 {
		read = read.Limit(q.limit)
	}
	if q.size > 0 {
		read = read.PageSize(q.size)
	}
	return read
}

func (q question) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nof tenant %q", q.path, q.tenant)
	for i, v := range q.equals {
		if v != nil {
			fmt.Fprintf(&b, ", %s = %#v", q.path.parts[i].name, v)
		}
	}
	if q.op != opNothing {
		fmt.Fprintf(&b, ", %s %s", q.path.parts[len(q.equals)].name, q.op)
		for _, v := range q.operands {
			if at, ok := v.(time.Time); ok {
				v = at.Format(time.RFC3339Nano)
			}
			fmt.Fprintf(&b, " %#v", v)
		}
	}
	fmt.Fprintf(&b, "; filter %d, desc %t, by %s, limit %d, page size %d", q.filter, q.desc, q.end, q.limit, q.size)
	return b.String()
}
