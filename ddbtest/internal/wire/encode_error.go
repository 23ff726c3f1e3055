package wire

import "github.com/trestledb/trestle/ddbtest/internal/awserr"

// Namespaces of the service's errors.
const (
	modelNamespace    = "com.amazonaws.dynamodb.v20120810#"
	validateNamespace = "com.amazon.coral.validate#"
	serviceNamespace  = "com.amazon.coral.service#"
)

// namespace returns the namespace of an error code.
func namespace(code string) string {
	switch code {
	case awserr.CodeValidation:
		return validateNamespace
	case awserr.CodeSerialization, "AccessDeniedException", "IncompleteSignatureException", "InvalidSignatureException",
		"MissingAuthenticationTokenException", "UnknownOperationException", "UnrecognizedClientException":
		return serviceNamespace
	}
	return modelNamespace
}

// messageMember returns the member that holds the message of an error.
func messageMember(code string) string {
	switch code {
	case awserr.CodeSerialization, awserr.CodeCanceled, "AccessDeniedException", "IdempotentParameterMismatchException",
		"TransactionInProgressException":
		return `,"Message":`
	}
	return `,"message":`
}

// reasonsMember returns the member that holds the reasons of a throttling error.
func reasonsMember(code string) string {
	if code == "ThrottlingException" {
		return `,"throttlingReasons":`
	}
	return `,"ThrottlingReasons":`
}

// EncodeError encodes an error as JSON.
func EncodeError(err *awserr.Error) []byte {
	dst := appendText([]byte(`{"__type":`), namespace(err.Code)+err.Code)
	if err.Message != "" {
		dst = appendText(append(dst, messageMember(err.Code)...), err.Message)
	}
	if err.Item != nil {
		dst = appendItem(append(dst, `,"Item":`...), err.Item)
	}
	if err.Reasons != nil {
		dst = appendElements(append(dst, `,"CancellationReasons":`...), err.Reasons, appendReason)
	}
	if err.Throttling != nil {
		dst = appendElements(append(dst, reasonsMember(err.Code)...), err.Throttling, appendThrottling)
	}
	return append(dst, '}')
}

func appendReason(dst []byte, r awserr.Reason) []byte {
	dst = appendText(append(dst, `{"Code":`...), r.Code)
	if r.Message != "" {
		dst = appendText(append(dst, `,"Message":`...), r.Message)
	}
	if r.Item != nil {
		dst = appendItem(append(dst, `,"Item":`...), r.Item)
	}
	return append(dst, '}')
}

func appendThrottling(dst []byte, r awserr.ThrottlingReason) []byte {
	dst = appendText(append(dst, `{"reason":`...), r.Reason)
	dst = appendText(append(dst, `,"resource":`...), r.Resource)
	return append(dst, '}')
}
