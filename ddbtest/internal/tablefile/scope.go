package tablefile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
)

// scope resolves intrinsic functions: those whose result is in the template, with the default
// values of the parameters.
type scope struct {
	template *jsonfile.Value
	account  Account
	calls    int // functions and conditions so far
}

// Limits of what functions make. A function may use the result of another one more than once, so a
// short template could have a result of any length.
const (
	maxCalls = 10_000
	maxText  = 64 << 10
)

var (
	errCalls = fmt.Errorf("the template uses more than %d intrinsic functions, or a condition uses itself", maxCalls)
	errLong  = fmt.Errorf("the result is longer than %d bytes", maxText)
)

// count counts a function or a condition.
func (s *scope) count() error {
	if s.calls++; s.calls > maxCalls {
		return errCalls
	}
	return nil
}

// literal returns a text, a number or a boolean as text.
func literal(v *jsonfile.Value) (string, error) {
	switch v.Kind {
	case jsonfile.Text, jsonfile.Number, jsonfile.Bool:
		return v.Text, nil
	}
	return "", fmt.Errorf("this is %s, not a string", v.Kind)
}

// text returns the text of a value.
func (s *scope) text(v *jsonfile.Value) (text string, err error) {
	if v.Kind == jsonfile.Object && len(v.List) == 1 {
		text, err = s.call(v.List[0])
	} else {
		text, err = literal(v)
	}
	if err == nil && strings.Contains(text, "{{resolve:") {
		return "", errors.New("the value of a dynamic reference is not in the template")
	}
	return text, err
}

// call returns the result of an intrinsic function.
func (s *scope) call(f *jsonfile.Value) (string, error) {
	if err := s.count(); err != nil {
		return "", err
	}
	switch {
	case f.Name == "Ref" && f.Kind == jsonfile.Text:
		return s.ref(f.Text)
	case f.Name == "Fn::Sub" && f.Kind == jsonfile.Text:
		return s.substitute(f.Text, nil)
	case f.Name == "Fn::Sub" && len(f.Elements()) == 2 && f.List[0].Kind == jsonfile.Text:
		return s.substitute(f.List[0].Text, f.List[1])
	case f.Name == "Fn::Join" && len(f.Elements()) == 2 && f.List[0].Kind == jsonfile.Text && f.List[1].Kind == jsonfile.Array:
		return s.join(f.List[0].Text, f.List[1].List)
	case f.Name == "Fn::FindInMap" && len(f.Elements()) == 3:
		return s.find(f.List)
	default:
		return "", fmt.Errorf("the result of %s is not in the template", f.Name)
	}
}

func (s *scope) ref(name string) (string, error) {
	switch name {
	case "AWS::Region":
		return s.account.Region, nil
	case "AWS::AccountId":
		return s.account.ID, nil
	case "AWS::Partition":
		return "aws", nil
	}
	parameter := s.template.Get("Parameters").Get(name)
	// The default of such a parameter is the name of a parameter of Systems Manager.
	if kind := parameter.Get("Type"); kind != nil && strings.HasPrefix(kind.Text, "AWS::SSM::Parameter::Value<") {
		return "", fmt.Errorf("the value of the parameter %s is in Systems Manager", name)
	}
	if value := parameter.Get("Default"); value != nil {
		return literal(value)
	}
	if parameter != nil {
		return "", fmt.Errorf("the parameter %s has no Default", name)
	}
	return "", fmt.Errorf("the value of %s is not in the template", name)
}

// substitute replaces ${Name} in a text. The names of variables come first. ${!Name} is ${Name}.
func (s *scope) substitute(text string, variables *jsonfile.Value) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		b.WriteString(before)
		if b.Len() > maxText {
			return "", errLong
		}
		if !found {
			return b.String(), nil
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			return "", fmt.Errorf("Fn::Sub has %q without a closing brace", "${")
		}
		text = after
		if literal, ok := strings.CutPrefix(name, "!"); ok {
			b.WriteString("${" + literal + "}")
			continue
		}
		value, err := s.variable(strings.TrimSpace(name), variables)
		if err != nil {
			return "", err
		}
		b.WriteString(value)
	}
}

func (s *scope) variable(name string, variables *jsonfile.Value) (string, error) {
	if v := variables.Get(name); v != nil {
		return s.text(v)
	}
	return s.ref(name)
}

func (s *scope) join(separator string, list []*jsonfile.Value) (string, error) {
	var b strings.Builder
	for i, e := range list {
		if i > 0 {
			b.WriteString(separator)
		}
		text, err := s.text(e)
		if err != nil {
			return "", err
		}
		if b.WriteString(text); b.Len() > maxText {
			return "", errLong
		}
	}
	return b.String(), nil
}

// find returns a value of the template's mappings: by the name of the mapping and two keys.
func (s *scope) find(names []*jsonfile.Value) (string, error) {
	v := s.template.Get("Mappings")
	for _, n := range names {
		name, err := s.text(n)
		if err != nil {
			return "", err
		}
		v = v.Get(name)
	}
	if v == nil {
		return "", fmt.Errorf("Fn::FindInMap finds nothing in the template's Mappings")
	}
	return literal(v)
}
