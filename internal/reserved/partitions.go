package reserved

import "fmt"

// Earlier versions stored an entry for each partition of a tenant.
const (
	partitionsType    = Prefix + "#partitions"
	partitionsBuckets = 16
)

// RecordedPartitions returns the partition keys in which earlier versions stored the entries of a
// tenant, without the tenant.
func RecordedPartitions() (list []string) {
	for i := range partitionsBuckets {
		list = append(list, fmt.Sprintf("%s#%02d", partitionsType, i))
	}
	return list
}
