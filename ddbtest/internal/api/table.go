package api

// AttributeDefinition is a key attribute's type.
type AttributeDefinition struct {
	AttributeName string `api:"required,min=1,max=255"`
	AttributeType string `api:"required,enum=B|N|S"`
}

// KeySchemaElement is an attribute's part in a key.
type KeySchemaElement struct {
	AttributeName string `api:"required,min=1,max=255"`
	KeyType       string `api:"required,enum=HASH|RANGE"`
}

// Projection is what an index holds beside the keys.
type Projection struct {
	NonKeyAttributes []string `api:"min=1,max=20,each=255"`
	ProjectionType   string   `api:"enum=ALL|INCLUDE|KEYS_ONLY"`
}

// ProvisionedThroughput is units per second.
type ProvisionedThroughput struct {
	WriteCapacityUnits *int64 `api:"required,min=1,long"`
	ReadCapacityUnits  *int64 `api:"required,min=1,long"`
}

// OnDemandThroughput bounds on-demand use; -1 is none.
type OnDemandThroughput struct {
	MaxReadRequestUnits  *int64 `api:"long"`
	MaxWriteRequestUnits *int64 `api:"long"`
}

// WarmThroughput is what a table can serve at once.
type WarmThroughput struct {
	ReadUnitsPerSecond  *int64 `api:"long"`
	WriteUnitsPerSecond *int64 `api:"long"`
}

// GlobalSecondaryIndex is an index to make.
type GlobalSecondaryIndex struct {
	IndexName             string             `api:"required,name"`
	KeySchema             []KeySchemaElement `api:"required,min=1,max=8"`
	Projection            *Projection        `api:"required"`
	ProvisionedThroughput *ProvisionedThroughput
	OnDemandThroughput    *OnDemandThroughput
	WarmThroughput        *WarmThroughput
}

// LocalSecondaryIndex is an index to make.
type LocalSecondaryIndex struct {
	IndexName  string             `api:"required,name"`
	KeySchema  []KeySchemaElement `api:"required,min=1,max=2"`
	Projection *Projection        `api:"required"`
}

// StreamSpecification turns a stream on or off.
type StreamSpecification struct {
	StreamEnabled  *bool  `api:"required"`
	StreamViewType string `api:"enum=NEW_IMAGE|OLD_IMAGE|NEW_AND_OLD_IMAGES|KEYS_ONLY"`
}

// SSESpecification is kept and returned; nothing is encrypted.
type SSESpecification struct {
	Enabled        *bool
	SSEType        string `api:"enum=AES256|KMS"`
	KMSMasterKeyId *string
}

// Tag is a tag of a table.
type Tag struct {
	Key   *string `api:"required,min=1,max=128"`
	Value *string `api:"required,min=0,max=256"`
}

// CreateTableInput is a request.
type CreateTableInput struct {
	TableName                 string                `api:"parameter,name,table"`
	AttributeDefinitions      []AttributeDefinition `api:"required"`
	KeySchema                 []KeySchemaElement    `api:"required,min=1,max=2"`
	LocalSecondaryIndexes     []LocalSecondaryIndex
	GlobalSecondaryIndexes    []GlobalSecondaryIndex
	BillingMode               string `api:"enum=PROVISIONED|PAY_PER_REQUEST"`
	ProvisionedThroughput     *ProvisionedThroughput
	OnDemandThroughput        *OnDemandThroughput
	WarmThroughput            *WarmThroughput
	StreamSpecification       *StreamSpecification
	SSESpecification          *SSESpecification
	Tags                      []Tag
	TableClass                string `api:"enum=STANDARD|STANDARD_INFREQUENT_ACCESS"`
	DeletionProtectionEnabled *bool
	Unread                    []string `api:"unread=ResourcePolicy|GlobalTableSourceArn|GlobalTableSettingsReplicationMode|VectorIndexes"`
}

// TableInput names a table: DescribeTable, DeleteTable, DescribeTimeToLive.
type TableInput struct {
	TableName string `api:"parameter,table"`
}

// TableOutput is the reply of CreateTable, DeleteTable and UpdateTable.
type TableOutput struct {
	TableDescription *TableDescription
}

// DescribeTableOutput is a reply.
type DescribeTableOutput struct {
	Table *TableDescription
}

// ListTablesInput is a request.
type ListTablesInput struct {
	ExclusiveStartTableName *string `api:"name"`
	Limit                   *int64  `api:"min=1,max=100"`
}

// ListTablesOutput is its reply.
type ListTablesOutput struct {
	LastEvaluatedTableName *string
	TableNames             []string
}

// UpdateTableInput is a request.
type UpdateTableInput struct {
	TableName                   string `api:"parameter,table"`
	AttributeDefinitions        []AttributeDefinition
	BillingMode                 string `api:"enum=PROVISIONED|PAY_PER_REQUEST"`
	ProvisionedThroughput       *ProvisionedThroughput
	OnDemandThroughput          *OnDemandThroughput
	WarmThroughput              *WarmThroughput
	GlobalSecondaryIndexUpdates []GlobalSecondaryIndexUpdate
	StreamSpecification         *StreamSpecification
	SSESpecification            *SSESpecification
	TableClass                  string `api:"enum=STANDARD|STANDARD_INFREQUENT_ACCESS"`
	DeletionProtectionEnabled   *bool
	Unread                      []string `api:"unread=ReplicaUpdates|MultiRegionConsistency|GlobalTableWitnessUpdates|GlobalTableSettingsReplicationMode|VectorIndexUpdates|DisassociationProtectionEnabled"`
}

// GlobalSecondaryIndexUpdate is one change of an index: one member is there.
type GlobalSecondaryIndexUpdate struct {
	Create *GlobalSecondaryIndex
	Update *UpdateGlobalSecondaryIndex
	Delete *DeleteGlobalSecondaryIndex
}

// UpdateGlobalSecondaryIndex changes an index's throughput.
type UpdateGlobalSecondaryIndex struct {
	IndexName             string `api:"required,name"`
	ProvisionedThroughput *ProvisionedThroughput
	OnDemandThroughput    *OnDemandThroughput
	WarmThroughput        *WarmThroughput
}

// DeleteGlobalSecondaryIndex removes an index.
type DeleteGlobalSecondaryIndex struct {
	IndexName string `api:"required,name"`
}
