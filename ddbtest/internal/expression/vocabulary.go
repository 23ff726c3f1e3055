package expression

// vocabulary checks the names in an expression, in the order of the text: unknown functions,
// functions that are not allowed where they are, reserved words, and list indexes that are too
// large. It does not look at what placeholders stand for.
type vocabulary struct {
	source
	grammar grammar
}

// place is the context of a node. It decides which functions are allowed.
type place uint8

const (
	conditionPlace place = iota
	operandPlace
	assignedPlace // the whole right side of a SET
)

func (v vocabulary) check(n node, at place) error {
	switch n := n.(type) {
	case *documentPath:
		return v.checkPath(n)
	case *call:
		return v.checkCall(n, at)
	case *operation:
		inside := operandPlace
		if n.operator == and || n.operator == or || n.operator == not {
			inside = conditionPlace
		}
		return v.checkAll(n.operands, inside)
	}
	return nil
}

func (v vocabulary) checkAll(nodes []node, at place) error {
	for _, n := range nodes {
		if err := v.check(n, at); err != nil {
			return err
		}
	}
	return nil
}

func (v vocabulary) checkCall(c *call, at place) error {
	f, ok := functions[c.name]
	switch {
	case !ok:
		return v.refuse("Invalid function name; function: %s", c.name)
	case f.grammar != v.grammar:
		return v.refuse("The function is not allowed in %s; function: %s", string(v.grammar), c.name)
	case !f.mayStand(at):
		return v.refuse("The function is not allowed to be used this way in an expression; function: %s", c.name)
	}
	return v.checkAll(c.operands, operandPlace)
}

func (f *function) mayStand(at place) bool {
	switch at {
	case conditionPlace:
		return f.test != nil
	case assignedPlace:
		return f.value != nil || f.assign != nil
	default:
		return f.value != nil
	}
}

func (s source) checkPath(p *documentPath) error {
	for _, step := range p.steps {
		switch {
		case step.name == "" && step.index < 0:
			return s.refuse("List index is not within the allowable range; index: [%s]", step.digits)
		// No reserved word begins with the sign of a placeholder.
		case step.name != "" && isReserved(step.name):
			return s.refuse("Attribute name is a reserved keyword; reserved keyword: %s", step.name)
		}
	}
	return nil
}
