package tablefile

import (
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
)

// definition reads the members that CreateTable, DescribeTable and CloudFormation have in common.
type definition struct {
	faults *jsonfile.Faults
	// resolve returns the text of a value, and false after adding a fault. V is not nil.
	resolve func(v *jsonfile.Value) (string, bool)
}

// readRequest reads a request of CreateTable or the description of a table.
func (r *reader) readRequest(v *jsonfile.Value) {
	d := definition{r.faults, func(v *jsonfile.Value) (string, bool) {
		return v.Text, r.faults.Need(v, jsonfile.Text)
	}}
	in := d.read(v)
	if in == nil {
		return
	}
	if in.TableName = d.text(v, "TableName"); in.TableName == nil {
		return
	}
	t := Table{Input: in, Where: r.faults.Where(v)}
	d.setSettings(&t, v)
	r.tables = append(r.tables, t)
}

// setSettings reads what requests of their own, or CreateTable, set.
func (d *definition) setSettings(t *Table, v *jsonfile.Value) {
	if ttl := v.Get("TimeToLiveSpecification"); ttl != nil && d.optional(ttl, "Enabled") == "true" {
		t.TTL = aws.ToString(d.text(ttl, "AttributeName"))
	}
	d.setProtection(t, v)
}

// setProtection reads the settings that a replica has, too.
func (d *definition) setProtection(t *Table, v *jsonfile.Value) {
	if d.optional(v, "DeletionProtectionEnabled") == "true" {
		t.Input.DeletionProtectionEnabled = aws.Bool(true)
	}
	if r := v.Get("PointInTimeRecoverySpecification"); d.optional(r, "PointInTimeRecoveryEnabled") == "true" {
		t.Recovery = d.recovery(r, "RecoveryPeriodInDays")
	}
}

// recovery returns point-in-time recovery with the period of that name.
func (d *definition) recovery(v *jsonfile.Value, period string) *types.PointInTimeRecoverySpecification {
	spec := &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)}
	if text := d.optional(v, period); text != "" && text != "0" {
		days, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			d.faults.Add(v.Get(period), "this is not a number of days")
		}
		spec.RecoveryPeriodInDays = aws.Int32(int32(days))
	}
	return spec
}

// read reads everything but the name.
func (d *definition) read(v *jsonfile.Value) *dynamodb.CreateTableInput {
	if !d.faults.Need(v, jsonfile.Object) {
		return nil
	}
	d.check(v, tableMembers)
	in := &dynamodb.CreateTableInput{KeySchema: d.keySchema(v), BillingMode: types.BillingModePayPerRequest}
	for _, e := range d.list(v, "AttributeDefinitions", true) {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{
			AttributeName: d.text(e, "AttributeName"), AttributeType: types.ScalarAttributeType(aws.ToString(d.text(e, "AttributeType"))),
		})
	}
	onDemand := d.optional(v, "BillingMode") == string(types.BillingModePayPerRequest) ||
		d.optional(v.Get("BillingModeSummary"), "BillingMode") == string(types.BillingModePayPerRequest)
	if t := d.throughput(v); t != nil && !onDemand {
		in.BillingMode, in.ProvisionedThroughput = types.BillingModeProvisioned, t
	}
	for _, e := range d.list(v, "GlobalSecondaryIndexes", false) {
		ix := types.GlobalSecondaryIndex{IndexName: d.text(e, "IndexName"), KeySchema: d.keySchema(e), Projection: d.projection(e)}
		if in.ProvisionedThroughput != nil {
			if ix.ProvisionedThroughput = d.throughput(e); ix.ProvisionedThroughput == nil {
				ix.ProvisionedThroughput = in.ProvisionedThroughput
			}
		}
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, ix)
	}
	for _, e := range d.list(v, "LocalSecondaryIndexes", false) {
		in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, types.LocalSecondaryIndex{
			IndexName: d.text(e, "IndexName"), KeySchema: d.keySchema(e), Projection: d.projection(e),
		})
	}
	if s := v.Get("StreamSpecification"); s != nil && s.Kind != jsonfile.Null && d.optional(s, "StreamEnabled") != "false" {
		in.StreamSpecification = streamOf(aws.ToString(d.text(s, "StreamViewType")))
	}
	return in
}

func streamOf(view string) *types.StreamSpecification {
	return &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewType(view)}
}

func (d *definition) keySchema(v *jsonfile.Value) []types.KeySchemaElement {
	var schema []types.KeySchemaElement
	for _, e := range d.list(v, "KeySchema", true) {
		schema = append(schema, types.KeySchemaElement{
			AttributeName: d.text(e, "AttributeName"), KeyType: types.KeyType(aws.ToString(d.text(e, "KeyType"))),
		})
	}
	return schema
}

func (d *definition) projection(v *jsonfile.Value) *types.Projection {
	p := v.Get("Projection")
	if p == nil {
		d.faults.Add(v, "Projection is missing")
		return nil
	}
	projection := &types.Projection{ProjectionType: types.ProjectionType(d.optional(p, "ProjectionType"))}
	for _, e := range d.list(p, "NonKeyAttributes", false) {
		if text, ok := d.resolve(e); ok {
			projection.NonKeyAttributes = append(projection.NonKeyAttributes, text)
		}
	}
	return projection
}

// throughput returns the provisioned throughput, or nil if there is none.
func (d *definition) throughput(v *jsonfile.Value) *types.ProvisionedThroughput {
	t := v.Get("ProvisionedThroughput")
	read, write := d.units(t, "ReadCapacityUnits"), d.units(t, "WriteCapacityUnits")
	if read == 0 || write == 0 {
		return nil
	}
	return &types.ProvisionedThroughput{ReadCapacityUnits: &read, WriteCapacityUnits: &write}
}

// units returns a number of capacity units, or 0 if there is none.
func (d *definition) units(v *jsonfile.Value, name string) int64 {
	text := d.optional(v, name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		d.faults.Add(v.Get(name), "this is not a number of capacity units")
		return 0
	}
	return n
}

// text returns a required text.
func (d *definition) text(v *jsonfile.Value, name string) *string {
	m := v.Get(name)
	if m == nil {
		d.faults.Add(v, "%s is missing", name)
		return nil
	}
	if text, ok := d.resolve(m); ok {
		return aws.String(text)
	}
	return nil
}

// optional returns a text, a number or a boolean as text, or "". V may be nil.
func (d *definition) optional(v *jsonfile.Value, name string) string {
	switch m := v.Get(name); {
	case m == nil, m.Kind == jsonfile.Null:
		return ""
	case m.Kind == jsonfile.Number, m.Kind == jsonfile.Bool:
		return m.Text
	default:
		text, _ := d.resolve(m)
		return text
	}
}

// list returns the elements of a list of objects or texts.
func (d *definition) list(v *jsonfile.Value, name string, required bool) []*jsonfile.Value {
	m := v.Get(name)
	switch {
	case m == nil && required:
		d.faults.Add(v, "%s is missing", name)
		return nil
	case m == nil, m.Kind == jsonfile.Null:
		return nil
	case m.Kind == jsonfile.Object && len(m.List) == 1 && strings.HasPrefix(m.List[0].Name, "Fn::"):
		d.faults.Add(m, "the result of %s is not in the template: write the list into a copy of the template", m.List[0].Name)
		return nil
	case !d.faults.Need(m, jsonfile.Array):
		return nil
	}
	return m.List
}
