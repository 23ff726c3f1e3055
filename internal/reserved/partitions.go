package reserved

import (
	"fmt"
	"strings"
)

// PartitionsType is the value of the type attribute of an entry that names a partition of a tenant.
const PartitionsType = Prefix + "#partitions"

// PartitionAttribute is the attribute of an entry that holds the key of the partition.
const PartitionAttribute = "_partition"

// PartitionsBuckets is the number of partitions of the entries of a tenant. It is stored, so it
// never changes.
const PartitionsBuckets = 16

// PartitionsPartition returns the partition key of a part of the entries of a tenant.
func PartitionsPartition(bucket int) string { return fmt.Sprintf("%s#%02d", PartitionsType, bucket) }

// IsPartitions reports whether a partition key, without the tenant that it starts with, is that of
// entries.
func IsPartitions(partition string) bool { return strings.HasPrefix(partition, PartitionsType+"#") }
