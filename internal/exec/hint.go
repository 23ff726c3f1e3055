package exec

import (
	"context"
	"errors"
	"net"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle/internal/errs"
)

// hint returns the most likely fix for an error that does not depend on the item, or "".
func hint(a *attempts, err error) string {
	var late *timeoutError
	var missing *types.ResourceNotFoundException
	var api smithy.APIError
	var dns *net.DNSError
	if ended := (*errs.EndedError)(nil); errors.As(err, &ended) {
		return hint(a, ended.Last)
	}
	switch {
	case errors.As(err, &late):
		return "check the endpoint and the network, or increase the timeout with entity.Timeout"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "" // the caller's context ended
	case errors.As(err, &missing):
		return "the table or the index does not exist: create it (table.Create), or check its name, the account and the Region"
	case errors.As(err, &dns):
		return "the endpoint's host name does not resolve: check the spelling of the Region and the endpoint"
	case unconnected(err):
		return "the endpoint refuses connections: check the Region, the endpoint and the network"
	case errors.As(err, &api) && api.ErrorCode() == "ValidationException":
		return validationHint(api.ErrorMessage())
	case errors.As(err, &api):
		return hintOf(api.ErrorCode())
	case a.n > 0 && !a.ever:
		return "the request could not be signed: check that the client has credentials and a Region"
	}
	return ""
}

var hints = map[string]string{
	"UnrecognizedClientException":         "the credentials are unknown in this Region: check the credentials and the Region",
	"InvalidSignatureException":           "the signature is invalid: check the secret key, the Region and this machine's clock",
	"MissingAuthenticationToken":          "the request has no credentials: configure the client with credentials",
	"MissingAuthenticationTokenException": "the request has no credentials: configure the client with credentials",
	"IncompleteSignature":                 "the signature is incomplete: check the credentials",
	"IncompleteSignatureException":        "the signature is incomplete: check the credentials",
	"ExpiredTokenException":               "the credentials have expired: renew them",
	"AccessDeniedException":               "the credentials lack the permission: check the IAM policy for the table and its indexes",
	"ResourceInUseException":              "the table already exists or is being changed: compare it with maintain.Check",
	"TransactionConflictException":        conflict,
	"TransactionConflict":                 conflict,
	"TransactionInProgressException":      "the transaction is still running: call again with the same token to learn its outcome",
	"IdempotentParameterMismatchException": "another request with the token was applied within the last ten minutes: read the items; if it was an earlier " +
		"call of the same write, the write is applied, otherwise use a new token",
	"ItemCollectionSizeLimitExceededException": collectionSize,
	"ItemCollectionSizeLimitExceeded":          collectionSize,
}

// sameToken is the fix for an unknown outcome of a write with a token of the caller.
const sameToken = "call again with the same token to learn whether it was applied"

const throttled = "the account, the table or a partition is throttled: retry with backoff, distribute the load, or raise the capacity"

const conflict = "another transaction or write is changing the item: retry, or make such writes less frequent"

const collectionSize = "the item collection would exceed 10 GB, the limit of a table with local indexes: delete items, or distribute them"

// reasonHint returns the most likely fix for a reason of a canceled transaction, or "".
func reasonHint(code, message string) string {
	if code == "ValidationError" {
		return validationHint(message)
	}
	return hintOf(code)
}

// hintOf returns the most likely fix for an error code, or "".
func hintOf(code string) string {
	if errs.Throttling[code] {
		return throttled
	}
	return hints[code]
}
