package tablefile

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
)

// Table is the definition of a table.
type Table struct {
	Input *dynamodb.CreateTableInput
	TTL   string // the attribute of the time to live, or ""
	Where string // the file, the line and the path
	Note  string // how its name was found, if the file does not contain it
}

// Account is the account in which a template is deployed.
type Account struct{ Region, ID string }

// Load reads the definitions in a file, in the order of the file. Its error lists all faults.
func Load(path string, a Account) ([]Table, error) {
	f := &jsonfile.Faults{File: filepath.ToSlash(path)}
	data, err := os.ReadFile(path) //nolint:gosec // the test's own choice
	if err != nil {
		f.AddLine(0, "%v: a path is relative to the folder of the test's package", fileError(err))
		return nil, f.Err()
	}
	if cure := otherFormat(data); cure != "" {
		f.AddLine(0, "%s", cure)
		return nil, f.Err()
	}
	r := &reader{faults: f, account: a}
	for _, v := range jsonfile.Parse(data, f) {
		r.readValue(v)
	}
	if len(r.tables) == 0 && f.Err() == nil {
		f.AddLine(0, "the file defines no table")
	}
	return r.tables, f.Err()
}

// fileError returns the error without the path.
func fileError(err error) error {
	if at, ok := err.(*os.PathError); ok { //nolint:errorlint // ReadFile returns just this
		return at.Err
	}
	return err
}

// otherFormat returns what to do with a file that is not JSON, or "".
func otherFormat(data []byte) string {
	begin := bytes.TrimSpace(data)
	if len(begin) == 0 {
		return "the file is empty"
	}
	if bytes.ContainsAny(begin[:1], "{[") {
		return ""
	}
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return "this is a saved plan of Terraform: convert it to JSON with terraform show -json"
	case bytes.Contains(data, []byte("aws_dynamodb_table")):
		return "this is Terraform's own language: load the plan, which terraform plan -out and terraform show -json write as JSON"
	case bytes.Contains(data, []byte("AWS::DynamoDB::")):
		return "this is YAML: convert the template to JSON, for example with yq -o json, or load the JSON that cdk synth writes"
	default:
		return "this is not JSON"
	}
}

// reader reads the tables of a file.
type reader struct {
	faults  *jsonfile.Faults
	account Account
	tables  []Table
}

// readValue reads a value, whose members tell its format.
func (r *reader) readValue(v *jsonfile.Value) {
	switch {
	case v.Kind == jsonfile.Array:
		for _, e := range v.List {
			r.readValue(e)
		}
	case v.Kind != jsonfile.Object:
		r.faults.Add(v, "this is %s, not the definition of a table", v.Kind)
	case v.Has("Table"):
		r.readRequest(v.Get("Table"))
	case v.Has("TableDescription"): // the reply of create-table
		r.readRequest(v.Get("TableDescription"))
	case v.Has("Resources"):
		r.readTemplate(v)
	case v.Has("planned_values"):
		r.readPlan(v.Get("planned_values"))
	case v.Has("values") && v.Has("terraform_version"): // of terraform show -json without a plan
		r.readPlan(v.Get("values"))
	case v.Has("TableNames"):
		r.faults.Add(v, "this is a list of names: load the reply of aws dynamodb describe-table for each table")
	case v.Has("TableName"), v.Has("KeySchema"):
		r.readRequest(v)
	default:
		r.faults.Add(v, "this is not the definition of a table: expected a request of CreateTable, a reply of DescribeTable, "+
			"a CloudFormation template, or a plan of Terraform by terraform show -json")
	}
}
