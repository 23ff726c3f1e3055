package differential

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// partiqlTable is the table of the statements. Few keys make them collide.
var partiqlTable = &table{
	name: "orders", key: key{hash: []attribute{{"pk", "S"}}, sort: []attribute{{"sk", "N"}}},
	indexes: []index{
		{name: "byG", key: key{hash: []attribute{{"g", "S"}}, sort: []attribute{{"r", "N"}}}, projection: types.ProjectionTypeAll},
		{name: "byR", key: key{hash: []attribute{{"pk", "S"}}, sort: []attribute{{"r", "N"}}}, local: true, projection: types.ProjectionTypeKeysOnly},
	},
}

// phrase is a statement, with what the coverage counts.
type phrase struct {
	kind      string // such as "update"
	condition string // the kind of its condition besides the key, or "none"
	text      string
	values    []value // of the parameters
	ordered   bool    // the order of the items has a meaning
	onFailure types.ReturnValuesOnConditionCheckFailure
}

// sentence writes a statement from left to right, with its parameters.
type sentence struct {
	*rand.Rand
	strings.Builder
	values []value
}

func (s *sentence) write(parts ...string) {
	for _, part := range parts {
		s.WriteString(part)
	}
}

func (s *sentence) chance(p float64) bool { return s.Float64() < p }

func (s *sentence) oneOf(from ...string) string { return from[s.IntN(len(from))] }

// text writes a string: as a literal, or sometimes as a parameter.
func (s *sentence) text(v string) { s.literal("'"+v+"'", text(v)) }

// number writes a number.
func (s *sentence) number(n int) {
	spelled := fmt.Sprint(n)
	if s.chance(0.2) {
		spelled += s.oneOf(".0", "e0", ".", "E+0")
	}
	s.literal(spelled, number(fmt.Sprint(n)))
}

func (s *sentence) literal(spelled string, v value) {
	if s.chance(0.3) {
		s.values = append(s.values, v)
		spelled = "?"
	}
	s.write(spelled)
}

var (
	partiqlParts = []string{"a", "b", "c"}
	partiqlTexts = []string{"", "x", "xy", "xyz", "yx", "it''s"}
)

// partition writes the value of a partition key. The last two have no items.
func (s *sentence) partition() { s.text(s.oneOf(slices.Concat(partiqlParts, []string{"y", "z"})...)) }

// conditionKinds are the kinds of conditions.
var conditionKinds = []string{"comparison", "between", "in", "function", "is", "boolean"}

// condition writes a condition on attributes that are in no key.
func (s *sentence) condition(kind string) {
	switch kind {
	case "comparison":
		s.compare()
	case "between":
		low := s.IntN(6) // some ranges have no numbers
		s.write("n", s.oneOf(" ", " NOT "), "BETWEEN ")
		s.number(low)
		s.write(" AND ")
		s.number(low + s.IntN(3))
	case "in":
		s.write(s.oneOf("n", "m.x", "n"), s.oneOf(" ", " NOT "), "IN [")
		for i := range 1 + s.IntN(3) {
			if i > 0 {
				s.write(", ")
			}
			s.number(s.IntN(6))
		}
		s.write("]")
	case "function":
		s.function()
	case "is":
		s.write(s.oneOf("z IS MISSING", "z IS NOT MISSING", "z IS NULL", "z IS NOT NULL", "s IS STRING", "m.x IS MISSING", "t IS BOOLEAN", "l IS LIST", "q IS NOT MISSING"))
	default:
		parts := []string{s.oneOf(conditionKinds[:5]...), s.oneOf(conditionKinds[:5]...)}
		s.write(s.oneOf("", "NOT "), "(")
		s.condition(parts[0])
		s.write(s.oneOf(" AND ", " OR ", " AND NOT "))
		s.condition(parts[1])
		s.write(")")
	}
}

func (s *sentence) compare() {
	operator := s.oneOf(" = ", " <> ", " < ", " <= ", " > ", " >= ", " != ")
	switch s.IntN(6) {
	case 0:
		s.write("s", operator)
		s.text(strings.ReplaceAll(s.oneOf(partiqlTexts[:5]...), "''", "'"))
	case 1:
		s.number(s.IntN(5))
		s.write(operator, "n")
	case 2:
		s.write("n", operator, "m.x")
	case 3:
		s.write("t", s.oneOf(" = ", " <> "), s.oneOf("true", "false"))
	case 4:
		s.write(s.oneOf("l = [1, 'x']", "l[0] = 1", "ss = <<'u', 'v'>>", "m = {'x': 1}", "z = NULL"))
	default:
		s.write(s.oneOf("n", "m.x", "m['x']"), operator)
		s.number(s.IntN(5))
	}
}

