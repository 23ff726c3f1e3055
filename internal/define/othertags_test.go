package define_test

import (
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Tags of other libraries are no mistake beside a dynamodbav tag, with the names of the Go fields,
// in types that encode themselves, and in types whose tags the user cannot change.
func TestTagsOfOtherLibraries(t *testing.T) {
	t.Parallel()
	type Both struct {
		_     Key       `type:"both" pk:"BOTH#<id>" sk:"BOTH#<id>"`
		ID    string    `json:"uuid" dynamodbav:"id"`
		Name  string    `json:"name"`
		At    time.Time `json:"at"`
		Limit json.Number
	}
	type Same struct {
		_      Key           `type:"same" pk:"SAME#<ID>" sk:"SAME#<ID>"`
		ID     string        `json:"ID"`
		Secret string        `json:"-"`
		Text   string        `json:",omitempty" validate:"required"`
		Own    ownText       `json:"Own"`
		Places []slog.Source `json:"Places"` // of another organization
	}
	for _, v := range []any{Both{}, Same{}} {
		_, issues := with(v).compile()
		require.Empty(t, issues)
	}
}

// ownText has a text form.
type ownText struct {
	Name string `json:"name"`
}

func (o ownText) MarshalText() ([]byte, error)  { return []byte(o.Name), nil }
func (o *ownText) UnmarshalText(b []byte) error { o.Name = string(b); return nil }
