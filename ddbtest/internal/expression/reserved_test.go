package expression

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReservedWords(t *testing.T) {
	t.Parallel()
	words := strings.Fields(reservedWords)
	require.Len(t, words, 573)
	require.Len(t, reserved, 573, "a word is there twice")
	for i, word := range words {
		require.True(t, i == 0 || words[i-1] < word, "%s is out of order", word)
		require.True(t, isReserved(word), word)
		require.True(t, isReserved(strings.ToLower(word)), word)
		require.True(t, isReserved(word[:1]+strings.ToLower(word[1:])), word)
		require.False(t, isReserved(word+"_x"), word)
	}
	for _, word := range []string{"", "pk", "sk", "a", "id", "version", "email", "attribute_exists", "#name", strings.Repeat("A", 100)} {
		require.False(t, isReserved(word), word)
	}
}
