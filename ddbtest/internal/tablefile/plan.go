package tablefile

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
)

// readPlan reads the tables of a plan, or of a state, of Terraform.
func (r *reader) readPlan(values *jsonfile.Value) {
	root := values.Get("root_module")
	if root == nil {
		r.faults.Add(values, "root_module is missing: the plan has no resources, or another format")
		return
	}
	if !r.readModule(root) {
		r.faults.Add(root, "the plan has no resource of the type aws_dynamodb_table")
	}
}

// readModule reads the tables of a module and of its child modules, and reports whether there are
// any.
func (r *reader) readModule(module *jsonfile.Value) (found bool) {
	for _, resource := range module.Get("resources").Elements() {
		kind, mode := resource.Get("type"), resource.Get("mode")
		if kind == nil || kind.Text != "aws_dynamodb_table" || mode != nil && mode.Text == "data" {
			continue
		}
		found = true
		if values := resource.Get("values"); values != nil {
			r.readPlanned(resource, values)
		} else {
			r.faults.Add(resource, "values is missing")
		}
	}
	for _, child := range module.Get("child_modules").Elements() {
		found = r.readModule(child) || found
	}
	return found
}

// readPlanned reads a table with the names of Terraform.
func (r *reader) readPlanned(resource, v *jsonfile.Value) {
	d := &definition{r.faults, func(v *jsonfile.Value) (string, bool) { return v.Text, r.faults.Need(v, jsonfile.Text) }}
	d.check(v, plannedMembers)
	in := &dynamodb.CreateTableInput{KeySchema: d.plannedKey(v, ""), BillingMode: types.BillingModePayPerRequest}
	t := Table{Input: in, Where: r.faults.Where(v)}
	if name := d.optional(v, "name"); name != "" {
		in.TableName = aws.String(name)
	} else {
		name = resourceName(d.optional(resource, "name"), resource.Get("index"))
		in.TableName = aws.String(name)
		t.Note = fmt.Sprintf("the table %q has the name of its resource, because its own name is known only after the deployment", name)
	}
	for _, e := range d.list(v, "attribute", true) {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{
			AttributeName: d.text(e, "name"), AttributeType: types.ScalarAttributeType(aws.ToString(d.text(e, "type"))),
		})
	}
	// The default of Terraform is PROVISIONED.
	if units := d.plannedUnits(v); units != nil && d.optional(v, "billing_mode") != string(types.BillingModePayPerRequest) {
		in.BillingMode, in.ProvisionedThroughput = types.BillingModeProvisioned, units
	}
	for _, e := range d.list(v, "global_secondary_index", false) {
		ix := types.GlobalSecondaryIndex{IndexName: d.text(e, "name"), KeySchema: d.plannedKey(e, ""), Projection: d.plannedProjection(e)}
		if in.ProvisionedThroughput != nil {
			if ix.ProvisionedThroughput = d.plannedUnits(e); ix.ProvisionedThroughput == nil {
				ix.ProvisionedThroughput = in.ProvisionedThroughput
			}
		}
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, ix)
	}
	for _, e := range d.list(v, "local_secondary_index", false) {
		in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, types.LocalSecondaryIndex{
			IndexName: d.text(e, "name"), KeySchema: d.plannedKey(e, d.optional(v, "hash_key")), Projection: d.plannedProjection(e),
		})
	}
	if d.optional(v, "stream_enabled") == "true" {
		in.StreamSpecification = streamOf(d.optional(v, "stream_view_type"))
	}
	for _, e := range d.list(v, "ttl", false) {
		if d.optional(e, "enabled") == "true" {
			t.TTL = d.optional(e, "attribute_name")
		}
	}
	if d.optional(v, "deletion_protection_enabled") == "true" {
		in.DeletionProtectionEnabled = aws.Bool(true)
	}
	for _, e := range d.list(v, "point_in_time_recovery", false) {
		if d.optional(e, "enabled") == "true" {
			t.Recovery = d.recovery(e, "recovery_period_in_days")
		}
	}
	r.tables = append(r.tables, t)
}

// resourceName returns the name of a resource with its index, in the characters of a table's name.
func resourceName(name string, index *jsonfile.Value) string {
	if index != nil {
		name += "-" + index.Text
	}
	return strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_.-", r)) {
			return r
		}
		return '-'
	}, name)
}

// plannedKey reads the key of a table or an index. A local index has the partition key of its
// table.
func (d *definition) plannedKey(v *jsonfile.Value, partition string) []types.KeySchemaElement {
	var schema []types.KeySchemaElement
	if partition == "" {
		partition = d.optional(v, "hash_key")
	}
	for _, e := range d.list(v, "key_schema", false) {
		schema = append(schema, types.KeySchemaElement{
			AttributeName: d.text(e, "attribute_name"), KeyType: types.KeyType(aws.ToString(d.text(e, "key_type"))),
		})
	}
	if len(schema) > 0 {
		return schema
	}
	if partition == "" {
		d.faults.Add(v, "hash_key is missing")
		return nil
	}
	schema = []types.KeySchemaElement{{AttributeName: aws.String(partition), KeyType: types.KeyTypeHash}}
	if sort := d.optional(v, "range_key"); sort != "" {
		schema = append(schema, types.KeySchemaElement{AttributeName: aws.String(sort), KeyType: types.KeyTypeRange})
	}
	return schema
}

func (d *definition) plannedProjection(v *jsonfile.Value) *types.Projection {
	p := &types.Projection{ProjectionType: types.ProjectionType(aws.ToString(d.text(v, "projection_type")))}
	for _, e := range d.list(v, "non_key_attributes", false) {
		if text, ok := d.resolve(e); ok {
			p.NonKeyAttributes = append(p.NonKeyAttributes, text)
		}
	}
	return p
}

func (d *definition) plannedUnits(v *jsonfile.Value) *types.ProvisionedThroughput {
	read, write := d.units(v, "read_capacity"), d.units(v, "write_capacity")
	if read == 0 || write == 0 {
		return nil
	}
	return &types.ProvisionedThroughput{ReadCapacityUnits: &read, WriteCapacityUnits: &write}
}
