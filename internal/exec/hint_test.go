package exec

import (
	"context"
	"errors"
	"net"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"
)

// Each error of the environment has its own cure.
func TestHintsForFailuresOfTheEnvironment(t *testing.T) {
	t.Parallel()
	noKeys := func(o *dynamodb.Options) {
		o.Credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{}, errors.New("none to be found")
		})
	}
	nowhere := breaks(&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "dynamodb.eu-nroth-1.amazonaws.com", IsNotFound: true}})
	cures := map[string]string{}
	for name, c := range map[string]struct {
		reply  reply
		client []func(*dynamodb.Options)
	}{
		"missing table or index":   {code(400, "ResourceNotFoundException"), nil},
		"misspelled Region":        {nowhere, nil},
		"unreachable endpoint":     {refused, nil},
		"silent endpoint":          {hangs, nil},
		"absent credentials":       {fine, []func(*dynamodb.Options){noKeys}},
		"credentials of no Region": {code(400, "UnrecognizedClientException"), nil},
		"no signature":             {code(400, "MissingAuthenticationToken"), nil},
		"wrong secret or clock":    {code(400, "InvalidSignatureException"), nil},
		"expired credentials":      {code(400, "ExpiredTokenException"), nil},
		"no permission":            {code(400, "AccessDeniedException"), nil},
		"schema unlike the table":  {code(400, "ValidationException"), nil},
		"throttling":               {throttles, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := failureOf(t, Do(t.Context(), newEnv(&script{replies: []reply{c.reply}}, c.client...), getOf(), nothing))
			require.NotEmpty(t, f.Hint, name)
			require.NotContains(t, cures, f.Hint, name)
			cures[f.Hint] = name
		})
	}
}

func TestFailedConditionHasNoHint(t *testing.T) {
	t.Parallel()
	f := failureOf(t, Do(t.Context(), newEnv(&script{replies: []reply{condition}}), putOf(false), nothing))
	require.Empty(t, f.Hint)
}

// A request without credentials is certainly not applied.
func TestUnsignedRequestIsNotSent(t *testing.T) {
	t.Parallel()
	s := &script{replies: []reply{fine}}
	e := newEnv(s, func(o *dynamodb.Options) {
		o.Credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{}, errors.New("none")
		})
	})
	f := failureOf(t, Do(t.Context(), e, putOf(false), nothing))
	require.NotErrorIs(t, f, context.Canceled)
	require.NoError(t, f.Kind)
	require.Zero(t, s.sent)
}
