package expression

import "github.com/trestledb/trestle/ddbtest/internal/value"

const (
	maxOperators   = 300
	maxInOperands  = 100
	maxSubstituted = 1_048_576 // bytes, with the names and values of the placeholders
)

// binder converts nodes with valid names into operands and predicates. It replaces placeholders,
// checks the operands of operators and functions, and counts operators and bytes.
type binder struct {
	sourceText
	placeholders *Placeholders
	paths        []Path // in the order of the expression
	operators    int
	size         int
}

func newBinder(s sourceText, p *Placeholders) *binder {
	return &binder{sourceText: s, placeholders: p, size: len(s.text)}
}

// finish rejects an expression with too many operators or bytes.
func (b *binder) finish() error {
	switch {
	case b.operators > maxOperators:
		// The service stops counting there.
		return b.errorf("The expression contains too many operators; operator count: %d", maxOperators+1)
	case b.size > maxSubstituted:
		return b.errorf("Expression size has exceeded the maximum allowed size;")
	}
	return nil
}

// bindPath binds a node that is a path.
func (b *binder) bindPath(n node) (Path, error) {
	if p, ok := n.(*resolvedPath); ok {
		if err := b.checkDepth(len(p.path)); err != nil {
			return nil, err
		}
		b.paths = append(b.paths, p.path)
		return p.path, nil
	}
	return b.bindDocumentPath(n.(*documentPath))
}

func (b *binder) checkDepth(levels int) error {
	if levels > maxPathDepth {
		return b.errorf("The document path has too many nesting levels; nesting levels: %d", levels)
	}
	return nil
}

func (b *binder) bindDocumentPath(p *documentPath) (Path, error) {
	if err := b.checkDepth(len(p.steps)); err != nil {
		return nil, err
	}
	path := make(Path, len(p.steps))
	for i, s := range p.steps {
		path[i] = Element{s.name, s.index}
		if s.name == "" || s.name[0] != '#' {
			continue
		}
		name, ok := b.placeholders.name(s.name)
		if !ok {
			return nil, b.errorf("An expression attribute name used in the document path is not defined; attribute name: %s", s.name)
		}
		path[i].Name = name
		b.size += len(name)
	}
	b.paths = append(b.paths, path)
	return path, nil
}

// bindLiteral binds a node that is a value.
func (b *binder) bindLiteral(n node) (literal, error) {
	if c, ok := n.(*constant); ok {
		return literal{c.value}, nil
	}
	p := n.(*placeholder)
	v, ok := b.placeholders.value(p.name)
	if !ok {
		return literal{}, b.errorf("An expression attribute value used in expression is not defined; attribute value: %s", p.name)
	}
	if b.size <= maxSubstituted { // beyond the limit the sum need not be exact
		b.size += value.Size(v)
	}
	return literal{v}, nil
}

// bindOperand binds a node that has a value.
func (b *binder) bindOperand(n node) (operand, error) {
	switch n := n.(type) {
	case *placeholder, *constant:
		return b.bindLiteral(n)
	case *call:
		f, operands, err := b.bindCall(n)
		return functionCall{f, operands}, err
	case *operation:
		return nil, b.errorf("Unsupported operator in an operand; operator: %s", n.operator.symbol)
	default:
		return b.bindPath(n)
	}
}

func (b *binder) bindOperands(nodes []node) ([]operand, error) {
	operands := make([]operand, len(nodes))
	for i, n := range nodes {
		o, err := b.bindOperand(n)
		if err != nil {
			return nil, err
		}
		operands[i] = o
	}
	return operands, nil
}

// bindCall binds a function and checks its operands.
func (b *binder) bindCall(c *call) (*function, operandList, error) {
	b.operators++
	f := functions[c.name]
	operands, err := b.bindOperands(c.operands)
	if err != nil {
		return nil, nil, err
	}
	if len(operands) != len(f.operands) {
		return nil, nil, b.errorf("Incorrect number of operands for operator or function; operator or function: %s, number of operands: %d", c.name, len(operands))
	}
	for i, rule := range f.operands {
		if err := b.checkOperand(operands[i], rule, c.name); err != nil {
			return nil, nil, err
		}
	}
	if f.distinct {
		if err := b.checkDistinct(operands, c.name); err != nil {
			return nil, nil, err
		}
	}
	if f.check != nil {
		if err := f.check(b, operands); err != nil {
			return nil, nil, err
		}
	}
	return f, operands, nil
}

// checkOperand checks an operand against a rule of an operator or a function.
func (b *binder) checkOperand(o operand, rule operandRule, name string) error {
	if _, ok := o.(Path); rule.path && !ok {
		return b.errorf("Operator or function requires a document path; operator or function: %s", name)
	}
	if !rule.kinds.allows(o.kind()) {
		return b.errorf("Incorrect operand type for operator or function; operator or function: %s, operand type: %s", name, o.kind())
	}
	return nil
}

// checkDistinct rejects a comparison of a path with itself.
func (b *binder) checkDistinct(operands []operand, name string) error {
	first, ok := operands[0].(Path)
	if !ok {
		return nil
	}
	for _, o := range operands[1:] {
		if other, ok := o.(Path); ok && first.equal(other) {
			return b.errorf("The first operand must be distinct from the remaining operands for this operator or function; operator: %s, first operand: %s",
				name, first)
		}
	}
	return nil
}

// bindOperation binds the operands of an operator, and checks them.
func (b *binder) bindOperation(o *operation) ([]operand, error) {
	b.operators++
	operands, err := b.bindOperands(o.operands)
	if err != nil {
		return nil, err
	}
	for _, operand := range operands {
		if err := b.checkOperand(operand, operandOf(o.operator.kinds), o.operator.symbol); err != nil {
			return nil, err
		}
	}
	if !o.operator.distinct {
		return operands, nil
	}
	return operands, b.checkDistinct(operands, o.operator.symbol)
}
