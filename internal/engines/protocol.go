package engines

import (
	"os"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// unknownProtocol is the SDK's protocol with the identity of another one. The library then lets the
// SDK read the items of replies and write those of requests.
type unknownProtocol struct{ smithyhttp.ClientProtocol }

func (unknownProtocol) ID() smithy.ShapeID {
	return smithy.ShapeID{Namespace: "trestle", Name: "unknown"}
}

// withProtocol returns the options of a client. With TRESTLE_ATTRIBUTE_VALUES=1 in the environment,
// its protocol is unknown to the library.
func withProtocol(options []func(*dynamodb.Options)) []func(*dynamodb.Options) {
	if os.Getenv("TRESTLE_ATTRIBUTE_VALUES") != "1" {
		return options
	}
	return append([]func(*dynamodb.Options){func(o *dynamodb.Options) { o.Protocol = unknownProtocol{o.Protocol} }}, options...)
}
