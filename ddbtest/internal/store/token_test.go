package store

import (
	"fmt"
	"strings"
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

// The keys of tokens by their completion sort by the time, before 1970 and after 2262 too.
func TestTokenTimes(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	for range 1_000 {
		a, b := time.Unix(r.Int64N(1<<35)-1<<34, r.Int64N(1e9)), time.Unix(r.Int64N(1<<35)-1<<34, r.Int64N(1e9))
		require.Equal(t, a.Compare(b), strings.Compare(doneKey(a), doneKey(b)), "%s and %s", a, b)
	}
}
