package awserr

// What the service says where the same is an error of its own and a reason of a canceled transaction.
const (
	MessageConditionFailed = "The conditional request failed"
	MessageConflict        = "Transaction is ongoing for the item"
	MessageCollectionFull  = "Collection size exceeded."
	MessageProvisioned     = "The level of configured provisioned throughput for the table was exceeded. " +
		"Consider increasing your provisioning level with the UpdateTable API."
	MessageThrottled = "Throughput exceeds the current capacity of your table or index. " +
		"DynamoDB is automatically scaling your table or index so please try again shortly."
)
