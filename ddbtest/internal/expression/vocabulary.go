package expression

// vocabulary judges the words of an expression, in the order of its text: functions that do not exist or cannot stand where they do, reserved
// names, and indexes beyond all lists. What placeholders stand for it does not ask.
type vocabulary struct {
	source
	grammar grammar
}

// place is where a node stands, which decides what functions it may be.
type place uint8

const (
	conditionPlace place = iota
	operandPlace
	assignedPlace // all that a SET assigns
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
		case step.name != "" && isReserved(step.name): // none begins with a placeholder's sign
			return s.refuse("Attribute name is a reserved keyword; reserved keyword: %s", step.name)
		}
	}
	return nil
}
