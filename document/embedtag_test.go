package document_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

type (
	// letter is a document of a JSON API, which hides its state.
	letter struct {
		document.State `json:"-"`
		Head           letterHead
		Pages          []letterPage
	}
	letterHead struct {
		_             entity.Key `type:"head" pk:"LETTER#<id>" sk:"HEAD"`
		ID            string     `dynamodbav:"id" json:"id"`
		Version       int64      `dynamodbav:"version" entity:"version"`
		document.Root `json:"-"`
	}
	letterPage struct {
		_             entity.Key `type:"page" pk:"LETTER#<id>" sk:"PAGE#<n:03>"`
		ID            string     `dynamodbav:"id"`
		N             int        `dynamodbav:"n"`
		document.Part `json:"-"`
	}
	nestedRoot struct {
		document.State
		Head nestedHead
	}
	nestedHead struct {
		_             entity.Key `type:"nestedhead" pk:"NESTED#<id>" sk:"HEAD"`
		ID            string     `dynamodbav:"id"`
		Version       int64      `dynamodbav:"version" entity:"version"`
		document.Root `dynamodbav:"document"`
	}
	unstoredRoot struct {
		document.State
		Head unstoredHead
	}
	unstoredHead struct {
		_             entity.Key `type:"unstoredhead" pk:"UNSTORED#<id>" sk:"HEAD"`
		ID            string     `dynamodbav:"id"`
		Version       int64      `dynamodbav:"version" entity:"version"`
		document.Root `dynamodbav:"-"`
	}
)

// Tags of other packages on the embedded state are allowed.
func TestStateWithTagsOfOtherPackages(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{})
		letters := document.Define[letter](s)
		entity.Define[letterHead](s)
		entity.Define[letterPage](s)
		table, err := s.Open(e.Client(t), "letters")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		repo := letters.In(table, document.Config{})
		stored := letter{Head: letterHead{ID: "a"}, Pages: []letterPage{{ID: "a", N: 1}, {ID: "a", N: 2}}}
		require.NoError(t, repo.Save(t.Context(), &stored))
		read, err := repo.Read(t.Context(), letter{Head: letterHead{ID: "a"}})
		require.NoError(t, err)
		require.Len(t, read.Pages, 2)
		require.NotEmpty(t, read.Head.Revision)
		read.Pages = read.Pages[:1]
		require.NoError(t, repo.Save(t.Context(), &read))
	})
}

// The attributes of the state cannot be elsewhere.
func TestStateWithTagOfAttributesIsRefused(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	document.Define[nestedRoot](s)
	document.Define[unstoredRoot](s)
	entity.Define[nestedHead](s)
	entity.Define[unstoredHead](s)
	var wrong *trestle.DefinitionError
	require.ErrorAs(t, s.Err(), &wrong)
	types := map[string]int{}
	for _, i := range wrong.Issues {
		types[i.Type]++
	}
	require.Equal(t, map[string]int{"document_test.nestedRoot": 1, "document_test.unstoredRoot": 1}, types)
}
