package expr

import (
	"github.com/trestledb/trestle/internal/clause"
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
	pred, err := Compile(p, c)
	if err != nil {
		return "", err
	}
	text := string(pred.Render(nil, b))
	return text, CheckCondition(text)
}

// Compile compiles a tree. It reports all errors at once, and limits only if there is no other
// error.
func Compile(p *core.Plan, c *Cond) (clause.Pred, error) {
	k := compiler{plan: p}
	pred := k.cond(c)
	return pred, Err(k.problems)
}

// compiler compiles one condition. It continues after an error to find the others.
type compiler struct {
	plan     *core.Plan
	problems errs.Problems
}

func (k *compiler) cond(c *Cond) clause.Pred {
	if c.Err != nil {
		k.problems.AddErr("", c.Err)
		return nil
	}
	switch c.Op {
	case And:
		return clause.And(k.children(c))
	case Or:
		return clause.Or(k.children(c))
	case Not:
		inner := c.Children[0]
		if inner.Op == Not && inner.Err == nil {
			return k.cond(inner.Children[0])
		}
		return clause.Not{Pred: k.cond(inner)}
	default:
		p, err := k.predicate(c)
		k.problems.AddErr("", err)
		return p
	}
}

func (k *compiler) children(c *Cond) []clause.Pred {
	list := make([]clause.Pred, len(c.Children))
	for i, child := range c.Children {
		list[i] = k.cond(child)
	}
	return list
}