func (s *sentence) function() {
	switch s.IntN(6) {
	case 0:
		s.write(s.oneOf("begins_with", "BEGINS_WITH"), "(s, ")
		s.text(s.oneOf("x", "xy", "q"))
		s.write(")")
	case 1:
		s.write("contains(", s.oneOf("ss", "s", "l"), ", ")
		s.text(s.oneOf("u", "x", "y"))
		s.write(")")
	case 2, 3:
		s.write("size(", s.oneOf("s", "ss", "l", "z"), ")", s.oneOf(" > ", " = ", " <= "))
		s.number(s.IntN(4))
	case 4:
		s.write("attribute_type(", s.oneOf("z", "n", "l"), ", ")
		s.text(s.oneOf("N", "N", "L", "NULL"))
		s.write(")")
	default:
		s.write("begins_with(s, z)")
	}
}

// and writes " AND " with a condition, and returns its kind. Sometimes it writes nothing.
func (s *sentence) and() string {
	if s.chance(0.25) {
		return "none"
	}
	kind := s.oneOf(conditionKinds...)
	s.write(" AND ")
	s.condition(kind)
	return kind
}

// sortKey sometimes writes a condition on a sort key.
func (s *sentence) sortKey(name string) {
	switch s.IntN(6) {
	case 0:
		s.write(" AND ", name, s.oneOf(" = ", " < ", " <= ", " > ", " >= "))
		s.number(s.IntN(5))
	case 1:
		low := s.IntN(4)
		s.write(" AND ", name, " BETWEEN ")
		s.number(low)
		s.write(" AND ")
		s.number(low + s.IntN(3))
	case 2:
		s.write(" AND ", name, " IN [0, 2, 3]")
	case 3:
		s.write(" AND NOT ", name, " = 1")
	}
}

// partiqlGenerator generates random statements.
type partiqlGenerator struct{ *rand.Rand }

func (g partiqlGenerator) sentence() *sentence { return &sentence{Rand: g.Rand} }

func (s *sentence) phrase(kind, condition string) phrase {
	return phrase{kind: kind, condition: condition, text: s.String(), values: s.values}
}

// selectStatement returns a SELECT of one kind.
func (g partiqlGenerator) selectStatement(kind string) phrase {
	s := g.sentence()
	s.write("SELECT ", s.oneOf("*", "*", "pk, sk", "pk, sk, n, m.x", "pk, sk, l[0], z"), " FROM ")
	ordered, condition := false, "none"
	switch kind {
	case "select key":
		s.write(`"orders" WHERE pk = `)
		s.partition()
		s.sortKey("sk")
		condition, ordered = s.and(), true
		if !strings.Contains(s.String(), " NOT ") { // else DynamoDB Local fails with an InternalFailure
			s.write(s.oneOf("", " ORDER BY sk", " ORDER BY sk DESC", " ORDER BY pk, sk DESC"))
		}
	case "select in":
		s.write("orders WHERE pk IN [")
		s.partition()
		s.write(", ")
		s.partition()
		s.write("]")
		condition = s.and()
	case "select scan":
		s.write("orders")
		if s.chance(0.9) {
			condition = s.oneOf(conditionKinds...)
			s.write(" WHERE ")
			s.condition(condition)
		}
	default:
		byG := s.chance(0.5)
		if byG {
			s.write("orders.byG WHERE g = ")
			s.text(s.oneOf("g", "h", "i"))
		} else {
			s.write(`"orders"."byR" WHERE pk = `)
			s.partition()
		}
		s.sortKey("r")
		if condition = "none"; byG { // DynamoDB rejects other conditions on byR, which projects only keys
			condition = s.and()
		}
	}
	p := s.phrase(kind, condition)
	p.ordered = ordered
	return p
}

// itemKey is the key of an item.
type itemKey struct {
	pk string
	sk int
}

func (g partiqlGenerator) itemKey() itemKey {
	return itemKey{partiqlParts[g.IntN(len(partiqlParts))], g.IntN(5)}
}

// where writes the condition of a write or of a read of one item.
func (s *sentence) where(k itemKey) {
	s.write(" WHERE ")
	if s.chance(0.2) {
		s.write("sk = ")
		s.number(k.sk)
		s.write(" AND pk = ")
		s.text(k.pk)
		return
	}
	s.write("pk = ")
	s.text(k.pk)
	s.write(" AND sk = ")
	s.number(k.sk)
}

