package main

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/examples/internal/costs"
	"github.com/trestledb/trestle/internal/costtest"
)

// The requests of the store cost what Explain reports.
func TestCosts(t *testing.T) {
	t.Parallel()
	costs.Check(t, func(t *testing.T, client trestle.Client, text string) (string, []costs.Pattern) {
		table, err := Schema.Open(client, "messages")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		now := time.Now()
		s := NewStore(Messages.In(table), func() time.Time { return now })
		for n := range 3 {
			require.NoError(t, s.Send(t.Context(), &Message{Conversation: conversation, Number: n + 1, Text: "Lunch?"}))
		}
		first := Message{Conversation: conversation, Number: 1}
		m := &Message{Conversation: conversation, Number: 4, Text: text}
		return table.Name(), []costs.Pattern{
			costs.Of("message", func(ctx context.Context) error { return costs.Err(s.Message(ctx, conversation, 1)) }, costtest.Get(s.messages, first)),
			costs.Of("conversation", func(ctx context.Context) error { return costs.ReadAll(s.Conversation(ctx, conversation)) },
				costtest.Query(s.unexpired(conversation))),
			costs.Of("stored", func(ctx context.Context) error { return costs.ReadAll(s.Stored(ctx, conversation)) },
				costtest.Query(s.stored(conversation))),
			costs.Of("send", func(ctx context.Context) error { return s.Send(ctx, m) }, costtest.Create(s.messages, m)),
			costs.Of("edit", func(ctx context.Context) error { return s.Edit(ctx, conversation, 1, text) }, costtest.Update(s.messages, first, Text.Set(text))),
			costs.Of("keep", func(ctx context.Context) error { return s.Keep(ctx, conversation, 1) },
				costtest.Update(s.messages, first, ExpiresAt.Set(s.inSevenDays()))),
			costs.Of("remove", func(ctx context.Context) error { return s.Remove(ctx, conversation, 1) }, costtest.Delete(s.messages, first)),
		}
	})
}
