package table

import (
	"net/url"
	"reflect"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
)

// CheckOpen adds the problems of a client and a table name. It sends nothing.
func CheckOpen(client trestle.Client, name string, problems *errs.Problems) {
	checkClient(client, problems)
	checkTableName(name, problems)
}

func checkClient(client trestle.Client, problems *errs.Problems) {
	if v := reflect.ValueOf(client); client == nil || v.Kind() == reflect.Pointer && v.IsNil() {
		problems.Add("", "the client is nil", "make one with dynamodb.New or dynamodb.NewFromConfig")
	} else if c, ok := client.(*dynamodb.Client); ok {
		checkOptions(c.Options(), problems)
	}
}

func checkOptions(o dynamodb.Options, problems *errs.Problems) {
	if o.Region == "" {
		problems.Add("", "the client has no Region", "set AWS_REGION where its configuration is loaded, or Region in its options")
	}
	if o.BaseEndpoint == nil {
		return
	}
	u, err := url.Parse(*o.BaseEndpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		problems.Add("", "the client's endpoint is not a URL with a scheme and a host", "write it as http://127.0.0.1:8000, or leave BaseEndpoint nil for the service itself")
	}
}

func checkTableName(name string, problems *errs.Problems) {
	if strings.HasPrefix(name, "arn:") && len(name) <= 1024 { // an ARN may be longer
		return
	}
	if len(name) < 3 || len(name) > 255 {
		problems.Add("", "a table name has 3 to 255 characters", "")
		return
	}
	for _, r := range name {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-', r == '.':
		default:
			problems.Add("", "a table name consists of letters, digits, '_', '-' and '.'", "")
			return
		}
	}
}