func (g partiqlGenerator) insert(k itemKey) phrase {
	s := g.sentence()
	s.write("INSERT INTO orders VALUE {'pk': ")
	s.text(k.pk)
	s.write(", 'sk': ")
	s.number(k.sk)
	for _, name := range []string{"g", "r", "n", "s", "t", "l", "m", "ss", "z"} {
		if s.chance(0.4) {
			continue
		}
		s.write(", '", name, "': ")
		s.attribute(name)
	}
	s.write("}")
	return s.phrase("insert", "none")
}

// attribute writes a value of an attribute.
func (s *sentence) attribute(name string) {
	switch name {
	case "g":
		s.text(s.oneOf("g", "h"))
	case "r", "n":
		s.number(s.IntN(5))
	case "s":
		s.write("'", s.oneOf(partiqlTexts...), "'")
	case "t":
		s.write(s.oneOf("true", "FALSE"))
	case "l":
		s.write(s.oneOf("[1, 'x']", "[]", "[2, [3], 'y']"))
	case "m":
		s.write(s.oneOf("{'x': 1}", "{}", "{'x': 3, 'y': {'z': [true, null]}}"))
	case "ss":
		s.write(s.oneOf("<<'u', 'v'>>", "<<'u'>>"))
	default:
		s.write(s.oneOf("NULL", "'x'", "0.5"))
	}
}

// update returns an UPDATE. If plain is true, it cannot fail for the types of attributes.
func (g partiqlGenerator) update(k itemKey, plain bool) phrase {
	s := g.sentence()
	s.write("UPDATE orders")
	nested := false
	for _, i := range g.Perm(8)[:1+g.IntN(3)] {
		switch {
		case i == 0:
			s.write(" SET n = ")
			s.number(s.IntN(5))
		case i == 1 && !plain:
			s.write(" SET z = n ", s.oneOf("+", "-"), " ")
			s.number(1 + s.IntN(3))
			s.write(s.oneOf("", " - 2", " + sk"))
		case i == 2 && !plain:
			s.write(" SET l = list_append(", s.oneOf("l, [9]", "[8, 7], l", "l, l"), ")")
		case i == 3:
			s.write(" SET ss = ", s.oneOf("set_add(ss, <<'w'>>)", "set_delete(ss, <<'u'>>)", "SET_ADD(ss, <<'u', 'q'>>)"))
		case i == 4 && !plain:
			nested = true
			s.write(s.oneOf(" SET m.x = 2", " REMOVE m.x", " SET m['y'] = [1]"))
		case i == 5:
			s.write(" REMOVE ", s.oneOf("t", "q"))
		case i == 6:
			s.write(" SET g = ")
			s.text(s.oneOf("g", "h"))
			s.write(", r = ")
			s.number(s.IntN(5))
		default:
			s.write(" SET s = '", s.oneOf(partiqlTexts...), "'")
		}
	}
	text := s.String()
	if strings.Count(text, " SET s = ") > 1 { // two of the cases above
		return g.update(k, plain)
	}
	s.where(k)
	condition := s.and()
	if !plain {
		clauses := []string{"", " RETURNING ALL OLD *", " RETURNING ALL NEW *"}
		if !nested { // DynamoDB Local returns whole attributes
			clauses = append(clauses, " RETURNING MODIFIED OLD *", " RETURNING MODIFIED NEW *")
		}
		s.write(s.oneOf(clauses...))
	}
	return s.phrase("update", condition)
}

func (g partiqlGenerator) deletion(k itemKey, returns bool) phrase {
	s := g.sentence()
	s.write("DELETE FROM orders")
	s.where(k)
	condition := s.and()
	if returns {
		s.write(s.oneOf("", " RETURNING ALL OLD *"))
	}
	return s.phrase("delete", condition)
}

func (g partiqlGenerator) selectItem(k itemKey) phrase {
	s := g.sentence()
	// For a path, DynamoDB Local returns the maps around it in a batch, and none around it alone.
	s.write("SELECT ", s.oneOf("*", "pk, n", "m, z"), " FROM orders")
	s.where(k)
	return s.phrase("select item", "none")
}

func (g partiqlGenerator) exists(k itemKey) phrase {
	s := g.sentence()
	s.write("EXISTS(SELECT * FROM orders")
	s.where(k)
	condition := s.oneOf(conditionKinds...)
	s.write(" AND ")
	s.condition(condition)
	s.write(")")
	return s.phrase("exists", condition)
}

