package api

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
}

// ThroughputDescription is the capacity in units per second.
type ThroughputDescription struct {
	ReadCapacityUnits  *int64
	WriteCapacityUnits *int64
}

// BillingModeSummary is the billing mode of a table.
type BillingModeSummary struct {
	BillingMode                       string
	LastUpdateToPayPerRequestDateTime *float64
}
