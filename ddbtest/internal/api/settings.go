package api

// OnDemandThroughput is the largest throughput of a table or an index on demand, in units per
// second.
type OnDemandThroughput struct {
	MaxReadRequestUnits  *int64 `api:"long"`
	MaxWriteRequestUnits *int64 `api:"long"`
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
