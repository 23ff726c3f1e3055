package differential

import (
	"fmt"
	"slices"
	"strings"
)

// update generates an update expression on different attributes, so that no two paths overlap.
func (e *expression) update(t *table) string {
	u := updating{expression: e, clauses: map[string][]string{}}
	for range 1 + e.g.IntN(3) {
		choose(e.g, changes)(&u, t)
	}
	var parts []string
	for _, clause := range e.g.Perm(len(clauseNames)) {
		name := clauseNames[clause]
		if actions := u.clauses[name]; len(actions) > 0 {
			parts = append(parts, name+" "+strings.Join(actions, ", "))
		}
	}
	if len(parts) == 0 {
		return "SET " + e.path("s1") + " = " + e.value(e.g.value("S"))
	}
	return strings.Join(parts, " ")
}

// onlyTakesAway reports whether an update does not create a missing item.
func onlyTakesAway(update string) bool {
	return !strings.Contains(update, "SET ") && !strings.Contains(update, "ADD ")
}

// changeOf generates an update expression and possibly a condition. An update that only removes
// gets a condition that the item exists, because engines differ in how they treat missing items.
func (e *expression) changeOf(t *table, conditional float64) (update string, condition *string) {
	update = e.update(t)
	condition = e.g.guard(t, e, conditional)
	if !onlyTakesAway(update) {
		return update, condition
	}
	e.mark("attribute_exists")
	there := "attribute_exists(" + e.name(t.hash[0].name) + ")"
	if condition != nil {
		e.mark("AND")
		there += " AND " + e.group(*condition)
	}
	return update, &there
}

var clauseNames = []string{"SET", "REMOVE", "ADD", "DELETE"}

// updating is an update expression under construction.
type updating struct {
	*expression
	clauses map[string][]string
	taken   []string // the top-level attributes that it changes already
}

func (u *updating) add(clause, action string) {
	u.mark(clause)
	u.clauses[clause] = append(u.clauses[clause], action)
}

// take reserves an attribute. It returns false if it is reserved already.
func (u *updating) take(name string) bool {
	if slices.Contains(u.taken, name) {
		return false
	}
	u.taken = append(u.taken, name)
	return true
}

type change func(*updating, *table)

var changes = []weighted[change]{
	{12, (*updating).set},
	{5, (*updating).setElements},
	{12, (*updating).setIndexKey},
	{6, (*updating).setCopy},
	{4, (*updating).swap},
	{10, (*updating).count},
	{8, (*updating).appendToList},
	{8, (*updating).setNested},
	{6, (*updating).setDefault},
	{8, (*updating).remove},
	{8, (*updating).removeIndexKey},
	{6, (*updating).removeNested},
	{8, (*updating).addNumber},
	{8, (*updating).addToSet},
	{8, (*updating).deleteFromSet},
}

func (u *updating) set(*table) {
	a := pick(u.g, attributes)
	if u.take(a.name) {
		u.add("SET", u.path(a.name)+" = "+u.value(u.g.value(a.kind)))
	}
}

// setElements sets list elements. Those beyond the end are appended in the order of their indexes.
func (u *updating) setElements(*table) {
	if !u.take("l") {
		return
	}
	for _, n := range u.g.Perm(8)[:1+u.g.IntN(3)] {
		u.add("SET", fmt.Sprintf("%s = %s", u.path(fmt.Sprintf("l/%d", n+1)), u.value(u.g.value("N"))))
	}
	if u.g.chance(0.4) {
		u.add("REMOVE", u.path("l/0"))
	}
}

func (u *updating) setIndexKey(t *table) {
	keys := t.indexAttributes()
	if len(keys) == 0 {
		u.set(t)
		return
	}
	a := pick(u.g, keys)
	if u.take(a.name) {
		u.add("SET", u.path(a.name)+" = "+u.value(u.g.keyValue(a.kind)))
	}
}

// setCopy copies one attribute to another of the same type.
func (u *updating) setCopy(*table) {
	pair := pick(u.g, [][2]string{{"s1", "s2"}, {"n1", "n2"}, {"n2", "a.b"}, {"s2", "name"}})
	if u.take(pair[0]) {
		if u.g.chance(0.1) { // invalid if the attribute is missing
			u.add("SET", u.path(pair[0])+" = "+u.path(pair[1]))
			return
		}
		u.mark("if_not_exists")
		otherwise := u.value(u.g.value(kindOf(pair[0])))
		if u.g.chance(0.1) {
			otherwise = fmt.Sprintf("if_not_exists(%s, %s)", u.path(pair[0]), otherwise)
		}
		u.add("SET", fmt.Sprintf("%s = if_not_exists(%s, %s)", u.path(pair[0]), u.path(pair[1]), otherwise))
	}
}

