package tablefile

import (
	"bytes"
	"io/fs"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
)

// Table is the definition of a table.
type Table struct {
	Input *dynamodb.CreateTableInput
	TTL   string // the attribute of the time to live, or ""
	Where string // the file, the line and the path
	Note  string // how its name was found, if the file does not contain it

	Recovery *types.PointInTimeRecoverySpecification // nil if it is off
}

// Account is the account in which a template is deployed.
type Account struct{ Region, ID string }

// Load reads the definitions in a file, in the order of the file. Its error lists all faults.
func Load(files fs.FS, path string, a Account) ([]Table, error) {
	f := new(jsonfile.Faults)
	data, ok := jsonfile.Read(files, path, f)
	if !ok {
		return nil, f.Err()
	}
	if cure := OtherFormat(data); cure != "" {
		f.AddLine(0, "%s", cure)
		return nil, f.Err()
	}
	tables := Read(jsonfile.Parse(data, f), a, f)
	if len(tables) == 0 && f.Err() == nil {
		f.AddLine(0, "the file defines no table")
	}
	return tables, f.Err()
}

// Read reads the definitions in the values of a file.
func Read(values []*jsonfile.Value, a Account, f *jsonfile.Faults) []Table {
	r := &reader{faults: f, account: a}
	for _, v := range values {
		r.readValue(v)
	}
	return r.tables
}

// NotJSON is the fault of a file that has no known format.
const NotJSON = "this is not JSON"

// OtherFormat returns what to do with a file that is not JSON, or "".
func OtherFormat(data []byte) string {
	begin := bytes.TrimSpace(data)
	switch {
	case bytes.HasPrefix(begin, []byte("{")), bytes.HasPrefix(begin, []byte("[")):
		return ""
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return "this is a saved plan of Terraform: convert it to JSON with terraform show -json"
	case bytes.Contains(data, []byte("aws_dynamodb_table")):
		return "this is Terraform's own language: load the plan, which terraform plan -out and terraform show -json write as JSON"
	case bytes.Contains(data, []byte("AWS::DynamoDB::")):
		return "this is YAML: convert the template to JSON, for example with yq -o json, or load the JSON that cdk synth writes"
	default:
		return NotJSON
	}
}

// reader reads the tables of a file.
type reader struct {
	faults  *jsonfile.Faults
	account Account
	tables  []Table
}

// formats are the formats of tables. The first one that a value has tells how to read it.
var formats = []struct {
	has  func(v *jsonfile.Value) bool
	read func(r *reader, v *jsonfile.Value)
}{
	{has("Table"), func(r *reader, v *jsonfile.Value) { r.readRequest(v.Get("Table")) }},
	// The reply of create-table.
	{has("TableDescription"), func(r *reader, v *jsonfile.Value) { r.readRequest(v.Get("TableDescription")) }},
	{has("Resources"), (*reader).readTemplate},
	{has("planned_values"), func(r *reader, v *jsonfile.Value) { r.readPlan(v.Get("planned_values")) }},
	// Terraform show -json without a plan.
	{has("values", "terraform_version"), func(r *reader, v *jsonfile.Value) { r.readPlan(v.Get("values")) }},
	{has("TableNames"), func(r *reader, v *jsonfile.Value) {
		r.faults.Add(v, "this is a list of names: load the reply of aws dynamodb describe-table for each table")
	}},
	{has("TableName"), (*reader).readRequest},
	{has("KeySchema"), (*reader).readRequest},
}

// has returns a function that reports whether a value has all these members.
func has(names ...string) func(*jsonfile.Value) bool {
	return func(v *jsonfile.Value) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !v.Has(name) })
	}
}

// Expected describes the formats of tables.
const Expected = "a request of CreateTable, a reply of DescribeTable, a CloudFormation template, or a plan of Terraform by terraform show -json"

// Defines reports whether a value, or the first element of an array, has one of the formats of
// tables.
func Defines(v *jsonfile.Value) bool {
	if list := v.Elements(); len(list) > 0 {
		return Defines(list[0])
	}
	for _, format := range formats {
		if format.has(v) {
			return true
		}
	}
	return false
}

// readValue reads a value, whose members tell its format.
func (r *reader) readValue(v *jsonfile.Value) {
	switch v.Kind {
	case jsonfile.Array:
		for _, e := range v.List {
			r.readValue(e)
		}
		return
	case jsonfile.Object:
	default:
		r.faults.Add(v, "this is %s, not the definition of a table", v.Kind)
		return
	}
	for _, format := range formats {
		if format.has(v) {
			format.read(r, v)
			return
		}
	}
	r.faults.Add(v, "this is not the definition of a table: expected "+Expected)
}
