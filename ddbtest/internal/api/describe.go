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
	OnDemandThroughput        *OnDemandThroughput
	WarmThroughput            *WarmThroughputDescription
	LocalSecondaryIndexes     []IndexDescription
	GlobalSecondaryIndexes    []IndexDescription
	StreamSpecification       *StreamSpecification
	LatestStreamLabel         *string
	LatestStreamArn           *string
	SSEDescription            *SSEDescription
	TableClassSummary         *TableClassSummary
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
	OnDemandThroughput    *OnDemandThroughput
	WarmThroughput        *WarmThroughputDescription
	IndexSizeBytes        *int64
	ItemCount             *int64
	IndexArn              string
}

// ThroughputDescription is the capacity in units per second, and when it was changed.
type ThroughputDescription struct {
	LastIncreaseDateTime   *float64
	LastDecreaseDateTime   *float64
	NumberOfDecreasesToday *int64
	ReadCapacityUnits      *int64
	WriteCapacityUnits     *int64
}

// BillingModeSummary is the billing mode of a table.
type BillingModeSummary struct {
	BillingMode                       string
	LastUpdateToPayPerRequestDateTime *float64
}

// WarmThroughputDescription is the load that a table or an index can serve immediately.
type WarmThroughputDescription struct {
	ReadUnitsPerSecond  *int64
	WriteUnitsPerSecond *int64
	Status              string
}

// SSEDescription is the requested encryption.
type SSEDescription struct {
	Status          string
	SSEType         string
	KMSMasterKeyArn *string
}

// TableClassSummary is the class of a table.
type TableClassSummary struct {
	TableClass string
}
