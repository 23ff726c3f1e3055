package differential

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// typedImages adds the type of empty maps to stream images. DynamoDB Local omits it, and the SDK
// would decode such a map as the previous value.
type typedImages struct{ client aws.HTTPClient }

// Do sends a request and repairs the reply.
func (c typedImages) Do(request *http.Request) (*http.Response, error) {
	response, err := c.client.Do(request)
	if err != nil || response.StatusCode != http.StatusOK {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	if err == nil {
		err = response.Body.Close()
	}
	if err != nil {
		return nil, err
	}
	if repaired, ok := repairRecords(body); ok {
		body = repaired
		response.Header.Del("X-Amz-Crc32")
	}
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return response, nil
}

type object = map[string]any

func repairRecords(body []byte) ([]byte, bool) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var reply object
	if decoder.Decode(&reply) != nil {
		return nil, false
	}
	records, _ := reply["Records"].([]any)
	for _, record := range records {
		record, _ := record.(object)
		change, _ := record["dynamodb"].(object)
		for _, image := range []string{"OldImage", "NewImage"} {
			if members, ok := change[image].(object); ok {
				typeMembers(members)
			}
		}
	}
	repaired, err := json.Marshal(reply)
	return repaired, err == nil && len(records) > 0
}

func typeMembers(members object) {
	for _, v := range members {
		typeValue(v)
	}
}

func typeValue(v any) {
	tagged, ok := v.(object)
	if !ok {
		return
	}
	if len(tagged) == 0 {
		tagged["M"] = object{}
	}
	if members, ok := tagged["M"].(object); ok {
		typeMembers(members)
	}
	elements, _ := tagged["L"].([]any)
	for _, element := range elements {
		typeValue(element)
	}
}
