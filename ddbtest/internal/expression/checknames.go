package expression

// nameChecker checks the names in an expression, in the order of the text: unknown functions,
// functions that are not allowed where they are, reserved words, and list indexes that are too
// large. It does not look at what placeholders stand for.
type nameChecker struct {
	sourceText
	grammar grammar
}

// position is the context of a node. It decides which functions are allowed.
type position uint8

const (
	conditionPosition position = iota
	operandPosition
	assignmentPosition // the whole right side of a SET
)

func (v nameChecker) check(n node, at position) error {
	switch n := n.(type) {
	case *documentPath:
		return v.checkPath(n)
	case *call:
		return v.checkCall(n, at)
	case *operation:
		inside := operandPosition
		if n.operator == and || n.operator == or || n.operator == not {
			inside = conditionPosition
		}
		return v.checkAll(n.operands, inside)
	}
	return nil
}

func (v nameChecker) checkAll(nodes []node, at position) error {
	for _, n := range nodes {
		if err := v.check(n, at); err != nil {
			return err
		}
	}
	return nil
}

func (v nameChecker) checkCall(c *call, at position) error {
	f, ok := functions[c.name]
	switch {
	case !ok:
		return v.errorf("Invalid function name; function: %s", c.name)
	case f.grammar != v.grammar:
		return v.errorf("The function is not allowed in %s; function: %s", string(v.grammar), c.name)
	case !f.allowedAt(at):
		return v.errorf("The function is not allowed to be used this way in an expression; function: %s", c.name)
	}
	return v.checkAll(c.operands, operandPosition)
}

func (f *function) allowedAt(at position) bool {
	switch at {
	case conditionPosition:
		return f.test != nil
	case assignmentPosition:
		return f.value != nil || f.assign != nil
	default:
		return f.value != nil
	}
}

func (s sourceText) checkPath(p *documentPath) error {
	for _, step := range p.steps {
		switch {
		case step.name == "" && step.index < 0:
			return s.errorf("List index is not within the allowable range; index: [%s]", step.digits)
		// No reserved word begins with the sign of a placeholder.
		case step.name != "" && isReserved(step.name):
			return s.errorf("Attribute name is a reserved keyword; reserved keyword: %s", step.name)
		}
	}
	return nil
}
