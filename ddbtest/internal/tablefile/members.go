package tablefile

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
)

// members are the members that objects of one kind may have. Each is read, is left out because it
// changes nothing that a client of the table can see, or is refused because it does. Any other one
// is refused, too: it may be misspelled, or newer than this list.
type members struct {
	read    string
	leftOut string
	refused map[string]string // with what to do
	below   map[string]members
}

// Why members are left out:
//
//   - description, replica, arn: they describe a table that exists elsewhere
//   - Tags: they change the costs of an account, and no access, because policies of ddbtest do not
//     know them
//   - SSESpecification, TableClass: the replies are the same
//   - throughput that adjusts itself, warm throughput and limits of on-demand throughput: they are
//     kept by the API without an effect
//   - ContributorInsightsSpecification: it makes metrics of other services
//   - Replicas: the database is one Region of the table
const (
	description = "TableStatus CreationDateTime ItemCount TableSizeBytes TableArn TableId LatestStreamLabel LatestStreamArn " +
		"SSEDescription TableClassSummary ArchivalSummary RestoreSummary GlobalTableVersion"
	settings = "Tags SSESpecification TableClass OnDemandThroughput WarmThroughput ContributorInsightsSpecification Replicas " +
		"WriteProvisionedThroughputSettings ReadProvisionedThroughputSettings WriteOnDemandThroughputSettings ReadOnDemandThroughputSettings"
)

const (
	notSupported = "ddbtest does not support it"
	loadItems    = "ddbtest does not read the source of a table: leave this out of a copy of the file, and load the items"
)

// tableMembers are those of a request of CreateTable, of the description of a table, and of a
// resource of CloudFormation.
var tableMembers = members{
	read: "TableName KeySchema AttributeDefinitions BillingMode BillingModeSummary ProvisionedThroughput " +
		"GlobalSecondaryIndexes LocalSecondaryIndexes " +
		"StreamSpecification TimeToLiveSpecification DeletionProtectionEnabled PointInTimeRecoverySpecification",
	leftOut: description + " " + settings,
	refused: map[string]string{
		"VectorIndexes":                      notSupported,
		"ResourcePolicy":                     notSupported + ": DB.WithPolicy restricts a client",
		"KinesisStreamSpecification":         notSupported,
		"ImportSourceSpecification":          loadItems,
		"GlobalTableSourceArn":               notSupported,
		"GlobalTableWitnesses":               notSupported,
		"GlobalTableSettingsReplicationMode": notSupported,
		"DisassociationProtectionEnabled":    notSupported,
		"MultiRegionConsistency":             notSupported,
	},
	below: map[string]members{
		"GlobalSecondaryIndexes":           indexMembers,
		"LocalSecondaryIndexes":            indexMembers,
		"KeySchema":                        {read: "AttributeName KeyType"},
		"AttributeDefinitions":             {read: "AttributeName AttributeType"},
		"StreamSpecification":              {read: "StreamEnabled StreamViewType", refused: map[string]string{"ResourcePolicy": notSupported}},
		"TimeToLiveSpecification":          {read: "Enabled AttributeName"},
		"PointInTimeRecoverySpecification": recoveryMembers,
		"ProvisionedThroughput":            throughputMembers,
		// The replica of the database's Region has settings of the table.
		"Replicas": {
			read:    "DeletionProtectionEnabled PointInTimeRecoverySpecification",
			leftOut: "Region RegionName " + replica + " " + settings,
			refused: map[string]string{"ResourcePolicy": notSupported, "KinesisStreamSpecification": notSupported},
			below:   map[string]members{"PointInTimeRecoverySpecification": recoveryMembers},
		},
	},
}

const replica = "ReplicaStatus ReplicaArn ReplicaStatusDescription ReplicaStatusPercentProgress ReplicaInaccessibleDateTime ReplicaTableClassSummary " +
	"KMSMasterKeyId ProvisionedThroughputOverride OnDemandThroughputOverride GlobalSecondaryIndexes ReplicaStreamSpecification GlobalTableSettingsReplicationMode"