// invalidStatements are rejected, by kind.
var invalidStatements = map[string][]string{
	"select key":  {"SELECT * FROM orders WHERE pk = 1", "SELECT * FROM orders WHERE pk = 'a' ORDER BY n", "SELECT * FROM orders WHERE pk = 'a' AND sk = 'x'", "SELECT pk FROM"},
	"select in":   {"SELECT * FROM orders WHERE pk IN [1, 'a']", "SELECT * FROM orders WHERE pk IN []", "SELECT * FROM orders WHERE pk IN ['']"},
	"select scan": {"SELECT * FROM orders WHERE n = n", "SELECT * FROM orders WHERE n = 1 ORDER BY sk", "SELECT m, m.x FROM orders", "SELECT * FROM orders WHERE n > true"},
	"select index": {
		"SELECT * FROM orders.nowhere WHERE g = 'g'", "SELECT * FROM orders.byG WHERE g = 1", "SELECT * FROM orders.byR WHERE pk = 'a' ORDER BY sk",
	},
	"insert": {"INSERT INTO orders VALUE {'pk': 'a'}", "INSERT INTO orders VALUE {'pk': 'z', 'sk': 1, 'r': 'x'}", "INSERT INTO orders VALUE {'pk': '', 'sk': 1}", "INSERT INTO orders VALUES {'pk': 'z'}"},
	"update": {"UPDATE orders SET n = 1 WHERE pk = 'a'", "UPDATE orders SET n = 1, n = 2 WHERE pk = 'a' AND sk = 1", "UPDATE orders SET n = 1 WHERE pk = 'a' AND sk > 1", "UPDATE orders WHERE pk = 'a'"},
	"delete": {"DELETE FROM orders WHERE sk = 1", "DELETE FROM orders WHERE pk = 'a' AND sk = 1 RETURNING ALL NEW *", "DELETE FROM orders WHERE pk = 'a' AND sk IN [1]"},
}

var (
	selectKinds = []string{"select key", "select in", "select scan", "select index"}
	writeKinds  = []string{"insert", "update", "delete"}
)

// alone returns a statement that is sent alone.
func (g partiqlGenerator) alone() phrase {
	kinds := slices.Concat(selectKinds, writeKinds, writeKinds, []string{"insert", "insert"})
	kind := kinds[g.IntN(len(kinds))]
	if g.IntN(25) == 0 {
		invalid := invalidStatements[kind]
		return phrase{kind: kind, condition: "invalid", text: invalid[g.IntN(len(invalid))]}
	}
	p := g.write(kind, g.itemKey(), false)
	if p.kind == "" {
		p = g.selectStatement(kind)
	}
	if g.IntN(2) == 0 && p.kind != "insert" {
		p.onFailure = types.ReturnValuesOnConditionCheckFailureAllOld
	}
	return p
}

// write returns a write of one kind. A plain one returns nothing.
func (g partiqlGenerator) write(kind string, k itemKey, plain bool) phrase {
	switch kind {
	case "insert":
		return g.insert(k)
	case "update":
		return g.update(k, plain)
	case "delete":
		return g.deletion(k, !plain)
	default:
		return phrase{}
	}
}

// several returns statements on different items: reads or writes.
func (g partiqlGenerator) several(read, inTransaction bool) []phrase {
	seen := map[itemKey]bool{}
	var all []phrase
	for range 1 + g.IntN(3) {
		k := g.itemKey()
		if seen[k] {
			continue
		}
		seen[k] = true
		switch {
		case read:
			all = append(all, g.selectItem(k))
		case inTransaction && g.IntN(3) == 0:
			all = append(all, g.exists(k))
		default:
			all = append(all, g.write(writeKinds[g.IntN(3)], k, inTransaction))
		}
	}
	return all
}

func (p phrase) statement(limit *int32) *dynamodb.ExecuteStatementInput {
	return &dynamodb.ExecuteStatementInput{
		Statement: &p.text, Parameters: p.values, Limit: limit, ReturnValuesOnConditionCheckFailure: p.onFailure,
	}
}

func batchOfPhrases(all []phrase) *dynamodb.BatchExecuteStatementInput {
	in := &dynamodb.BatchExecuteStatementInput{}
	for _, p := range all {
		in.Statements = append(in.Statements, types.BatchStatementRequest{Statement: aws.String(p.text), Parameters: p.values})
	}
	return in
}

func transactionOfPhrases(all []phrase) *dynamodb.ExecuteTransactionInput {
	in := &dynamodb.ExecuteTransactionInput{}
	for _, p := range all {
		in.TransactStatements = append(in.TransactStatements, types.ParameterizedStatement{Statement: aws.String(p.text), Parameters: p.values})
	}
	return in
}
