package differential

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// readTable converts replies about tables. It omits names, times, sizes and counts, which engines
// may choose or report later. A change is compared only by its success. Later descriptions show the
// result.
func readTable(o *outcome, reply any) {
	switch r := reply.(type) {
	case *dynamodb.DescribeTableOutput:
		readDescription(o, r.Table)
	case *dynamodb.DescribeTimeToLiveOutput:
		if ttl := r.TimeToLiveDescription; ttl != nil {
			o.facts["TimeToLive"] = fmt.Sprint(enabled(ttl.TimeToLiveStatus), " ", aws.ToString(ttl.AttributeName))
		}
	case *dynamodb.UpdateTimeToLiveOutput:
		if ttl := r.TimeToLiveSpecification; ttl != nil {
			o.facts["TimeToLive"] = fmt.Sprint(aws.ToBool(ttl.Enabled), " ", aws.ToString(ttl.AttributeName))
		}
	}
}

// enabled treats a setting in progress as done.
func enabled(status types.TimeToLiveStatus) bool {
	return status == types.TimeToLiveStatusEnabled || status == types.TimeToLiveStatusEnabling
}

func readDescription(o *outcome, t *types.TableDescription) {
	o.facts["TableName"] = aws.ToString(t.TableName)
	o.facts["TableStatus"] = string(t.TableStatus)
	o.facts["KeySchema"] = schemaText(t.KeySchema)
	var definitions []string
	for _, d := range t.AttributeDefinitions {
		definitions = append(definitions, aws.ToString(d.AttributeName)+" "+string(d.AttributeType))
	}
	slices.Sort(definitions)
	o.facts["AttributeDefinitions"] = strings.Join(definitions, ", ")
	if t.BillingModeSummary != nil {
		o.facts["BillingMode"] = string(t.BillingModeSummary.BillingMode)
	}
	if s := t.StreamSpecification; s != nil && aws.ToBool(s.StreamEnabled) {
		o.facts["StreamViewType"] = string(s.StreamViewType)
	}
	for _, x := range t.GlobalSecondaryIndexes {
		o.facts["index "+aws.ToString(x.IndexName)] = schemaText(x.KeySchema) + projectionText(x.Projection) + string(x.IndexStatus)
	}
	for _, x := range t.LocalSecondaryIndexes {
		o.facts["local index "+aws.ToString(x.IndexName)] = schemaText(x.KeySchema) + projectionText(x.Projection)
	}
}

func schemaText(schema []types.KeySchemaElement) string {
	var b strings.Builder
	for _, element := range schema {
		fmt.Fprintf(&b, "%s %s, ", aws.ToString(element.AttributeName), element.KeyType)
	}
	return b.String()
}

func projectionText(p *types.Projection) string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf("%s %v ", p.ProjectionType, slices.Sorted(slices.Values(p.NonKeyAttributes)))
}
