package api

// OnDemandThroughput is the largest throughput of a table or an index on demand, in units per
// second.
type OnDemandThroughput struct {
	MaxReadRequestUnits  *int64 `api:"long"`
	MaxWriteRequestUnits *int64 `api:"long"`
}

// WarmThroughput is the throughput that a table or an index serves at once, in units per second.
type WarmThroughput struct {
	ReadUnitsPerSecond  *int64 `api:"long"`
	WriteUnitsPerSecond *int64 `api:"long"`
}

// WarmThroughputDescription describes the warm throughput.
type WarmThroughputDescription struct {
	ReadUnitsPerSecond  *int64
	WriteUnitsPerSecond *int64
	Status              string
}

// SSESpecification selects the key that encrypts a table.
type SSESpecification struct {
	Enabled        *bool
	SSEType        string `api:"enum=AES256|KMS"`
	KMSMasterKeyId *string
}

// SSEDescription describes the encryption of a table with a key of KMS.
type SSEDescription struct {
	Status          string
	SSEType         string
	KMSMasterKeyArn string
}

// TableClassSummary is the class of a table.
type TableClassSummary struct {
	TableClass         string
	LastUpdateDateTime *float64 // seconds since 1970
}
