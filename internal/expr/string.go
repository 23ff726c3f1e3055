package expr

import "strings"

// String returns the form of a condition, with a ? for each operand.
func (c *Cond) String() string {
	switch {
	case c == nil || c.Err != nil && c.Path == nil && len(c.Children) == 0:
		return "(invalid)"
	case c.Op == Not:
		return "NOT (" + c.Children[0].String() + ")"
	case c.Op == And || c.Op == Or:
		return c.joined()
	}
	path := c.Path.String()
	if c.Size {
		path = "size(" + path + ")"
	}
	switch c.Op {
	case Exists, NotExists:
		return c.Op.String() + "(" + path + ")"
	case Type:
		return c.Op.String() + "(" + path + ", " + c.Type + ")"
	case BeginsWith, Substring, Contains:
		return c.Op.String() + "(" + path + ", ?)"
	case Between:
		return path + " BETWEEN ? AND ?"
	case During:
		return path + " >= ? AND " + path + " < ?"
	case In:
		return path + " IN (" + questionMarks(len(c.Args)) + ")"
	case Eq, Ne, Lt, Le, Gt, Ge:
		if c.Other != nil {
			return path + " " + c.Op.String() + " " + c.Other.String()
		}
		return path + " " + c.Op.String() + " ?"
	default:
		return "(invalid)"
	}
}

func (c *Cond) joined() string {
	if len(c.Children) == 1 {
		return c.Children[0].String()
	}
	texts := make([]string, len(c.Children))
	for i, child := range c.Children {
		texts[i] = child.String()
		if child.Op == And || child.Op == Or || child.Op == During {
			texts[i] = "(" + texts[i] + ")"
		}
	}
	return strings.Join(texts, " "+c.Op.String()+" ")
}

// String returns the form of a change, with a ? for its operand.
func (c *Change) String() string {
	switch {
	case c == nil || c.Err != nil && c.Path == nil:
		return "(invalid)"
	case c.Verb == If:
		return "If(" + All(c.Conds...).String() + ")"
	case c.Verb == Remove:
		return "Remove(" + c.Path.String() + ")"
	default:
		return c.Verb.String() + "(" + c.Path.String() + ", ?)"
	}
}

func questionMarks(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }
