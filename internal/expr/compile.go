package expr

import (
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
)

// Condition compiles a tree to a ConditionExpression or FilterExpression. It returns "" for a nil
// tree. It reports all errors at once, and limits only if there is no other error. The text has no
// outer parentheses. Callers that join it to other conditions add them, because DynamoDB rejects
// redundant parentheses.
func Condition(b *Builder, p *core.Plan, c *Cond) (string, error) {
	if c == nil {
		return "", nil
	}
	k := compiler{b: b, plan: p}
	text := k.cond(c).text
	if err := Err(k.problems); err != nil {
		return "", err
	}
	return text, CheckCondition(text)
}

// compiler compiles one expression. It continues after an error to find the others.
type compiler struct {
	b        *Builder
	plan     *core.Plan
	problems errs.Problems
}

// fragment is the text of a node and its top-level operator: And, Or, or 0 for any other.
type fragment struct {
	text string
	top  Op
}

func (k *compiler) cond(c *Cond) fragment {
	if c.Err != nil {
		k.problems.AddErr("", c.Err)
		return fragment{}
	}
	switch c.Op {
	case And, Or:
		return k.join(c)
	case Not:
		inner := c.Children[0]
		if inner.Op == Not && inner.Err == nil {
			return k.cond(inner.Children[0])
		}
		return fragment{"NOT " + k.cond(inner).parenthesize(Not), 0}
	default:
		f, err := k.predicate(c)
		k.problems.AddErr("", err)
		return f
	}
}

func (k *compiler) join(c *Cond) fragment {
	if len(c.Children) == 1 {
		return k.cond(c.Children[0])
	}
	texts := make([]string, len(c.Children))
	for i, child := range c.Children {
		texts[i] = k.cond(child).parenthesize(c.Op)
	}
	return joined(c.Op, texts...)
}

// joined joins texts that need no parentheses under the operator.
func joined(op Op, texts ...string) fragment {
	return fragment{strings.Join(texts, operators[op].text), op}
}

// parenthesize returns the text as an operand of op, with parentheses if it needs them.
func (p fragment) parenthesize(op Op) string {
	if p.top == 0 || p.top == op {
		return p.text
	}
	return "(" + p.text + ")"
}
