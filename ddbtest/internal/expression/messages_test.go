package expression_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// The tables below hold the service's error messages, after "Invalid FilterExpression: " and the
// like. Exact messages are part of the contract of this package.

// wording is an expression and its error message; "" means no error.
type wording struct{ text, refusal string }

// The placeholders that the expressions of the tables may use.
var (
	givenNames  = map[string]string{"#a": "a", "#b": "b", "#three": "[3]"}
	givenValues = map[string]value.Value{
		":n": number("1"), ":n2": number("2"), ":s": value.String("a"), ":s2": value.String("b"), ":B": value.Binary("a"), ":bool": value.Bool(true),
		":null": value.Null{}, ":l": value.List{}, ":m": value.Map{}, ":ss": value.StringSet{"a"}, ":ns": numberSet("1"), ":bs": value.BinarySet{"a"},
		":S": value.String("S"),
	}
)

// deep returns a path of n elements.
func deep(n int) string { return "a" + strings.Repeat(".a", n-1) }

func repeat(n int, separator, part string) string {
	return strings.TrimSuffix(strings.Repeat(part+separator, n), separator)
}

const (
	tooLong      = "Expression size has exceeded the maximum allowed size; expression size: 4097"
	operators    = "The expression contains too many operators; operator count: 301"
	parentheses  = "The expression has redundant parentheses;"
	misused      = "The function is not allowed to be used this way in an expression; function: "
	inUpdate     = "The function is not allowed in an update expression; function: "
	inCondition  = "The function is not allowed in a condition expression; function: "
	unknown      = "Invalid function name; function: "
	keyword      = "Attribute name is a reserved keyword; reserved keyword: "
	undefName    = "An expression attribute name used in the document path is not defined; attribute name: "
	undefValue   = "An expression attribute value used in expression is not defined; attribute value: "
	operandCount = "Incorrect number of operands for operator or function; operator or function: "
	operandType  = "Incorrect operand type for operator or function; operator or function: "
	needsPath    = "Operator or function requires a document path; operator or function: "
	notDistinct  = "The first operand must be distinct from the remaining operands for this operator or function; operator: "
	nesting      = "The document path has too many nesting levels; nesting levels: "
	listIndex    = "List index is not within the allowable range; index: "
	overlap      = "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: "
	conflict     = "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: "
)

func syntax(token, near string) string {
	return `Syntax error; token: "` + token + `", near: "` + near + `"`
}

