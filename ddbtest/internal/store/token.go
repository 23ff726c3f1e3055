package store

import (
	"encoding/binary"
	"strings"
	"time"
)

// tokenLife is how long the token of a completed transaction is stored.
const tokenLife = 10 * time.Minute

// FindToken returns what is stored for the token of a completed transaction.
func (s *State) FindToken(token string) (Token, bool) {
	t, ok := s.Tokens.Get(tokenKey(token))
	if !ok || s.Now.Sub(t.Done) >= tokenLife {
		return Token{}, false
	}
	return t, true
}

// StoreToken stores a token, and deletes the expired ones.
func (s *State) StoreToken(token string, t Token) {
	t.Done = s.Now
	s.deleteExpiredTokens()
	s.Tokens.Set(tokenKey(token), t)
	s.Tokens.Set(doneKey(t.Done)+token, Token{})
}

// The tree has two entries for each token: one by the token, and one by the completion time, to
// find the expired tokens without a scan.
const (
	byToken = "t"
	byTime  = "d"
)

// tokenKey returns the key of a token in the tree.
func tokenKey(token string) string { return byToken + token }

// doneKey returns the common prefix of the keys by that time. They sort as the times do.
func doneKey(at time.Time) string {
	key := binary.BigEndian.AppendUint64([]byte(byTime), uint64(at.Unix())^1<<63) // negative ones first
	return string(binary.BigEndian.AppendUint32(key, uint32(at.Nanosecond())))
}

// IsTokenKey reports whether a key of the tree has one of the two forms.
func IsTokenKey(key string) bool {
	return strings.HasPrefix(key, byToken) || strings.HasPrefix(key, byTime) && len(key) >= len(doneKey(time.Time{}))
}

func (s *State) deleteExpiredTokens() {
	var old []string
	end := doneKey(s.Now.Add(-tokenLife)) + "\xff"
	for key := range s.Tokens.From(byTime) {
		if key > end {
			break
		}
		old = append(old, key)
	}
	for _, key := range old {
		s.Tokens.Delete(key)
		token := key[len(doneKey(s.Now)):]
		if t, ok := s.Tokens.Get(tokenKey(token)); ok && s.Now.Sub(t.Done) >= tokenLife {
			s.Tokens.Delete(tokenKey(token))
		}
	}
}
