package databases

import (
	"strings"
)

// Key names a database: as in DynamoDB, each account and Region has its own tables. The access key
// stands for the account.
type Key struct {
	AccessKey string `json:"accessKey"`
	Region    string `json:"region"`
}

// String returns the key as accessKey/region.
func (k Key) String() string { return k.AccessKey + "/" + k.Region }

// Validate returns what is wrong with the key, or "".
func (k Key) Validate() string {
	switch {
	case k.AccessKey == "" || len(k.AccessKey) > 128 || !only(k.AccessKey, isLetterOrDigit):
		return "an access key has 1 to 128 letters and digits, as for DynamoDB Local"
	case k.Region == "" || len(k.Region) > 64 || !only(k.Region, isOfRegion):
		return "a Region has 1 to 64 lower-case letters, digits and hyphens, such as us-east-1"
	default:
		return ""
	}
}

func only(text string, is func(byte) bool) bool {
	for i := range len(text) {
		if !is(text[i]) {
			return false
		}
	}
	return true
}

func isLetterOrDigit(c byte) bool { return isOfRegion(c) && c != '-' || 'A' <= c && c <= 'Z' }

func isOfRegion(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' }

// ParseScope returns the access key and the Region of an Authorization header, from the credential
// scope of the signature. ok is false if the header has none.
func ParseScope(authorization string) (k Key, ok bool) {
	algorithm, fields, _ := strings.Cut(authorization, " ")
	if !strings.HasPrefix(algorithm, "AWS4-") {
		return Key{}, false
	}
	for field := range strings.SplitSeq(fields, ",") {
		credential, found := strings.CutPrefix(strings.TrimSpace(field), "Credential=")
		if !found {
			continue
		}
		parts := strings.Split(credential, "/") // access key, date, Region, service, aws4_request
		if len(parts) != 5 {
			return Key{}, false
		}
		return Key{AccessKey: parts[0], Region: parts[2]}, true
	}
	return Key{}, false
}
