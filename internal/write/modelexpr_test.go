package write

import (
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/op"
)

// The evaluator is a small model of DynamoDB. It evaluates the expressions of an action as DynamoDB
// does, without the plan.

// requestError is a validation error that DynamoDB returns regardless of the item.
type requestError struct{ reason string }

func (e *requestError) Error() string { return "invalid request: " + e.reason }

// itemError is a validation error that depends on the item, such as adding a number to a text.
type itemError struct{ reason string }

func (e *itemError) Error() string { return "the item does not fit: " + e.reason }

// evaluator evaluates one expression. Its methods panic with *requestError or *itemError, and catch
// recovers.
type evaluator struct {
	action *op.Action
	item   op.Item
	used   map[string]bool
	tokens []string
}

func (e *evaluator) fail(format string, args ...any) {
	panic(&requestError{fmt.Sprintf(format, args...)})
}

// catch calls f and returns its panic as an error.
func catch(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *requestError:
			err = r
		case *itemError:
			err = r
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

func tokenize(text string) []string {
	for _, sign := range []string{"(", ")", ",", "+"} {
		text = strings.ReplaceAll(text, sign, " "+sign+" ")
	}
	return strings.Fields(text)
}

func (e *evaluator) peek() string {
	if len(e.tokens) == 0 {
		return ""
	}
	return e.tokens[0]
}

func (e *evaluator) next() string {
	t := e.peek()
	if t == "" {
		e.fail("the expression ends early")
	}
	e.tokens = e.tokens[1:]
	return t
}

func (e *evaluator) accept(t string) bool {
	if e.peek() != t {
		return false
	}
	e.tokens = e.tokens[1:]
	return true
}

func (e *evaluator) expect(t string) {
	if got := e.next(); got != t {
		e.fail("%s in place of %s", got, t)
	}
}

// name returns the attribute of the current placeholder.
func (e *evaluator) name() string {
	mark := e.next()
	name, ok := e.names()[mark]
	if !ok {
		e.fail("undefined name %s", mark)
	}
	e.used[mark] = true
	return name
}

// names returns the names by placeholder, also those of the projection of a read.
func (e *evaluator) names() map[string]string {
	if e.action.Verb == op.Get {
		return e.action.Names
	}
	return e.action.Expressions().Names
}

// operand returns a value of the old item or of the request, or nil if it is absent.
func (e *evaluator) operand() types.AttributeValue {
	switch t := e.peek(); {
	case t == "if_not_exists":
		e.next()
		e.expect("(")
		old := e.item[e.name()]
		e.expect(",")
		other := e.operand()
		e.expect(")")
		if old != nil {
			return old
		}
		return other
	case t == "list_append":
		e.next()
		e.expect("(")
		a := e.list()
		e.expect(",")
		b := e.list()
		e.expect(")")
		return &types.AttributeValueMemberL{Value: slices.Concat(a, b)}
	case strings.HasPrefix(t, ":"):
		av, ok := e.action.Expressions().Values[t]
		if !ok {
			e.fail("undefined value %s", t)
		}
		e.used[t] = true
		e.next()
		return av
	default:
		return e.item[e.name()]
	}
}

func (e *evaluator) list() []types.AttributeValue {
	l, ok := e.operand().(*types.AttributeValueMemberL)
	if !ok {
		panic(&itemError{"no list"})
	}
	return l.Value
}

// condition evaluates the whole condition.
func (e *evaluator) condition() bool {
	e.tokens = tokenize(e.action.Expressions().Condition)
	if len(e.tokens) == 0 {
		return true
	}
	holds, _ := e.or()
	if t := e.peek(); t != "" {
		e.fail("%s after the condition", t)
	}
	return holds
}

// or and the methods below return the result of a condition, and whether its text is one pair of
// parentheses, because DynamoDB rejects redundant parentheses.
func (e *evaluator) or() (holds, wrapped bool) {
	holds, wrapped = e.and()
	for e.accept("OR") {
		other, _ := e.and()
		holds, wrapped = holds || other, false
	}
	return holds, wrapped
}

func (e *evaluator) and() (holds, wrapped bool) {
	holds, wrapped = e.not()
	for e.accept("AND") {
		other, _ := e.not()
		holds, wrapped = holds && other, false
	}
	return holds, wrapped
}

func (e *evaluator) not() (holds, wrapped bool) {
	if e.accept("NOT") {
		holds, _ = e.not()
		return !holds, false
	}
	switch {
	case e.accept("("):
		holds, wrapped = e.or()
		if wrapped {
			e.fail("redundant parentheses")
		}
		e.expect(")")
		return holds, true
	case e.accept("attribute_exists"):
		return e.exists(), false
	case e.accept("attribute_not_exists"):
		return !e.exists(), false
	case e.accept("attribute_type"):
		return e.isOfType(), false
	}
	left := e.operand()
	sign := e.next()
	right := e.operand()
	switch sign {
	case "=":
		return left != nil && right != nil && same(left, right), false
	case "<>":
		return left == nil || right == nil || !same(left, right), false
	case ">=":
		return atLeast(left, right), false
	case "BETWEEN":
		e.expect("AND")
		last := e.operand()
		return atLeast(left, right) && atLeast(last, left), false
	default:
		e.fail("unknown operator %s", sign)
		return false, false
	}
}

func (e *evaluator) exists() bool {
	e.expect("(")
	there := e.item[e.name()] != nil
	e.expect(")")
	return there
}

func (e *evaluator) isOfType() bool {
	e.expect("(")
	av := e.item[e.name()]
	e.expect(",")
	name, _ := e.operand().(*types.AttributeValueMemberS)
	e.expect(")")
	return av != nil && codec.WireOf(av).String() == name.Value
}

// update evaluates the update expression and returns the new item. All operands refer to the old
// item.
func (e *evaluator) update() op.Item {
	after := maps.Clone(e.item)
	changed := map[string]bool{}
	change := func() string {
		name := e.name()
		if _, key := e.action.Key[name]; key || changed[name] {
			e.fail("%s is a key or changed twice", name)
		}
		changed[name] = true
		return name
	}
	e.tokens = tokenize(e.action.Expressions().Update)
	for len(e.tokens) > 0 {
		section := e.next()
		for more := true; more; more = e.accept(",") {
			name := change()
			switch section {
			case "SET":
				e.expect("=")
				av := e.operand()
				if e.accept("+") {
					av = sumOf(av, e.operand())
				}
				if av == nil {
					panic(&itemError{"SET of nothing"})
				}
				after[name] = av
			case "REMOVE":
				delete(after, name)
			case "ADD":
				after[name] = added(e.item[name], e.operand())
			case "DELETE":
				setOrDelete(after, name, without(e.item[name], e.operand()))
			default:
				e.fail("unknown section %s", section)
			}
		}
	}
	return after
}

func setOrDelete(item op.Item, name string, av types.AttributeValue) {
	if av == nil {
		delete(item, name)
		return
	}
	item[name] = av
}

// unused rejects unused placeholders, as DynamoDB does.
func (e *evaluator) unused() {
	for mark := range e.names() {
		if !e.used[mark] {
			e.fail("unused name %s", mark)
		}
	}
	for mark := range e.action.Expressions().Values {
		if !e.used[mark] {
			e.fail("unused value %s", mark)
		}
	}
}

func added(old, by types.AttributeValue) types.AttributeValue {
	if set, ok := by.(*types.AttributeValueMemberSS); ok {
		union := slices.Clone(set.Value)
		if old != nil {
			have, ok := old.(*types.AttributeValueMemberSS)
			if !ok {
				panic(&itemError{"no set"})
			}
			for _, s := range have.Value {
				if !slices.Contains(union, s) {
					union = append(union, s)
				}
			}
		}
		slices.Sort(union)
		return &types.AttributeValueMemberSS{Value: union}
	}
	if old == nil {
		return by
	}
	return sumOf(old, by)
}

func without(old, gone types.AttributeValue) types.AttributeValue {
	have, ok := old.(*types.AttributeValueMemberSS)
	if !ok {
		return old
	}
	rest := slices.DeleteFunc(slices.Clone(have.Value), func(s string) bool {
		return slices.Contains(gone.(*types.AttributeValueMemberSS).Value, s)
	})
	if len(rest) == 0 {
		return nil
	}
	return &types.AttributeValueMemberSS{Value: rest}
}

func sumOf(a, b types.AttributeValue) types.AttributeValue {
	x, isX := a.(*types.AttributeValueMemberN)
	y, isY := b.(*types.AttributeValueMemberN)
	if !isX || !isY {
		panic(&itemError{"no number"})
	}
	s, _ := new(big.Rat).SetString(x.Value)
	t, _ := new(big.Rat).SetString(y.Value)
	text := s.Add(s, t).FloatString(20)
	return &types.AttributeValueMemberN{Value: strings.TrimSuffix(strings.TrimRight(text, "0"), ".")}
}

func same(a, b types.AttributeValue) bool { return reflect.DeepEqual(a, b) }

// atLeast reports whether both are numbers, and the first is not the smaller one.
func atLeast(a, b types.AttributeValue) bool {
	x, isX := a.(*types.AttributeValueMemberN)
	y, isY := b.(*types.AttributeValueMemberN)
	if !isX || !isY {
		return false
	}
	s, _ := new(big.Rat).SetString(x.Value)
	t, _ := new(big.Rat).SetString(y.Value)
	return s.Cmp(t) >= 0
}