var (
	indexMembers = members{
		read: "IndexName KeySchema Projection ProvisionedThroughput",
		leftOut: "IndexStatus Backfilling IndexSizeBytes ItemCount IndexArn OnDemandThroughput WarmThroughput ContributorInsightsSpecification " +
			"WriteProvisionedThroughputSettings ReadProvisionedThroughputSettings WriteOnDemandThroughputSettings ReadOnDemandThroughputSettings",
		below: map[string]members{
			"KeySchema":  {read: "AttributeName KeyType"},
			"Projection": {read: "ProjectionType NonKeyAttributes"},

			"ProvisionedThroughput": throughputMembers,
		},
	}
	throughputMembers = members{
		read: "ReadCapacityUnits WriteCapacityUnits", leftOut: "NumberOfDecreasesToday LastIncreaseDateTime LastDecreaseDateTime",
	}
	recoveryMembers = members{read: "PointInTimeRecoveryEnabled RecoveryPeriodInDays"}
)

// plannedMembers are those of a table of Terraform.
var plannedMembers = members{
	read: "name billing_mode hash_key range_key attribute global_secondary_index local_secondary_index read_capacity write_capacity " +
		"stream_enabled stream_view_type ttl deletion_protection_enabled point_in_time_recovery",
	leftOut: "id arn region stream_arn stream_label tags tags_all timeouts table_class server_side_encryption on_demand_throughput warm_throughput replica",
	refused: map[string]string{
		"vector_index":             notSupported,
		"restore_source_name":      loadItems,
		"restore_source_table_arn": loadItems,
		"restore_date_time":        loadItems,
		"restore_to_latest_time":   loadItems,
		"restore_backup_arn":       loadItems,
		"import_table":             loadItems,
		"global_table_witness":     notSupported,
	},
	below: map[string]members{
		"attribute":              {read: "name type"},
		"global_secondary_index": plannedIndexMembers,
		"local_secondary_index":  plannedIndexMembers,
		"ttl":                    {read: "attribute_name enabled"},
		"point_in_time_recovery": {read: "enabled recovery_period_in_days"},
		"replica": {
			leftOut: "arn kms_key_arn point_in_time_recovery deletion_protection_enabled propagate_tags region_name stream_arn stream_label",
			refused: map[string]string{"consistency_mode": notSupported},
		},
	},
}

var plannedIndexMembers = members{
	read:    "name hash_key range_key key_schema projection_type non_key_attributes read_capacity write_capacity",
	leftOut: "on_demand_throughput warm_throughput",
	below:   map[string]members{"key_schema": {read: "attribute_name key_type"}},
}

// check adds a fault for each member of an object, or of the objects of an array, that is refused.
// A member without a value, such as an empty list, says nothing.
func (d *definition) check(v *jsonfile.Value, m members) {
	if v == nil {
		return
	}
	for _, e := range v.Elements() {
		d.check(e, m)
	}
	if v.Kind != jsonfile.Object || isFunction(v) {
		return
	}
	for _, e := range v.List {
		cure, refused := m.refused[e.Name]
		switch {
		case isDefault(e):
		case refused:
			d.faults.Add(e, "%s", cure)
		case isIn(m.read, e.Name), isIn(m.leftOut, e.Name):
			if below, ok := m.below[e.Name]; ok {
				d.check(e, below)
			}
		default:
			d.faults.Add(e, "ddbtest does not know this setting: correct its name, or leave it out of a copy of the file")
		}
	}
}

func isIn(names, name string) bool { return slices.Contains(strings.Fields(names), name) }

// isFunction reports whether a value is an intrinsic function of CloudFormation.
func isFunction(v *jsonfile.Value) bool {
	return len(v.List) == 1 && (v.List[0].Name == "Ref" || strings.HasPrefix(v.List[0].Name, "Fn::"))
}

// isDefault reports whether a member has no value, or one that leaves the setting off.
func isDefault(v *jsonfile.Value) bool {
	switch v.Kind {
	case jsonfile.Null:
		return true
	case jsonfile.Array, jsonfile.Object:
		return len(v.List) == 0
	case jsonfile.Number:
		return v.Text == "0"
	}
	return slices.Contains(offTexts, v.Text)
}

// offTexts are texts that leave a setting off. The last ones are of global tables.
var offTexts = []string{"", "false", "EVENTUAL", "DISABLED", "ENABLED_WITH_OVERRIDES"}
