package awserr

// Messages that are both an error of their own and a cancellation reason of a transaction.
const (
	MessageConditionFailed = "The conditional request failed"
	MessageConflict        = "Transaction is ongoing for the item"
	MessageCollectionFull  = "Collection size exceeded."
	MessageProvisioned     = "The level of configured provisioned throughput for the table was exceeded. " +
		"Consider increasing your provisioning level with the UpdateTable API."
	MessageThrottled = "Throughput exceeds the current capacity of your table or index. " +
		"DynamoDB is automatically scaling your table or index so please try again shortly."
)
