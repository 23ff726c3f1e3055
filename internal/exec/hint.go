package exec

import (
	"context"
	"errors"
	"net"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// hint returns the most likely fix for an error that does not depend on the item, or "".
func hint(a *attempts, err error) string {
	var late *timeoutError
	var missing *types.ResourceNotFoundException
	var api smithy.APIError
	var dns *net.DNSError
	switch {
	case errors.As(err, &late):
		return "check the endpoint and the network, or allow an attempt more time with entity.Timeout"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "" // the caller's context ended
	case errors.As(err, &missing):
		return "the table or the index is not there: create it (table.Create), or check its name, the account and the Region"
	case errors.As(err, &dns):
		return "the endpoint's name does not resolve: check the Region's spelling and the endpoint"
	case unconnected(err):
		return "nothing answers at the endpoint: check the Region, the endpoint and the network"
	case errors.As(err, &api) && api.ErrorCode() == "ValidationException":
		return validationHint(api)
	case errors.As(err, &api):
		return hints[api.ErrorCode()]
	case a.n > 0 && !a.ever:
		return "the request could not be signed: check that the client has credentials and a Region"
	}
	return ""
}

var hints = map[string]string{
	"UnrecognizedClientException":            "the credentials are not known here: check them, and that the Region is theirs",
	"InvalidSignatureException":              "the signature is not accepted: check the secret key, the Region and this machine's clock",
	"MissingAuthenticationToken":             "the request carries no credentials: give the client some",
	"MissingAuthenticationTokenException":    "the request carries no credentials: give the client some",
	"IncompleteSignature":                    "the signature is not complete: check the credentials",
	"IncompleteSignatureException":           "the signature is not complete: check the credentials",
	"ExpiredTokenException":                  "the credentials have expired: renew them",
	"AccessDeniedException":                  "these credentials may not do this: check the policy for the table and its indexes",
	"ResourceInUseException":                 "the table is there already, or is being changed: compare it with table.Check",
	"ThrottlingException":                    throttled,
	"ProvisionedThroughputExceededException": throttled,
	"RequestLimitExceeded":                   throttled,
}

const throttled = "the account, the table or a partition of it is throttled: retry with back-off, spread the load, or raise the capacity"
