package api

import "time"

// TableDescription describes a table.
type TableDescription struct {
	AttributeDefinitions      []AttributeDefinition
	TableName                 string
	KeySchema                 []KeySchemaElement
	TableStatus               string
	CreationDateTime          *float64 // seconds since 1970
	ProvisionedThroughput     *ThroughputDescription
	TableSizeBytes            *int64
	ItemCount                 *int64
	TableArn                  string
	TableId                   string
	BillingModeSummary        *BillingModeSummary
	LocalSecondaryIndexes     []IndexDescription
	GlobalSecondaryIndexes    []IndexDescription
	StreamSpecification       *StreamSpecification
	LatestStreamLabel         *string
	LatestStreamArn           *string
	DeletionProtectionEnabled *bool
	OnDemandThroughput        *OnDemandThroughput
	WarmThroughput            *WarmThroughputDescription
	SSEDescription            *SSEDescription
	TableClassSummary         *TableClassSummary
}

// IndexDescription describes an index.
type IndexDescription struct {
	IndexName             string
	KeySchema             []KeySchemaElement
	Projection            *Projection
	IndexStatus           string
	Backfilling           *bool
	ProvisionedThroughput *ThroughputDescription
	IndexSizeBytes        *int64
	ItemCount             *int64
	IndexArn              string
	OnDemandThroughput    *OnDemandThroughput
	WarmThroughput        *WarmThroughputDescription
}

// ThroughputDescription is the capacity in units per second, and its changes.
type ThroughputDescription struct {
	LastIncreaseDateTime   *float64
	LastDecreaseDateTime   *float64
	NumberOfDecreasesToday *int64 // of this UTC day
	ReadCapacityUnits      *int64
	WriteCapacityUnits     *int64
}

// BillingModeSummary is the billing mode of a table.
type BillingModeSummary struct {
	BillingMode                       string
	LastUpdateToPayPerRequestDateTime *float64
}

// Seconds returns a time in seconds since 1970 with milliseconds, or nil if it is zero.
func Seconds(t time.Time) *float64 {
	if t.IsZero() {
		return nil
	}
	return Pointer(float64(t.UnixMilli()) / 1000)
}

// Pointer returns a pointer to a value, for members that may be absent.
func Pointer[T any](v T) *T { return &v }
