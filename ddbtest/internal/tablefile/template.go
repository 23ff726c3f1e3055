package tablefile

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
)

// readTemplate reads the tables of a CloudFormation template.
func (r *reader) readTemplate(template *jsonfile.Value) {
	resources := template.Get("Resources")
	if !r.faults.Need(resources, jsonfile.Object) {
		return
	}
	s := &scope{template: template, account: r.account}
	found := false
	for _, resource := range resources.List {
		kind := resource.Get("Type")
		if kind == nil || kind.Text != "AWS::DynamoDB::Table" && kind.Text != "AWS::DynamoDB::GlobalTable" {
			continue
		}
		found = true
		if s.leftOut(resource) {
			continue
		}
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
	s.choose(v)
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
	d.setSettings(&t, v)
	if replica := s.replica(v.Get("Replicas").Elements()); replica != nil {
		d.setProtection(&t, replica)
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

// replica returns the replica in the Region of the account, or else the first one, or nil.
func (s *scope) replica(replicas []*jsonfile.Value) *jsonfile.Value {
	for _, r := range replicas {
		region := r.Get("Region")
		if region == nil {
			continue
		}
		if name, err := s.text(region); err == nil && name == s.account.Region {
			return r
		}
	}
	if len(replicas) == 0 {
		return nil
	}
	return replicas[0]
}
