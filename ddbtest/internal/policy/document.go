package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Document is a parsed policy document. It is immutable.
type Document struct{ statements []statement }

// statement is one statement. An empty list of patterns does not occur.
type statement struct {
	deny         bool
	actions      []pattern
	notActions   bool
	resources    []pattern
	notResources bool
	conditions   []condition
}

// version is the only supported version. An older one has no policy variables.
const version = "2012-10-17"

// Parse parses a document. Variables are the values of policy variables, by their names without
// "${" and "}", such as "aws:PrincipalTag/tenant". They are also condition keys. Parse returns the
// first error of the document, which names the element that is invalid or not supported.
func Parse(document []byte, variables map[string]string) (*Document, error) {
	p, err := newParser(variables)
	if err != nil {
		return nil, err
	}
	members, err := object(document)
	if err != nil {
		return nil, err
	}
	d, versioned := &Document{}, false
	for _, m := range members {
		switch m.name {
		case "Version":
			versioned = string(m.value) == `"`+version+`"`
		case "Id":
		case "Statement":
			d.statements, err = p.statements(m.value)
		default:
			err = errors.New("the element is unknown")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
	}
	switch {
	case !versioned:
		return nil, fmt.Errorf("only the Version %q is supported: an older one has no policy variables", version)
	case len(d.statements) == 0:
		return nil, errors.New("the document has no Statement")
	}
	return d, nil
}

// parser parses the elements of a document.
type parser struct{ variables map[string]string }

// newParser rejects values that contain a wildcard, because the documentation does not say whether
// such a wildcard counts. The names of variables are not case-sensitive.
func newParser(variables map[string]string) (*parser, error) {
	p := &parser{variables: make(map[string]string, len(variables))}
	for name, v := range variables {
		key := strings.ToLower(name)
		_, own := contextKeys[key]
		_, twice := p.variables[key]
		switch {
		case own:
			return nil, fmt.Errorf("the variable %s has the name of a condition key, whose value comes from the request", name)
		case twice:
			return nil, fmt.Errorf("the variable %s appears twice: the case of its name does not count", name)
		case !strings.Contains(name, ":"):
			return nil, fmt.Errorf("the variable %q has no prefix: write it as in the document, such as aws:PrincipalTag/tenant", name)
		case strings.ContainsAny(v, "*?$"):
			return nil, fmt.Errorf("the value of the variable %s contains a wildcard or a dollar sign: encode it", name)
		}
		p.variables[key] = v
	}
	return p, nil
}

// statements parses a list of statements, or one statement.
func (p *parser) statements(raw json.RawMessage) ([]statement, error) {
	list := elements(raw)
	statements := make([]statement, len(list))
	for i, raw := range list {
		s, err := p.statement(raw)
		if err != nil {
			return nil, fmt.Errorf("statement %d: %w", i+1, err)
		}
		statements[i] = s
	}
	return statements, nil
}

func (p *parser) statement(raw json.RawMessage) (s statement, err error) {
	members, err := object(raw)
	if err != nil {
		return s, err
	}
	has := func(name string) bool {
		return slices.ContainsFunc(members, func(m member) bool { return m.name == name })
	}
	switch {
	case !has("Effect"):
		return s, errors.New("it has no Effect")
	case has("Action") == has("NotAction"):
		return s, errors.New("it needs one of Action and NotAction")
	case has("Resource") == has("NotResource"):
		return s, errors.New("it needs one of Resource and NotResource")
	}
	for _, m := range members {
		if err := p.element(&s, m); err != nil {
			return s, fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return s, nil
}

// element parses one element of a statement.
func (p *parser) element(s *statement, m member) (err error) {
	switch m.name {
	case "Sid":
	case "Effect":
		s.deny, err = denies(m.value)
	case "Action", "NotAction":
		s.notActions = m.name == "NotAction"
		s.actions, err = actions(m.value)
	case "Resource", "NotResource":
		s.notResources = m.name == "NotResource"
		s.resources, err = p.resources(m.value)
	case "Condition":
		s.conditions, err = p.conditions(m.value)
	case "Principal", "NotPrincipal":
		err = errors.New("a policy of a client has no principal")
	default:
		err = errors.New("the element is unknown")
	}
	return err
}

func denies(raw json.RawMessage) (bool, error) {
	switch string(raw) {
	case `"Allow"`:
		return false, nil
	case `"Deny"`:
		return true, nil
	default:
		return false, errors.New("it must be Allow or Deny")
	}
}

// actions parses the patterns of actions, which have no variables and no case.
func actions(raw json.RawMessage) ([]pattern, error) {
	texts, err := stringList(raw)
	if err != nil {
		return nil, err
	}
	list := make([]pattern, len(texts))
	for i, text := range texts {
		name := strings.ToLower(text)
		switch {
		case name != "*" && !strings.Contains(name, ":"):
			return nil, fmt.Errorf("%q has no service: write dynamodb:%s", text, text)
		case name == "dynamodb:transactwriteitems":
			return nil, fmt.Errorf("there is no action %s: write PutItem, UpdateItem, DeleteItem and ConditionCheckItem", text)
		case name == "dynamodb:transactgetitems":
			return nil, fmt.Errorf("there is no action %s: write GetItem", text)
		}
		list[i] = literalPattern(name)
	}
	return list, nil
}

// resources parses the patterns of ARNs.
func (p *parser) resources(raw json.RawMessage) ([]pattern, error) {
	texts, err := stringList(raw)
	if err != nil {
		return nil, err
	}
	for _, text := range texts {
		if text != "*" && !strings.HasPrefix(text, "arn:") {
			return nil, fmt.Errorf("%q is neither an ARN nor *", text)
		}
	}
	return p.patterns(raw, true)
}

// patterns parses texts with variables. Without wildcards, their signs stand for themselves.
func (p *parser) patterns(raw json.RawMessage, wildcards bool) ([]pattern, error) {
	texts, err := stringList(raw)
	if err != nil {
		return nil, err
	}
	list := make([]pattern, len(texts))
	for i, text := range texts {
		if list[i], err = p.pattern(text, wildcards); err != nil {
			return nil, err
		}
	}
	return list, nil
}