// swap exchanges two attributes: both operands are read before the update.
func (u *updating) swap(*table) {
	pair := pick(u.g, [][2]string{{"s1", "s2"}, {"n1", "n2"}})
	if slices.Contains(u.taken, pair[0]) || slices.Contains(u.taken, pair[1]) {
		return
	}
	u.taken = append(u.taken, pair[0], pair[1])
	u.mark("if_not_exists")
	for i := range pair {
		u.add("SET", fmt.Sprintf("%s = if_not_exists(%s, %s)", u.path(pair[i]), u.path(pair[1-i]), u.value(u.g.value(kindOf(pair[0])))))
	}
}

// count adds to or subtracts from a number, which is sometimes missing.
func (u *updating) count(*table) {
	name := pick(u.g, []string{"n1", "n2", "a.b"})
	if !u.take(name) {
		return
	}
	operator := pick(u.g, []string{"+", "-"})
	u.mark(operator)
	left := u.path(name)
	if u.g.chance(0.85) {
		u.mark("if_not_exists")
		left = fmt.Sprintf("if_not_exists(%s, %s)", left, u.value(number("0")))
	}
	right := u.value(number(pick(u.g, summands)))
	if u.g.chance(0.2) {
		left, right = right, left
	}
	u.add("SET", fmt.Sprintf("%s = %s %s %s", u.path(name), left, operator, right))
}

func (u *updating) appendToList(*table) {
	if !u.take("l") {
		return
	}
	u.mark("list_append")
	more := u.value(list(u.g.value("N"), u.g.value("S")))
	old := u.path("l")
	if u.g.chance(0.8) {
		u.mark("if_not_exists")
		old = fmt.Sprintf("if_not_exists(%s, %s)", old, u.value(list()))
	}
	if u.g.chance(0.5) {
		old, more = more, old
	}
	u.add("SET", fmt.Sprintf("%s = list_append(%s, %s)", u.path("l"), old, more))
}

// setNested sets a path in a document. This is invalid if the document is missing.
func (u *updating) setNested(*table) {
	p := pick(u.g, nested)
	root, _, _ := strings.Cut(p.name, "/")
	if u.take(root) {
		u.add("SET", u.path(p.name)+" = "+u.value(u.g.value(p.kind)))
	}
}

// setDefault sets a document if it is missing.
func (u *updating) setDefault(*table) {
	name := pick(u.g, []string{"m", "l"})
	if u.take(name) {
		u.mark("if_not_exists")
		u.add("SET", fmt.Sprintf("%s = if_not_exists(%s, %s)", u.path(name), u.path(name), u.value(u.g.value(kindOf(name)))))
	}
}

func (u *updating) remove(*table) {
	a := pick(u.g, attributes)
	if u.take(a.name) {
		u.add("REMOVE", u.path(a.name))
	}
}

func (u *updating) removeIndexKey(t *table) {
	keys := t.indexAttributes()
	if len(keys) == 0 {
		u.remove(t)
		return
	}
	a := pick(u.g, keys)
	if u.take(a.name) {
		u.add("REMOVE", u.path(a.name))
	}
}

// removeNested removes a part of a document, or two elements of a list by their original indexes.
func (u *updating) removeNested(*table) {
	p := pick(u.g, nested)
	root, _, _ := strings.Cut(p.name, "/")
	if !u.take(root) {
		return
	}
	if root == "l" && u.g.chance(0.5) {
		u.add("REMOVE", u.path("l/0"))
		u.add("REMOVE", u.path("l/2"))
		return
	}
	u.add("REMOVE", u.path(p.name))
}

func (u *updating) addNumber(*table) {
	name := pick(u.g, []string{"n1", "n2", "a.b"})
	if u.take(name) {
		u.mark("ADD to a number")
		u.add("ADD", u.path(name)+" "+u.value(number(pick(u.g, summands))))
	}
}

func (u *updating) addToSet(*table) {
	kind := pick(u.g, []string{"SS", "NS", "BS"})
	name := strings.ToLower(kind)
	if u.take(name) {
		u.mark("ADD to a set")
		u.add("ADD", u.path(name)+" "+u.value(u.g.set(kind)))
	}
}

func (u *updating) deleteFromSet(*table) {
	kind := pick(u.g, []string{"SS", "NS", "BS"})
	name := strings.ToLower(kind)
	if u.take(name) {
		u.add("DELETE", u.path(name)+" "+u.value(u.g.set(kind)))
	}
}
