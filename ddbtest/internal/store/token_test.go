package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testsize"
)

// TestTokens completes transactions at random times, and looks up their tokens: each is stored for
// ten minutes. The negative control stores them forever.
func TestTokens(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	s := NewState()
	s.Now = epoch
	done := map[string]Token{}
	caught := false
	for range testsize.Pick(5_000, 100_000) {
		s.Now = s.Now.Add(time.Duration(r.IntN(5000)) * time.Millisecond)
		token := fmt.Sprint(r.IntN(300))
		known, ok := done[token]
		got, remembered := s.FindToken(token)
		require.Equal(t, ok && s.Now.Sub(known.Done) < tokenLife, remembered)
		if remembered {
			require.Equal(t, known, got)
			continue
		}
		caught = caught || ok
		done[token] = Token{Fingerprint: fmt.Sprint(r.Uint64()), Done: s.Now}
		s.StoreToken(token, done[token])
	}
	require.True(t, caught, "no token was ever forgotten")

	s.Now = s.Now.Add(tokenLife)
	s.StoreToken("last", Token{})
	require.Equal(t, 2, s.Tokens.Len(), "the others are gone, and take no room")
}
