package errs

// Throttling are the codes of DynamoDB for a throttled request, and for a throttled action of a
// canceled transaction.
var Throttling = map[string]bool{
	"ThrottlingException":                    true,
	"ThrottlingError":                        true,
	"ProvisionedThroughputExceededException": true,
	"ProvisionedThroughputExceeded":          true,
	"RequestLimitExceeded":                   true,
}
