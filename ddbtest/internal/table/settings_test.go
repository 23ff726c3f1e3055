package table

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

const managedKey = "arn:aws:kms:us-east-1:123456789012:key/"

func encrypted(enabled bool, key ...string) *api.SSESpecification {
	spec := &api.SSESpecification{Enabled: &enabled}
	if len(key) > 0 {
		spec.KMSMasterKeyId = &key[0]
	}
	return spec
}

// TestTableClass sets the class of a new table, and changes it.
func TestTableClass(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const infrequent = "STANDARD_INFREQUENT_ACCESS"
		c := newTabCall(t, nil)
		require.Nil(t, described(t, c).TableClassSummary)
		c.DB.Clock.Advance(time.Minute)
		updated, err := Update(c, &api.UpdateTableInput{TableName: "tab", TableClass: infrequent})
		require.NoError(t, err)
		want := &api.TableClassSummary{TableClass: infrequent, LastUpdateDateTime: api.Seconds(c.Now())}
		require.Equal(t, want, updated.TableDescription.TableClassSummary)
		c.DB.Clock.Advance(time.Minute)
		require.Equal(t, want, described(t, c).TableClassSummary)

		c = newTabCall(t, func(in *api.CreateTableInput) { in.TableClass = infrequent })
		require.Equal(t, &api.TableClassSummary{TableClass: infrequent}, described(t, c).TableClassSummary)
	})
}

// TestEncryption describes the key of each specification.
func TestEncryption(t *testing.T) {
	t.Parallel()
	const id = "1234abcd-12ab-34cd-56ef-1234567890ab"
	aliased := keyARN(newCall().Config, "alias/mine")
	require.Regexp(t, "^"+managedKey+"[0-9a-f-]{36}$", aliased)
	require.NotEqual(t, aliased, keyARN(newCall().Config, defaultKey))
	for _, test := range []struct {
		name string
		spec *api.SSESpecification
		want string
	}{
		{"none", nil, ""},
		{"empty", &api.SSESpecification{}, ""},
		{"disabled", encrypted(false), ""},
		{"enabled", encrypted(true), keyARN(newCall().Config, defaultKey)},
		{"ID of a key", encrypted(true, id), managedKey + id},
		{"ARN of a key", encrypted(true, "arn:aws:kms:eu-north-1:111122223333:key/"+id), "arn:aws:kms:eu-north-1:111122223333:key/" + id},
		{"alias", encrypted(true, "alias/mine"), aliased},
		{"ARN of an alias", encrypted(true, "arn:aws:kms:us-east-1:123456789012:alias/mine"), aliased},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var want *api.SSEDescription
			if test.want != "" {
				want = &api.SSEDescription{Status: "ENABLED", SSEType: "KMS", KMSMasterKeyArn: test.want}
			}
			c := newTabCall(t, func(in *api.CreateTableInput) { in.SSESpecification = test.spec })
			require.Equal(t, want, described(t, c).SSEDescription)
			if test.spec == nil {
				return
			}
			c = newTabCall(t, func(in *api.CreateTableInput) { in.SSESpecification = encrypted(true, "other") })
			_, err := Update(c, &api.UpdateTableInput{TableName: "tab", SSESpecification: test.spec})
			require.NoError(t, err)
			require.Equal(t, want, described(t, c).SSEDescription)
		})
	}
}

// TestInvalidSettings checks that an invalid setting changes nothing.
func TestInvalidSettings(t *testing.T) {
	t.Parallel()
	yes := true
	for _, test := range []struct {
		name string
		in   api.UpdateTableInput
		want string
	}{
		{"class with a setting", api.UpdateTableInput{TableClass: "STANDARD", DeletionProtectionEnabled: &yes},
			"TableClass modification must be the only operation in the request"},
		{"class with a limit", api.UpdateTableInput{TableClass: "STANDARD", OnDemandThroughput: limit(1, 0)},
			"TableClass modification must be the only operation in the request"},
		{"class with encryption", api.UpdateTableInput{TableClass: "STANDARD", SSESpecification: encrypted(true)},
			"TableClass modification must be the only operation in the request"},
		{"key without encryption", api.UpdateTableInput{DeletionProtectionEnabled: &yes, SSESpecification: encrypted(false, "a")},
			"KMSMasterKeyId can be specified only if SSESpecification is enabled"},
		{"another type", api.UpdateTableInput{DeletionProtectionEnabled: &yes, SSESpecification: &api.SSESpecification{Enabled: &yes, SSEType: "AES256"}},
			"SSEType AES256 is not supported"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newTabCall(t, nil)
			before := described(t, c)
			test.in.TableName = "tab"
			_, err := Update(c, &test.in)
			requireServiceError(t, err, awserr.CodeValidation, invalidValues+test.want)
			require.Equal(t, before, described(t, c))
		})
	}
	in := simple("tab")
	in.SSESpecification = encrypted(false, "a")
	_, err := Create(newCall(), in)
	requireServiceError(t, err, awserr.CodeValidation, invalidValues+"KMSMasterKeyId can be specified only if SSESpecification is enabled")
}
