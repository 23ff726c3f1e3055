package table

import (
	"fmt"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// encryption parses the requested encryption, which descriptions return. Nothing is encrypted.
func encryption(cfg *engine.Config, spec *api.SSESpecification) (store.Encryption, error) {
	switch {
	case spec == nil:
		return store.Encryption{}, nil
	case spec.Enabled == nil || !*spec.Enabled:
		if spec.SSEType != "" || spec.KMSMasterKeyId != nil {
			return store.Encryption{}, invalid("SSEType and KMSMasterKeyId can only be specified when SSE is enabled")
		}
		return store.Encryption{}, nil
	case spec.SSEType == "AES256":
		return store.Encryption{}, invalid("SSEType AES256 is not supported, the only one is KMS")
	}
	return store.Encryption{Enabled: true, Type: "KMS", KeyARN: keyARN(cfg, spec.KMSMasterKeyId)}, nil
}

// keyARN returns the ARN of a KMS key that is named by its ARN, its alias or its ID. Without an ID,
// it is the default key of the account.
func keyARN(cfg *engine.Config, id *string) string {
	name := "alias/aws/dynamodb"
	if id != nil {
		name = *id
	}
	switch {
	case strings.HasPrefix(name, "arn:"):
		return name
	case strings.HasPrefix(name, "alias/"):
		return fmt.Sprintf("arn:aws:kms:%s:%s:%s", cfg.Region, cfg.Account, name)
	default:
		return fmt.Sprintf("arn:aws:kms:%s:%s:key/%s", cfg.Region, cfg.Account, name)
	}
}
