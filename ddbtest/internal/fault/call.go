package fault

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
)

// Call distinguishes requests.
type Call struct {
	Operation string
	Content   string // equal for requests with the same content
	// InvocationID is the client's ID of the call, the same for all its attempts. It is "" if the
	// client sends none.
	InvocationID string
	Items        []string // the items that it writes, by [ItemNames]
}

// NewCall returns the Call of a request, without its items.
func NewCall(operation string, body []byte, invocation string) Call {
	sum := sha256.Sum256(canonical(body))
	return Call{Operation: operation, Content: string(sum[:]), InvocationID: invocation}
}

// canonical returns a body with its object members in a fixed order, because a client may send the
// same request with its members in another order.
func canonical(body []byte) []byte {
	var v any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return body
	}
	if request, ok := v.(map[string]any); ok {
		// the SDK generates a new token for each call without one
		delete(request, "ClientRequestToken")
	}
	sorted, err := json.Marshal(v)
	if err != nil {
		return body
	}
	return sorted
}

// operationAndContent is equal for requests with the same operation and content.
func (c *Call) operationAndContent() string { return c.Operation + "\x00" + c.Content }

// sender is equal for the attempts of one call. Requests without an invocation ID have the same
// sender if they have the same content.
func (c *Call) sender() string {
	if c.InvocationID == "" {
		return c.operationAndContent()
	}
	return c.InvocationID
}
