package tablefile

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
)

// readTemplate reads the tables of a CloudFormation template.
func (r *reader) readTemplate(template *jsonfile.Value) {
	resources := template.Get("Resources")
	if !r.faults.Need(resources, jsonfile.Object) {
		return
	}
	s := &scope{template, r.account}
	found := false
	for _, resource := range resources.List {
		kind := resource.Get("Type")
		if kind == nil || kind.Text != "AWS::DynamoDB::Table" && kind.Text != "AWS::DynamoDB::GlobalTable" {
			continue
		}
		found = true
		if properties := resource.Get("Properties"); properties != nil {
			r.readResource(s, resource.Name, properties)
		} else {
			r.faults.Add(resource, "Properties is missing")
		}
	}
	if !found {
		r.faults.Add(resources, "the template has no resource of the type AWS::DynamoDB::Table or AWS::DynamoDB::GlobalTable")
	}
}

// readResource reads a table. CloudFormation makes a name of the logical ID if the template has
// none.
func (r *reader) readResource(s *scope, id string, v *jsonfile.Value) {
	d := definition{r.faults, func(v *jsonfile.Value) (string, bool) {
		text, err := s.text(v)
		if err != nil {
			r.faults.Add(v, "%v: write the text into a copy of the template", err)
		}
		return text, err == nil
	}}
	in := d.read(v)
	if in == nil {
		return
	}
	t := Table{Input: in, Where: r.faults.Where(v)}
	t.name(s, id, v.Get("TableName"))
	if ttl := v.Get("TimeToLiveSpecification"); ttl != nil && d.optional(ttl, "Enabled") == "true" {
		t.TTL = aws.ToString(d.text(ttl, "AttributeName"))
	}
	r.tables = append(r.tables, t)
}

// name sets the name of the table.
func (t *Table) name(s *scope, id string, name *jsonfile.Value) {
	t.Input.TableName = aws.String(id)
	if name == nil {
		t.Note = fmt.Sprintf("the table %q has its logical ID as its name, because it has no TableName", id)
		return
	}
	text, err := s.text(name)
	if err != nil {
		t.Note = fmt.Sprintf("the table %q has its logical ID as its name: TableName: %v", id, err)
		return
	}
	t.Input.TableName = aws.String(text)
}

// scope resolves intrinsic functions: those whose result is in the template, with the default
// values of the parameters.
type scope struct {
	template *jsonfile.Value
	account  Account
}

// text returns the text of a value.
func (s *scope) text(v *jsonfile.Value) (string, error) {
	switch v.Kind {
	case jsonfile.Text, jsonfile.Number, jsonfile.Bool:
		return v.Text, nil
	case jsonfile.Object:
		if len(v.List) == 1 {
			return s.call(v.List[0])
		}
	}
	return "", fmt.Errorf("this is %s, not a string", v.Kind)
}

// call returns the result of an intrinsic function.
func (s *scope) call(f *jsonfile.Value) (string, error) {
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
	if value := parameter.Get("Default"); value != nil {
		return s.text(value)
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
	parts := make([]string, len(list))
	for i, e := range list {
		var err error
		if parts[i], err = s.text(e); err != nil {
			return "", err
		}
	}
	return strings.Join(parts, separator), nil
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
	return s.text(v)
}
