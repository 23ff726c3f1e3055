package api

import (
	"strings"
)

// AttributeDefinition is the type of a key attribute.
type AttributeDefinition struct {
	AttributeName string `api:"required,min=1,max=255"`
	AttributeType string `api:"required,enum=B|N|S"`
}

// KeySchemaElement is one attribute of a key.
type KeySchemaElement struct {
	AttributeName string `api:"required,min=1,max=255"`
	KeyType       string `api:"required,enum=HASH|RANGE"`
}

// Projection is the attributes that are projected into an index.
type Projection struct {
	NonKeyAttributes []string `api:"min=1,max=20,each=255"`
	ProjectionType   string   `api:"enum=ALL|INCLUDE|KEYS_ONLY"`
}

// ProvisionedThroughput is the capacity in units per second.
type ProvisionedThroughput struct {
	WriteCapacityUnits *int64 `api:"required,min=1,long"`
	ReadCapacityUnits  *int64 `api:"required,min=1,long"`
}

// GlobalSecondaryIndex is a global secondary index to create.
type GlobalSecondaryIndex struct {
	IndexName             string             `api:"required,name"`
	KeySchema             []KeySchemaElement `api:"required,min=1,max=8"`
	Projection            *Projection        `api:"required"`
	ProvisionedThroughput *ProvisionedThroughput
	OnDemandThroughput    *OnDemandThroughput
	WarmThroughput        *WarmThroughput
}

// LocalSecondaryIndex is a local secondary index to create.
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

// Tag is a tag of a table.
type Tag struct {
	Key   *string `api:"required,min=1,max=128"`
	Value *string `api:"required,min=0,max=256"`
}

// CreateTableInput is the request of CreateTable.
type CreateTableInput struct {
	TableName                 string                `api:"parameter,name,table"`
	AttributeDefinitions      []AttributeDefinition `api:"required"`
	KeySchema                 []KeySchemaElement    `api:"required,min=1,max=2"`
	LocalSecondaryIndexes     []LocalSecondaryIndex
	GlobalSecondaryIndexes    []GlobalSecondaryIndex
	BillingMode               string `api:"enum=PROVISIONED|PAY_PER_REQUEST"`
	ProvisionedThroughput     *ProvisionedThroughput
	StreamSpecification       *StreamSpecification
	Tags                      []Tag
	DeletionProtectionEnabled *bool
	OnDemandThroughput        *OnDemandThroughput
	WarmThroughput            *WarmThroughput
	SSESpecification          *SSESpecification
	TableClass                string   `api:"enum=STANDARD|STANDARD_INFREQUENT_ACCESS"`
	Unsupported               []string `api:"unsupported=ResourcePolicy|GlobalTableSourceArn|GlobalTableSettingsReplicationMode|VectorIndexes"`
}

// TableInput is the request of DescribeTable, DeleteTable and DescribeTimeToLive.
type TableInput struct {
	TableName string `api:"parameter,table"`
}

// TableOutput is the reply to CreateTable, DeleteTable and UpdateTable.
type TableOutput struct {
	TableDescription *TableDescription
}

// DescribeTableOutput is the reply to DescribeTable.
type DescribeTableOutput struct {
	Table *TableDescription
}

// ListTablesInput is the request of ListTables.
type ListTablesInput struct {
	ExclusiveStartTableName *string `api:"name"`
	Limit                   *int64  `api:"min=1,max=100"`
}

// ListTablesOutput is the reply to ListTables.
type ListTablesOutput struct {
	LastEvaluatedTableName *string
	TableNames             []string
}

// UpdateTableInput is the request of UpdateTable.
type UpdateTableInput struct {
	TableName                   string `api:"parameter,table"`
	AttributeDefinitions        []AttributeDefinition
	BillingMode                 string `api:"enum=PROVISIONED|PAY_PER_REQUEST"`
	ProvisionedThroughput       *ProvisionedThroughput
	GlobalSecondaryIndexUpdates []GlobalSecondaryIndexUpdate
	StreamSpecification         *StreamSpecification
	DeletionProtectionEnabled   *bool
	OnDemandThroughput          *OnDemandThroughput
	WarmThroughput              *WarmThroughput
	SSESpecification            *SSESpecification
	TableClass                  string   `api:"enum=STANDARD|STANDARD_INFREQUENT_ACCESS"`
	Unsupported                 []string `api:"unsupported=ReplicaUpdates|MultiRegionConsistency|GlobalTableWitnessUpdates|GlobalTableSettingsReplicationMode|VectorIndexUpdates|DisassociationProtectionEnabled"`
}

// GlobalSecondaryIndexUpdate is one change of an index. Exactly one member is set.
type GlobalSecondaryIndexUpdate struct {
	Create *GlobalSecondaryIndex
	Update *UpdateGlobalSecondaryIndex
	Delete *DeleteGlobalSecondaryIndex
}

// UpdateGlobalSecondaryIndex changes the throughput of an index.
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

// TableName returns the table name. A request names a table by its name or by its ARN.
func TableName(nameOrARN string) string {
	if !strings.HasPrefix(nameOrARN, "arn:") {
		return nameOrARN
	}
	_, resource, ok := strings.Cut(nameOrARN, ":table/")
	if !ok {
		return nameOrARN
	}
	name, _, _ := strings.Cut(resource, "/")
	return name
}
