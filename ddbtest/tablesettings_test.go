package ddbtest_test

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

const (
	keyOfThings = `"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]`
	plannedKey  = `"name":"things","hash_key":"pk","attribute":[{"name":"pk","type":"S"}]`
)

// The formats of tables, with the members of a table in between.
var tableFormats = map[string]string{
	"request":      `{"TableName":"things",` + keyOfThings + `%s}`,
	"description":  `{"Table":{"TableName":"things",` + keyOfThings + `%s}}`,
	"template":     `{"Resources":{"T":{"Type":"AWS::DynamoDB::Table","Properties":{"TableName":"things",` + keyOfThings + `%s}}}}`,
	"global table": `{"Resources":{"T":{"Type":"AWS::DynamoDB::GlobalTable","Properties":{"TableName":"things",` + keyOfThings + `%s}}}}`,
	"plan":         `{"planned_values":{"root_module":{"resources":[{"type":"aws_dynamodb_table","name":"t","values":{` + plannedKey + `%s}}]}}}`,
}

func tableFile(t *testing.T, format, settings string) string {
	t.Helper()
	return writeFile(t, "table.json", fmt.Sprintf(tableFormats[format], settings))
}

// TestSettingsOfFiles checks that deletion protection and point-in-time recovery are those of the
// file. It fails if the loader leaves one of them out.
func TestSettingsOfFiles(t *testing.T) {
	t.Parallel()
	const protected = `"DeletionProtectionEnabled":true,"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":7}`
	for _, c := range []struct {
		format, settings string
		on               bool
	}{
		{"request", "," + protected, true},
		{"description", `,"DeletionProtectionEnabled":true,"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":7}`, true},
		{"template", "," + protected, true},
		{"template", `,"DeletionProtectionEnabled":"false","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":false}`, false},
		{"global table", `,"Replicas":[{"Region":"eu-north-1"},{"Region":{"Ref":"AWS::Region"},` + protected + `}]`, true},
		{"global table", `,"Replicas":[{"Region":"eu-north-1",` + protected + `},{"Region":"us-east-1"}]`, false},
		{"global table", `,"Replicas":[{"Region":"eu-north-1",` + protected + `},{"Region":"eu-west-1"}]`, true},
		{"plan", `,"deletion_protection_enabled":true,"point_in_time_recovery":[{"enabled":true,"recovery_period_in_days":7}]`, true},
		{"plan", `,"deletion_protection_enabled":false,"point_in_time_recovery":[{"enabled":false,"recovery_period_in_days":null}]`, false},
	} {
		db := ddbtest.Start(t)
		db.CreateTables(t, tableFile(t, c.format, c.settings))
		client := db.Client()
		backups, err := client.DescribeContinuousBackups(t.Context(), &dynamodb.DescribeContinuousBackupsInput{TableName: aws.String(things)})
		require.NoError(t, err)
		recovery := backups.ContinuousBackupsDescription.PointInTimeRecoveryDescription
		_, err = client.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String(things)})
		if !c.on {
			require.Equal(t, types.PointInTimeRecoveryStatusDisabled, recovery.PointInTimeRecoveryStatus, c)
			require.NoError(t, err, c)
			continue
		}
		require.Equal(t, types.PointInTimeRecoveryStatusEnabled, recovery.PointInTimeRecoveryStatus, c)
		require.Equal(t, int32(7), *recovery.RecoveryPeriodInDays, c)
		require.Error(t, err, c)
	}
}

