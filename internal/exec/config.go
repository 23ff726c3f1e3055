package exec

import (
	"reflect"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/tenancy"
)

// DefaultTimeout is the timeout of an attempt if the caller sets none. The SDK's client has no
// timeout.
const DefaultTimeout = 10 * time.Second

// Config is the configuration of calls.
type Config struct {
	Client   trestle.Client
	Table    string
	Timeout  time.Duration // of one attempt; zero for DefaultTimeout
	SDK      []func(*dynamodb.Options)
	Clock    func() time.Time // of timestamps; nil for time.Now
	Observer trestle.Observer // may be nil
	Random   *Random          // nil for crypto/rand and math/rand
	Tenant   *tenancy.Guard   // nil: the table of all tenants
	// JSON lets items be sent as JSON: see SendsJSON.
	JSON bool
	// AttributeValues lets the SDK read the items of all replies, and write those of all requests.
	AttributeValues bool
	// Coalescer joins eventually consistent reads of single items; nil: each is a request.
	Coalescer Coalescer
}

// AttemptTimeout returns the timeout of one attempt.
func (c *Config) AttemptTimeout() time.Duration {
	if c.Timeout > 0 {
		return c.Timeout
	}
	return DefaultTimeout
}

// Now returns the time for timestamps and cursors.
func (c *Config) Now() time.Time {
	if c.Clock != nil {
		return c.Clock()
	}
	return time.Now()
}

// SameClient reports whether two tables use the same client. Clients that cannot be compared are
// the same only within one table.
func (c *Config) SameClient(o *Config) bool {
	return c == o || reflect.ValueOf(c.Client).Comparable() && reflect.ValueOf(o.Client).Comparable() && c.Client == o.Client
}