var conditionWording = []wording{
	{"", "The expression can not be empty;"},
	{"  ", syntax("<EOF>", "  ")},
	{" a", syntax("<EOF>", "a")},
	{"a ", syntax("<EOF>", "a ")},
	{"a=", syntax("<EOF>", "=")},
	{"= a", syntax("=", "= a")},
	{"  = a", syntax("=", "  = a")},
	{"a b", syntax("b", "a b")},
	{"a and", syntax("and", "a and")},
	{"a=:n and ", syntax("<EOF>", "and ")},
	{"not", syntax("<EOF>", "not")},
	{"not a", syntax("<EOF>", "a")},
	{"not (a)", syntax("<EOF>", ")")},
	{"(a)", syntax("<EOF>", ")")},
	{"()", syntax(")", "()")},
	{"(a=:n", syntax("<EOF>", ":n")},
	{"a=:n)", syntax(")", ":n)")},
	{"a in ()", syntax(")", "()")},
	{"a in (:n,)", syntax(")", ",)")},
	{"a in :n", syntax(":n", "in :n")},
	{"a+b=:n", syntax("+", "a+b")},
	{"a!=b", syntax("!", "a!=")},
	{"a==b", syntax("=", "==b")},
	{"a =< b", syntax("<", "=< b")},
	{"a < = b", syntax("=", "< = b")},
	{"and=:n", syntax("and", "and=")},
	{"BETWEEN=:n", syntax("BETWEEN", "BETWEEN=")},
	{"set=:n", syntax("set", "set=")},
	{"a.Remove=:n", syntax("Remove", ".Remove=")},
	{"a[:n]=:n", syntax(":n", "[:n]")},
	{"a[#a]=:n", syntax("#a", "[#a]")},
	{"a[1.5]=:n", syntax(".", "1.5")},
	{"a[01]=:n", syntax("1", "01]")},
	{"a[-1]=:n", syntax("-", "[-1")},
	{"a.1=:n", syntax("1", ".1=")},
	{"(a).b=:n", syntax(".", ").b")},
	{"size(a).b=:n", syntax(".", ").b")},
	{"# a=:n", syntax("#", "# a")},
	{"a=1", syntax("1", "=1")},
	{`"a"=:n`, syntax(`"`, `"a`)},
	{"a=é", syntax("é", "=é")},
	{"_a=:n", syntax("_", "_a")},
	{"attribute_exists()", syntax(")", "()")},
	{"a=:n" + strings.Repeat(" ", 4093), tooLong},

	{"(a=:n)", ""},
	{"(a)=(:n)", ""},
	{"((a)=(:n))", ""},
	{"(not (a=:n))", ""},
	{"a in ((:n), (b))", ""},
	{"size((a))=:n", ""},
	{"a\t=\r\n:n", ""},
	{"((a=:n))", parentheses},
	{"((a))=:n", parentheses},
	{"not ((a=:n))", parentheses},
	{"a=((:n))", parentheses},
	{"size(((a)))=:n", parentheses},
	{"a=:n and ((b=:n and a=:n))", parentheses},
	{"((foo(a)))", parentheses},

	{"foo(a)", unknown + "foo"},
	{"Size(a)=:n", unknown + "Size"},
	{"foo(status)", unknown + "foo"},
	{"if_not_exists(a,b)=:n", inCondition + "if_not_exists"},
	{"list_append(a,b)", inCondition + "list_append"},
	{"size(a)", misused + "size"},
	{"not (size(a))", misused + "size"},
	{"attribute_exists(a)=:n", misused + "attribute_exists"},
	{"a in (b, attribute_exists(a))", misused + "attribute_exists"},
	{"size(contains(a,b))=:n", misused + "contains"},
	{"status=:n", keyword + "status"},
	{"a.STATUS=:n", keyword + "STATUS"},
	{"a=true", keyword + "true"},
	{"size=:n", keyword + "size"},
	{"#nope=:n and status=:n", keyword + "status"},
	{"attribute_exists=:n", ""}, // is the name of a function, but not reserved
	{"a[2147483647]=:n", ""},
	{"a[2147483648]=:n", listIndex + "[2147483648]"},
	{"a[99999999999999999999]=:n", listIndex + "[99999999999999999999]"},

	{deep(32) + "=:n", ""},
	{deep(33) + "=:n", nesting + "33"},
	{"#nope=:n", undefName + "#nope"},
	{"a.#nope=:nope", undefName + "#nope"},
	{"a=:nope", undefValue + ":nope"},
	{"begins_with(:n,:nope)", undefValue + ":nope"},
	{"attribute_exists(a,b)", operandCount + "attribute_exists, number of operands: 2"},
	{"attribute_exists(:n,b)", operandCount + "attribute_exists, number of operands: 2"},
	{"begins_with(:n)", operandCount + "begins_with, number of operands: 1"},
	{"size(a,a)=:n", operandCount + "size, number of operands: 2"},
	{"attribute_exists(:n)", needsPath + "attribute_exists"},
	{"attribute_not_exists(size(a))", needsPath + "attribute_not_exists"},
	{"begins_with(a,:n)", operandType + "begins_with, operand type: N"},
	{"begins_with(:ss,a)", operandType + "begins_with, operand type: SS"},
	{"begins_with(size(a),b)", operandType + "begins_with, operand type: N"},
	{"size(size(a))=:n", operandType + "size, operand type: N"},
	{"size(:bool)=:n", operandType + "size, operand type: BOOL"},
	{"a<:l", operandType + "<, operand type: L"},
	{":null>=a", operandType + ">=, operand type: NULL"},
	{"a between :l and :n", operandType + "BETWEEN, operand type: L"},
	{"a between a and :bs", operandType + "BETWEEN, operand type: BS"},
	{"attribute_type(a,:n)", operandType + "attribute_type, operand type: N"},
	{"attribute_type(a,b)", operandType + "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},
	{"attribute_type(a,:s)", "Invalid attribute type name found; type: a, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
	{"attribute_type(:n,:S)", ""},
	{"a=a", notDistinct + "=, first operand: [a]"},
	{"#a<>a", notDistinct + "<>, first operand: [a]"},
	{"a.b[0]>a.#b[0]", notDistinct + ">, first operand: [a, b, [0]]"},
	{"a in (b,a)", notDistinct + "IN, first operand: [a]"},
	{"a between :n and a", notDistinct + "BETWEEN, first operand: [a]"},
	{"contains(a,a)", notDistinct + "contains, first operand: [a]"},
	{"attribute_type(a,a)", notDistinct + "attribute_type, first operand: [a]"},
	{"a in (b,b)", ""},
	{"size(a)=size(a)", ""},
	{":n=:n", ""},
	{"a between b and b", ""},
	{"a between :n2 and :n", "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; " +
		"lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
	{"a between :n and :s", "The BETWEEN operator requires same data type for lower and upper bounds; " +
		"lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}"},
	{"a between :n and :n", ""},
	{":s between :n and :n2", ""},
	{"a in (" + repeat(100, ",", "b") + ")", ""},
	{"a in (" + repeat(101, ",", "b") + ")", "The IN operator is provided with too many operands; number of operands: 101"},
	{"a=a and #nope=:n", notDistinct + "=, first operand: [a]"},

	{repeat(150, " and ", "a=b"), ""},
	{repeat(151, " and ", "a=b"), operators},
	{repeat(151, " or ", "a in(b,b,b)"), operators},
	{strings.Repeat("not ", 299) + "a=b", ""},
	{strings.Repeat("not ", 300) + "a=b", operators},
	{repeat(75, " or ", "size(a)=size(b)"), ""},
	{repeat(76, " or ", "size(a)=size(b)"), operators},
	{repeat(151, " and ", "a=b") + " and a=a", notDistinct + "=, first operand: [a]"},
}

var updateWording = []wording{
	{"", "The expression can not be empty;"},
	{"   ", syntax("<EOF>", "   ")},
	{"INVALID SYNTAX HERE", syntax("INVALID", "INVALID SYNTAX")},
	{"a", syntax("a", "a")},
	{"set", syntax("<EOF>", "set")},
	{"set a", syntax("<EOF>", "a")},
	{"set a b", syntax("b", "a b")},
	{"set a=b,", syntax("<EOF>", ",")},
	{"set a=b,remove c", syntax("remove", ",remove c")},
	{"set a=b c=:n", syntax("c", "b c=")},
	{"set a=:n set", syntax("<EOF>", "set")},
	{"set a = b + c + a", syntax("+", "c + a")},
	{"set a = (b + c) + a", syntax("+", ") + a")},
	{"set a = a + (b + c)", syntax("+", "b + c")},
	{"set a = if_not_exists(b,b+c)", syntax("+", "b+c")},
	{"set (a)=b", syntax("(", "set (a")},
	{`set a[1] = "eight"`, syntax(`"`, `= "eight`)},
	{"set a[1] = 1", syntax("1", "= 1")},
	{"set a = b and c", syntax("and", "b and c")},
	{"set a = b*c", syntax("*", "b*c")},
	{"set a = b; ", syntax(";", "b; ")},
	{"set a=_b", syntax("_", "=_b")},
	{"set a=b[0", syntax("<EOF>", "0")},
	{"set a=:n.b", syntax(".", ":n.b")},
	{"set a..b=c", syntax(".", "..b")},
	{"remove a b", syntax("b", "a b")},
	{"remove a=b", syntax("=", "a=b")},
	{"remove (a)", syntax("(", "remove (a")},
	{"remove set", syntax("set", "remove set")},
	{"add a", syntax("<EOF>", "a")},
	{"add a b", syntax("b", "a b")},
	{"add a (:n)", syntax("(", "a (:n")},
	{"delete a if_not_exists(b)", syntax("if_not_exists", "a if_not_exists(")},

	{"set a=((b))", parentheses},
	{"set a=if_not_exists(((b)),c)", parentheses},
	{"set a=foo(b)", unknown + "foo"},
	{"set a=LIST_APPEND(b,c)", unknown + "LIST_APPEND"},
	{"set a=size(b)", inUpdate + "size"},
	{"set a=attribute_exists(b)", inUpdate + "attribute_exists"},
	{"set a=list_append(list_append(b,c),a)", misused + "list_append"},
	{"set a=if_not_exists(b,list_append(c,a))", misused + "list_append"},
	{"set a=list_append(b,c)+a", misused + "list_append"},
	{"set status=:n", keyword + "status"},
	{"remove Absolute", keyword + "Absolute"},
	{"set a=:nope set status=:n", keyword + "status"},
	{"set a=:n set b=:n", `The "SET" section can only be used once in an update expression;`},
	{"remove a set b=:nope remove c", `The "REMOVE" section can only be used once in an update expression;`},
	{"add a :n add b :n", `The "ADD" section can only be used once in an update expression;`},
	{"delete a :ss Delete b :ss", `The "DELETE" section can only be used once in an update expression;`},

	{"set #nope=:n", undefName + "#nope"},
	{"set a=:nope", undefValue + ":nope"},
	{"set a=if_not_exists(:nope)", undefValue + ":nope"},
	{"set " + deep(33) + "=:n", nesting + "33"},
	{"set a=b[2147483648]", listIndex + "[2147483648]"},
	{"set a=:n, a=:n", overlap + "[a], path two: [a]"},
	{"set a=:n remove a", overlap + "[a], path two: [a]"},
	{"set a.b=:n, a=:n", overlap + "[a, b], path two: [a]"},
	{"remove a, a[1][2]", overlap + "[a], path two: [a, [1], [2]]"},
	{"set a.b[3].#three=:n, a.b[3]=:n", overlap + "[a, b, [3], [3]], path two: [a, b, [3]]"},
	{"set a.b=:n, a[1]=:n", conflict + "[a, b], path two: [a, [1]]"},
	{"remove a.#b set a[1]=:n", conflict + "[a, b], path two: [a, [1]]"},
	{"set a.b=:n remove a.c, b", ""},
	{"set a=if_not_exists(b)", operandCount + "if_not_exists, number of operands: 1"},
	{"set a=list_append(b,c,a)", operandCount + "list_append, number of operands: 3"},
	{"set a=if_not_exists(:n,b)", needsPath + "if_not_exists"},
	{"set a=if_not_exists(if_not_exists(a,b),c)", needsPath + "if_not_exists"},
	{"set a=if_not_exists(b,b)", notDistinct + "if_not_exists, first operand: [b]"},
	{"set a=list_append(:s,b)", operandType + "list_append, operand type: S"},
	{"set a=list_append(b,:ss)", operandType + "list_append, operand type: SS"},
	{"set a=b+:s", operandType + "+, operand type: S"},
	{"set a=:m-b", operandType + "-, operand type: M"},
	{"add a :s", "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"},
	{"add a :bool", "Incorrect operand type for operator or function; operator: ADD, operand type: BOOLEAN, typeSet: ALLOWED_FOR_ADD_OPERAND"},
	{"add a :l", "Incorrect operand type for operator or function; operator: ADD, operand type: LIST, typeSet: ALLOWED_FOR_ADD_OPERAND"},
	{"delete a :n", "Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
	{"delete a :B", "Incorrect operand type for operator or function; operator: DELETE, operand type: BINARY, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
	{"delete a :null", "Incorrect operand type for operator or function; operator: DELETE, operand type: NULL, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
	{"delete a :m", "Incorrect operand type for operator or function; operator: DELETE, operand type: MAP, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
	{"set a = " + strings.Repeat("if_not_exists(b,", 229) + ":n" + strings.Repeat(")", 229), ""},
	{"set " + sums(300), ""},
	{"set " + sums(301), operators},
}

// sums returns n assignments of sums to different attributes.
func sums(n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = "z" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + "=:n+:n"
	}
	return strings.Join(parts, ",")
}

var projectionWording = []wording{
	{"", "The expression can not be empty;"},
	{"!!! INVALID !!!", syntax("!", "!!")},
	{"a,", syntax("<EOF>", ",")},
	{",a", syntax(",", ",a")},
	{"a,,b", syntax(",", ",,b")},
	{"a b c d", syntax("b", "a b c")},
	{"a.", syntax("<EOF>", ".")},
	{"a[", syntax("<EOF>", "[")},
	{"a[]", syntax("]", "[]")},
	{"a[0]b", syntax("b", "]b")},
	{"whatever(stuff)", syntax("(", "whatever(stuff")},
	{":n", syntax(":n", ":n")},
	{"(a)", syntax("(", "(a")},
	{"a-b", syntax("-", "a-b")},
	{"a=b", syntax("=", "a=b")},
	{"a,not", syntax("not", ",not")},
	{"a.abORt", keyword + "abORt"},
	{"#nope, ABSoLUTE", keyword + "ABSoLUTE"},
	{"a,b,a,#nope", undefName + "#nope"},
	{"a[99999999999]", listIndex + "[99999999999]"},
	{deep(33), nesting + "33"},
	{"a,a", overlap + "[a], path two: [a]"},
	{"a, #a[1]", overlap + "[a], path two: [a, [1]]"},
	{"b[1], b.a, #a.b, a", overlap + "[a, b], path two: [a]"},
	{"a.b[1], #a[1]", conflict + "[a, b, [1]], path two: [a, [1]]"},
	{"a[3].b, #a.#three.b", conflict + "[a, [3], b], path two: [a, [3], b]"},
	{"a[0].b[1], a[1], b.a, b.c", ""},
}

// keyWording holds whole messages, because not all have the same prefix.
var keyWording = []wording{
	{"", "Invalid KeyConditionExpression: The expression can not be empty;"},
	{"a", "Invalid KeyConditionExpression: " + syntax("<EOF>", "a")},
	{"((a=:s))", "Invalid KeyConditionExpression: " + parentheses},
	{"status=:s", "Invalid KeyConditionExpression: " + keyword + "status"},
	{"a=:s and BEGINS_WITH(b,:s)", "Invalid KeyConditionExpression: " + unknown + "BEGINS_WITH"},
	{"a=:s and begins_with(b,:n)", "Invalid KeyConditionExpression: " + operandType + "begins_with, operand type: N"},
	{"a=a", "Invalid KeyConditionExpression: " + notDistinct + "=, first operand: [a]"},
	{"a=:s", ""},
	{"(a=:s and (b=:s))", ""},
	{"a=:s or b=:s", "Invalid operator used in KeyConditionExpression: OR"},
	{"not a=:s", "Invalid operator used in KeyConditionExpression: NOT"},
	{"a=:s and not b=:s", "Invalid operator used in KeyConditionExpression: NOT"},
	{"a=:s and b<>:s", "Invalid operator used in KeyConditionExpression: <>"},
	{"a=:s and b in (:s)", "Invalid operator used in KeyConditionExpression: IN"},
	{"attribute_exists(a)", "Invalid operator used in KeyConditionExpression: attribute_exists"},
	{"contains(a.b, c)", "Invalid operator used in KeyConditionExpression: contains"},
	{"size(b)>a and a<>:s", "Invalid KeyConditionExpression: KeyConditionExpressions cannot contain nested operations"},
	{"a between size(b) and size(c)", "Invalid KeyConditionExpression: KeyConditionExpressions cannot contain nested operations"},
	{"a=b", "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
	{"b > a.b", "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
	{"begins_with(a, b)", "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
	{"a between b and size(c)", "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
	{"a.b > c", "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes"},
	{"a[0] = :s", "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes"},
	{":s = :s2", "Invalid condition in KeyConditionExpression: No key attribute specified"},
	{":s between a and b", "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand"},
	{"begins_with(:s, a)", "Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand"},
	{"a=:s and a=:s and b<>:s", "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key"},
}

func TestWording(t *testing.T) {
	t.Parallel()
	filter := func(text string, p *expression.Placeholders) error {
		_, err := expression.ParseCondition("FilterExpression", text, p)
		return err
	}
	update := func(text string, p *expression.Placeholders) error {
		_, err := expression.ParseUpdate(text, p)
		return err
	}
	projection := func(text string, p *expression.Placeholders) error {
		_, err := expression.ParseProjection(text, p)
		return err
	}
	key := func(text string, p *expression.Placeholders) error {
		_, err := expression.ParseKeyCondition(text, p)
		return err
	}
	requireWording(t, "Invalid FilterExpression: ", conditionWording, filter)
	requireWording(t, "Invalid UpdateExpression: ", updateWording, update)
	requireWording(t, "Invalid ProjectionExpression: ", projectionWording, projection)
	requireWording(t, "", keyWording, key)
}

func requireWording(t *testing.T, prefix string, table []wording, parse func(string, *expression.Placeholders) error) {
	t.Helper()
	for _, w := range table {
		want := w.refusal
		if want != "" {
			want = prefix + want
		}
		err := parse(w.text, mustPlaceholders(t, givenNames, givenValues))
		require.Equal(t, want, message(t, err), "%.100s", w.text)
	}
}

func TestConditionIsNamedByItsKind(t *testing.T) {
	t.Parallel()
	_, err := expression.ParseCondition("ConditionExpression", "", mustPlaceholders(t, nil, nil))
	require.Equal(t, "Invalid ConditionExpression: The expression can not be empty;", message(t, err))
}
