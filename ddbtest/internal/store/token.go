package store

import (
	"encoding/binary"
	"time"
)

// tokenLife is how long a transaction is remembered by its token, once it is completed.
const tokenLife = 10 * time.Minute

// Remembered returns what is remembered of the transaction that was completed with the token.
func (s *State) Remembered(token string) (Token, bool) {
	t, ok := s.Tokens.Get(tokenKey(token))
	if !ok || s.Now.Sub(t.Done) >= tokenLife {
		return Token{}, false
	}
	return t, true
}

// Remember keeps a token from now on, and forgets those whose time is over.
func (s *State) Remember(token string, t Token) {
	t.Done = s.Now
	s.forget()
	s.Tokens.Set(tokenKey(token), t)
	s.Tokens.Set(doneKey(t.Done)+token, Token{})
}

// The tree of tokens has two entries for each: one by the token itself, and one by the time when it was done, so that the old ones are found
// without a look at the others.
const (
	byToken = "t"
	byTime  = "d"
)

// tokenKey is where a token stands in the tree.
func tokenKey(token string) string { return byToken + token }

func doneKey(at time.Time) string {
	return string(binary.BigEndian.AppendUint64([]byte(byTime), uint64(at.UnixNano())))
}

func (s *State) forget() {
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
