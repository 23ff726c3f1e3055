package store

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Settings are the table class and the encryption of a table. They affect no data.
type Settings struct {
	Class          string    // "" if no request had one
	ClassChangedAt time.Time // zero if the class is that of the creation
	EncryptionKey  string    // the ARN of the key, or "" if it is a key of the service
}

func (s Settings) encode(e *value.Encoding) {
	e.Text(s.Class)
	e.Text(s.EncryptionKey)
}

// OnDemandLimit is the largest throughput on demand in units per second. 0 is no limit.
type OnDemandLimit struct{ Read, Write int64 }

func (l OnDemandLimit) encode(e *value.Encoding) {
	e.Int(l.Read)
	e.Int(l.Write)
}
