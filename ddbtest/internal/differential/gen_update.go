package differential

import (
	"fmt"
	"slices"
	"strings"
)

// update makes an update expression over different attributes, so that no two paths overlap.
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

// onlyTakesAway says whether an update makes no item where there is none.
func onlyTakesAway(update string) bool {
	return !strings.Contains(update, "SET ") && !strings.Contains(update, "ADD ")
}

// changeOf makes an update expression and the condition that goes with it, if any. One that only takes away is asked of items that are there:
// of others it changes nothing, which engines take differently.
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

// updating is an update expression that grows.
type updating struct {
	*expression
	clauses map[string][]string
	taken   []string // the top-level attributes that it changes already
}

func (u *updating) add(clause, action string) {
	u.mark(clause)
	u.clauses[clause] = append(u.clauses[clause], action)
}

// take reserves an attribute.
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

// setElements writes into a list: beyond its end, elements come in the order of their numbers.
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

// setCopy reads one attribute and writes it to another of the same kind.
func (u *updating) setCopy(*table) {
	pair := pick(u.g, [][2]string{{"s1", "s2"}, {"n1", "n2"}, {"n2", "a.b"}, {"s2", "name"}})
	if u.take(pair[0]) {
		if u.g.chance(0.1) { // which is refused where there is nothing to read
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

// swap reads what it overwrites: both get what the other was before.
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

// count adds to a number, or takes from it; now and then there is none to add to.
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

// setNested writes into a document. Where the document is missing this is refused, so it is usually one that is there.
func (u *updating) setNested(*table) {
	p := pick(u.g, nested)
	root, _, _ := strings.Cut(p.name, "/")
	if u.take(root) {
		u.add("SET", u.path(p.name)+" = "+u.value(u.g.value(p.kind)))
	}
}

// setDefault writes a whole document where there is none yet.
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

// removeNested removes a part of a document, or two elements of a list, counted as they were before.
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