// TestUnsupportedSettingsOfFiles checks that a setting is refused if it changes what clients see
// and is not supported, or if it is unknown. It fails if the loader leaves one of them out.
func TestUnsupportedSettingsOfFiles(t *testing.T) {
	t.Parallel()
	for format, list := range map[string][]string{
		"request": {
			`"VectorIndexes":[{"IndexName":"v"}]`, `"ResourcePolicy":"{}"`, `"GlobalTableSourceArn":"arn"`, `"GlobalTableSettingsReplicationMode":"ENABLED"`,
			`"DeletionProtection":true`, `"GlobalSecondaryIndices":[{"IndexName":"i"}]`, `"ProvisionedThroughput":{"ReadCapacity":5}`,
			`"StreamSpecification":{"StreamEnabled":false,"ViewType":"KEYS_ONLY"}`,
		},
		"description": {
			`"VectorIndexes":[{"IndexName":"v"}]`, `"MultiRegionConsistency":"STRONG"`, `"GlobalTableWitnesses":[{"RegionName":"r"}]`, `"DisassociationProtectionEnabled":true`,
		},
		"template": {
			`"VectorIndexes":{"Fn::If":["Unknown",[],[]]}`, `"ResourcePolicy":{"PolicyDocument":{"Version":"2012-10-17"}}`, `"KinesisStreamSpecification":{"StreamArn":"arn"}`,
			`"ImportSourceSpecification":{"InputFormat":"DYNAMODB_JSON"}`, `"StreamSpecification":{"StreamViewType":"KEYS_ONLY","ResourcePolicy":{"PolicyDocument":{"a":1}}}`,
			`"PointInTimeRecoverySpecification":{"Enabled":true}`, `"TimeToLive":{"Enabled":true}`,
		},
		"global table": {
			`"MultiRegionConsistency":"STRONG"`, `"GlobalTableWitnesses":[{"Region":"r"}]`,
			`"Replicas":[{"Region":"eu-north-1","KinesisStreamSpecification":{"StreamArn":"arn"}}]`, `"Replicas":[{"Region":"eu-north-1","ResourcePolicy":{"a":1}}]`,
		},
		"plan": {
			`"vector_index":[{"name":"v"}]`, `"import_table":[{"input_format":"CSV"}]`, `"restore_source_name":"other"`, `"restore_to_latest_time":true`,
			`"replica":[{"region_name":"eu-north-1","consistency_mode":"STRONG"}]`, `"deletion_protection":true`, `"ttl":[{"attribute":"until"}]`,
		},
	} {
		for _, setting := range list {
			test := new(fakeTest)
			db := ddbtest.Start(test)
			require.Nil(t, db.CreateTables(test, tableFile(t, format, ","+setting)), setting)
			require.Len(t, test.failures, 1, "%s: %s", format, setting)
		}
	}
}

// TestHarmlessSettingsOfFiles checks that settings which change nothing for clients, and those that
// are off, are accepted.
func TestHarmlessSettingsOfFiles(t *testing.T) {
	t.Parallel()
	for format, settings := range map[string]string{
		"request": `"VectorIndexes":[],"ResourcePolicy":null,"Tags":[{"Key":"a","Value":"b"}],"SSESpecification":{"Enabled":true},"TableClass":"STANDARD",
			"OnDemandThroughput":{"MaxReadRequestUnits":5},"WarmThroughput":{"ReadUnitsPerSecond":5}`,
		"description": `"TableStatus":"ACTIVE","ItemCount":7,"TableArn":"a","Replicas":[{"RegionName":"eu-north-1","ReplicaStatus":"ACTIVE"}],"GlobalTableVersion":"2019.11.21",
			"MultiRegionConsistency":"EVENTUAL","GlobalTableSettingsReplicationMode":"ENABLED_WITH_OVERRIDES","SSEDescription":{"Status":"ENABLED"},
			"RestoreSummary":{"RestoreInProgress":false},"DisassociationProtectionEnabled":false`,
		"template": `"Tags":[{"Key":"a","Value":{"Fn::ImportValue":"x"}}],"ContributorInsightsSpecification":{"Enabled":true},"KinesisStreamSpecification":{"Ref":"AWS::NoValue"}`,
		"global table": `"WriteProvisionedThroughputSettings":{"WriteCapacityAutoScalingSettings":{"MinCapacity":1}},"Replicas":[{"Region":"eu-north-1","Tags":[{"Key":"a","Value":"b"}],
			"SSESpecification":{"KMSMasterKeyId":"k"},"GlobalSecondaryIndexes":[{"IndexName":"i"}]}]`,
		"plan": `"id":"x","arn":"a","tags":{"a":"b"},"tags_all":{"a":"b"},"timeouts":{"create":"5m"},"restore_source_name":null,"import_table":[],"table_class":"STANDARD",
			"replica":[{"region_name":"eu-north-1","consistency_mode":"EVENTUAL"}],"server_side_encryption":[{"enabled":true}],"region":"us-east-1","restore_to_latest_time":null`,
	} {
		require.Equal(t, []string{things}, ddbtest.Start(t).CreateTables(t, tableFile(t, format, ","+settings)), format)
	}
}
