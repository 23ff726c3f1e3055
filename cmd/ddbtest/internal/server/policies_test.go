package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/server"
)

// TestPolicies checks that an access key with a policy uses the database of another one, as far as
// the policy allows, also after a reset.
func TestPolicies(t *testing.T) {
	t.Parallel()
	r := start(t, server.Origins{"*"})
	control := func(method, path, body string, status int) string {
		reply, text := r.send(t, method, "/_ddbtest/v1"+path, body, nil)
		require.Equal(t, status, reply.StatusCode, text)
		return text
	}
	policy := func(key, tenant string) string {
		return `{"accessKey":"` + key + `","document":{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:GetItem","Resource":"*",
			"Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["${aws:PrincipalTag/tenant}"]}}}},"variables":{"aws:PrincipalTag/tenant":"` + tenant + `"}}`
	}
	get := func(accessKey, region, id string) string {
		_, err := r.client(accessKey, region).GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("things"),
			Key: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}}})
		var refused smithy.APIError
		if err == nil {
			return ""
		}
		require.ErrorAs(t, err, &refused)
		return refused.ErrorCode()
	}
	createThings(t, r.client("one", "us-east-1"))
	createThings(t, r.client("two", "us-east-1"))
	control(http.MethodPost, "/policies?accessKey=one", policy("ann", "ann"), http.StatusOK)
	control(http.MethodPost, "/policies?accessKey=one", policy("bob", "bob"), http.StatusOK)
	const denied = "AccessDeniedException"
	for range 2 {
		require.Equal(t, []string{"", denied, denied, ""},
			[]string{get("ann", "us-east-1", "ann"), get("ann", "us-east-1", "bob"), get("bob", "us-east-1", "ann"), get("bob", "us-east-1", "bob")})
		require.Empty(t, get("one", "us-east-1", "ann"), "it has no policy")
		control(http.MethodPost, "/reset?accessKey=one", "", http.StatusOK)
		createThings(t, r.client("one", "us-east-1"))
	}
	require.Equal(t, 2, strings.Count(control(http.MethodGet, "/policies?accessKey=one", "", http.StatusOK), `"accessKey"`))
	require.Len(t, r.databases.All(), 2)

	control(http.MethodPost, "/policies?accessKey=one", policy("ann", "cat"), http.StatusOK)
	require.Equal(t, []string{denied, ""}, []string{get("ann", "us-east-1", "ann"), get("ann", "us-east-1", "cat")}, "replaced")
	control(http.MethodPost, "/policies?accessKey=one", policy("two", "ann"), http.StatusConflict)
	control(http.MethodPost, "/policies?accessKey=two", policy("ann", "ann"), http.StatusConflict)
	control(http.MethodPost, "/forks?accessKey=one", `{"accessKey":"ann"}`, http.StatusConflict)
	for _, invalid := range []string{`{"accessKey":"cat"}`, `{"accessKey":"a-b","document":{}}`, `{"accessKey":"cat","document":{"Version":"2012-10-17"}}`} {
		require.NotContains(t, control(http.MethodPost, "/policies?accessKey=one", invalid, http.StatusBadRequest), "ddbtest:")
	}
	require.NotContains(t, control(http.MethodGet, "/databases", "", http.StatusOK), "policy")

	control(http.MethodDelete, "/databases?accessKey=one", "", http.StatusNoContent)
	require.Equal(t, "ResourceNotFoundException", get("ann", "us-east-1", "cat"), "it has a database of its own")
	require.Equal(t, "ResourceNotFoundException", get("bob", "eu-west-1", "bob"), "another Region")
}
