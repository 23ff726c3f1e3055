package table

import (
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// defaultKey is the alias of the key that the service creates for an account.
const defaultKey = "alias/aws/dynamodb"

// encryptionKey returns the ARN of the key that encrypts a table, or "" if it is a key of the
// service.
func encryptionKey(cfg *engine.Config, spec *api.SSESpecification) (string, error) {
	enabled := spec.Enabled != nil && *spec.Enabled
	switch {
	case spec.SSEType == "AES256":
		return "", invalid("SSEType AES256 is not supported")
	case !enabled && spec.KMSMasterKeyId != nil:
		return "", invalid("KMSMasterKeyId can be specified only if SSESpecification is enabled")
	case !enabled:
		return "", nil
	case spec.KMSMasterKeyId == nil:
		return keyARN(cfg, defaultKey), nil
	}
	return keyARN(cfg, *spec.KMSMasterKeyId), nil
}

// keyARN returns the ARN of a key that is given by its ID, its alias, or the ARN of one of them. An
// alias has the same key in each database.
func keyARN(cfg *engine.Config, key string) string {
	if _, alias, ok := strings.Cut(key, "alias/"); ok {
		key = newID(0, alias)
	}
	if strings.HasPrefix(key, "arn:") {
		return key
	}
	return "arn:aws:kms:" + cfg.Region + ":" + cfg.Account + ":key/" + key
}

func describeEncryption(key string) *api.SSEDescription {
	if key == "" {
		return nil
	}
	return &api.SSEDescription{Status: "ENABLED", SSEType: "KMS", KMSMasterKeyArn: key}
}

// describeClass is nil for a table whose class no request had.
func describeClass(s store.Settings) *api.TableClassSummary {
	if s.Class == "" {
		return nil
	}
	return &api.TableClassSummary{TableClass: s.Class, LastUpdateDateTime: api.Seconds(s.ClassChangedAt)}
}

func setSettings(t *store.Table, cfg *engine.Config, in *api.CreateTableInput) (err error) {
	t.Settings.Class = in.TableClass
	if in.SSESpecification != nil {
		t.Settings.EncryptionKey, err = encryptionKey(cfg, in.SSESpecification)
	}
	return err
}

// planClass plans the table class. It is the only change of its request.
func (u *update) planClass() error {
	if class := u.in.TableClass; class != "" {
		u.addStep(func() { u.t.Settings.Class, u.t.Settings.ClassChangedAt = class, u.s.Now })
	}
	return nil
}

func (u *update) planEncryption() error {
	if u.in.SSESpecification == nil {
		return nil
	}
	key, err := encryptionKey(u.cfg, u.in.SSESpecification)
	u.addStep(func() { u.t.Settings.EncryptionKey = key })
	return err
}
