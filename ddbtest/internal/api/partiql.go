package api

import "github.com/trestledb/trestle/ddbtest/internal/value"

// ExecuteStatementInput is the request of ExecuteStatement.
type ExecuteStatementInput struct {
	Statement                           string        `api:"required,min=1,max=8192"`
	Parameters                          []value.Value `api:"min=1"`
	ConsistentRead                      bool
	NextToken                           *string `api:"min=1,max=32768"`
	ReturnConsumedCapacity              string  `api:"enum=INDEXES|TOTAL|NONE"`
	Limit                               *int64  `api:"min=1"`
	ReturnValuesOnConditionCheckFailure string  `api:"enum=ALL_OLD|NONE"`
}

// ExecuteStatementOutput is the reply to ExecuteStatement. Items is not nil.
type ExecuteStatementOutput struct {
	Items            []value.Map
	NextToken        string
	ConsumedCapacity *ConsumedCapacity
	LastEvaluatedKey value.Map
}

// BatchExecuteStatementInput is the request of BatchExecuteStatement.
type BatchExecuteStatementInput struct {
	Statements             []BatchStatementRequest `api:"required,min=1,max=25"`
	ReturnConsumedCapacity string                  `api:"enum=INDEXES|TOTAL|NONE"`
}

// BatchStatementRequest is one statement of a batch.
type BatchStatementRequest struct {
	Statement                           string        `api:"required,min=1,max=8192"`
	Parameters                          []value.Value `api:"min=1"`
	ConsistentRead                      bool
	ReturnValuesOnConditionCheckFailure string `api:"enum=ALL_OLD|NONE"`
}

// BatchExecuteStatementOutput is the reply to BatchExecuteStatement.
type BatchExecuteStatementOutput struct {
	Responses        []BatchStatementResponse
	ConsumedCapacity []*ConsumedCapacity
}

// BatchStatementResponse is the result of one statement. Item is nil if it has none.
type BatchStatementResponse struct {
	Error     *BatchStatementError
	TableName string
	Item      value.Map
}

// BatchStatementError is the error of one statement.
type BatchStatementError struct {
	Code    string
	Message string
	Item    value.Map // of a condition that failed, if requested
}

// ExecuteTransactionInput is the request of ExecuteTransaction.
type ExecuteTransactionInput struct {
	TransactStatements     []ParameterizedStatement `api:"required,min=1,max=100"`
	ClientRequestToken     *string                  `api:"min=1,max=36"`
	ReturnConsumedCapacity string                   `api:"enum=INDEXES|TOTAL|NONE"`
}

// ParameterizedStatement is one statement of a transaction.
type ParameterizedStatement struct {
	Statement                           string        `api:"required,min=1,max=8192"`
	Parameters                          []value.Value `api:"min=1"`
	ReturnValuesOnConditionCheckFailure string        `api:"enum=ALL_OLD|NONE"`
}

// ExecuteTransactionOutput is the reply to ExecuteTransaction. Responses is empty for writes.
type ExecuteTransactionOutput struct {
	Responses        []ItemResponse
	ConsumedCapacity []*ConsumedCapacity
}
