package ddbtest

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest/internal/itemtext"
)

// lambdaRecord is a record in the JSON form of a Lambda event.
type lambdaRecord struct {
	EventID        string          `json:"eventID"`
	EventName      string          `json:"eventName"`
	EventVersion   string          `json:"eventVersion"`
	EventSource    string          `json:"eventSource"`
	AWSRegion      string          `json:"awsRegion"`
	DynamoDB       lambdaChange    `json:"dynamodb"`
	UserIdentity   *lambdaIdentity `json:"userIdentity,omitempty"`
	EventSourceARN string          `json:"eventSourceARN"`
}

type lambdaChange struct {
	ApproximateCreationDateTime int64           // seconds since 1970
	Keys                        json.RawMessage `json:",omitempty"`
	NewImage                    json.RawMessage `json:",omitempty"`
	OldImage                    json.RawMessage `json:",omitempty"`
	SequenceNumber              string
	SizeBytes                   int64
	StreamViewType              string
}

type lambdaIdentity struct {
	Type        string `json:"type"`
	PrincipalID string `json:"principalId"`
}

// LambdaEvent returns the JSON of the event with which AWS Lambda invokes a function for these
// records. A test unmarshals it into an events.DynamoDBEvent of aws-lambda-go, and calls the
// function's handler:
//
//	var event events.DynamoDBEvent
//	err := json.Unmarshal(db.Records("orders").LambdaEvent(), &event)
func (records Records) LambdaEvent() []byte {
	event := struct{ Records []lambdaRecord }{make([]lambdaRecord, len(records))}
	for i := range records {
		event.Records[i] = newLambdaRecord(&records[i])
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(event) // the types have no error
	return b.Bytes()
}

func newLambdaRecord(r *Record) lambdaRecord {
	l := lambdaRecord{
		EventID: r.ID, EventName: r.Event, EventVersion: "1.1", EventSource: "aws:dynamodb", AWSRegion: regionOf(r.Stream), EventSourceARN: r.Stream,
		DynamoDB: lambdaChange{
			Keys: typedImage(r.Keys), NewImage: typedImage(r.New), OldImage: typedImage(r.Old),
			SequenceNumber: r.Sequence, SizeBytes: r.Size, StreamViewType: r.View,
		},
	}
	if !r.At.IsZero() {
		l.DynamoDB.ApproximateCreationDateTime = r.At.Unix()
	}
	if r.Expired {
		l.UserIdentity = &lambdaIdentity{Type: "Service", PrincipalID: "dynamodb.amazonaws.com"}
	}
	return l
}

func typedImage(item map[string]types.AttributeValue) json.RawMessage {
	if item == nil {
		return nil
	}
	return itemtext.Typed(item)
}

// regionOf returns the Region of an ARN, or "".
func regionOf(arn string) string {
	if parts := strings.Split(arn, ":"); len(parts) > 3 {
		return parts[3]
	}
	return ""
}
