package table

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// maxTags is the largest number of tags of a table.
const maxTags = 50

// Tag implements TagResource.
func Tag(c *engine.Call, in *api.TagResourceInput) (*api.Empty, error) {
	if err := checkResource(c.Config, "TagResource", in.ResourceArn); err != nil {
		return nil, err
	}
	if len(in.Tags) == 0 {
		return nil, awserr.Validation("Atleast one Tag needs to be provided as Input.")
	}
	return &api.Empty{}, change(c, func(s *store.State) error {
		t := s.Lookup(in.ResourceArn, s.Now)
		if t == nil {
			return errNoResource(in.ResourceArn)
		}
		tags, err := withTags(t.Tags, in.Tags)
		if err != nil {
			return err
		}
		t.Tags = tags
		return nil
	})
}

// Untag implements UntagResource.
func Untag(c *engine.Call, in *api.UntagResourceInput) (*api.Empty, error) {
	if err := checkResource(c.Config, "UntagResource", in.ResourceArn); err != nil {
		return nil, err
	}
	if len(in.TagKeys) == 0 {
		return nil, awserr.Validation("Atleast one Tag Key needs to be provided as Input.")
	}
	return &api.Empty{}, change(c, func(s *store.State) error {
		t := s.Lookup(in.ResourceArn, s.Now)
		if t == nil {
			return awserr.NotFound()
		}
		tags := maps.Clone(t.Tags)
		for _, key := range in.TagKeys {
			delete(tags, key)
		}
		t.Tags = tags
		return nil
	})
}

// ListTags implements ListTagsOfResource. It returns all tags on one page, in the order of their
// keys.
func ListTags(c *engine.Call, in *api.ListTagsOfResourceInput) (*api.ListTagsOfResourceOutput, error) {
	if err := checkResource(c.Config, "ListTagsOfResource", in.ResourceArn); err != nil {
		return nil, err
	}
	if in.NextToken != nil {
		return nil, awserr.Validation("Invalid NextToken")
	}
	out := &api.ListTagsOfResourceOutput{Tags: []api.Tag{}}
	err := c.DB.View(func(s *store.State) error {
		t := s.Lookup(in.ResourceArn, c.Now())
		if t == nil {
			return errNoResource(in.ResourceArn)
		}
		for _, key := range slices.Sorted(maps.Keys(t.Tags)) {
			out.Tags = append(out.Tags, api.Tag{Key: api.Pointer(key), Value: api.Pointer(t.Tags[key])})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func errNoResource(arn string) error {
	return awserr.New(awserr.CodeResourceNotFound, "Requested resource not found: ResourcArn: %s not found", arn)
}

// checkResource rejects what is not the ARN of a table, and the ARNs of another account or region.
// What is no ARN at all is invalid. To what is the ARN of nothing in DynamoDB, access is denied.
func checkResource(cfg *engine.Config, operation, arn string) error {
	own, name, ok := strings.Cut(arn, ":table/")
	switch {
	case !strings.HasPrefix(arn, "arn:"):
		return invalid("ARNs must start with 'arn:': %s", arn)
	case !strings.HasPrefix(arn, "arn:aws:dynamodb:") || strings.Count(arn, ":") < 5:
		return errNotAuthorized(cfg, operation, arn)
	case !ok || len(name) < 3 || strings.Contains(name, "/"):
		return awserr.Validation("Invalid TableArn: Invalid ResourceArn provided as input %s", arn)
	case own+":table/" != tableARN(cfg, ""):
		return errNotAuthorized(cfg, operation, arn)
	}
	return nil
}

func errNotAuthorized(cfg *engine.Config, operation, arn string) error {
	return awserr.New("AccessDeniedException", "User: arn:aws:iam::%s:user/ddbtest is not authorized to perform: dynamodb:%s on resource: %s",
		cfg.Account, operation, arn)
}

// withTags returns a copy of tags with the added ones.
func withTags(tags map[string]string, added []api.Tag) (map[string]string, error) {
	all := make(map[string]string, len(tags)+len(added))
	maps.Copy(all, tags)
	seen := make(map[string]bool, len(added))
	for _, tag := range added {
		key, value := *tag.Key, *tag.Value
		switch {
		case seen[key]:
			return nil, invalid("Cannot provide multiple Tags with the same key: %s", key)
		case strings.HasPrefix(strings.ToLower(key), "aws:"):
			return nil, invalid("Tag keys starting with aws: are reserved for system use: %s", key)
		case !validTagText(key):
			return nil, invalid("The tag key provided is invalid: %s", key)
		case !validTagText(value):
			return nil, invalid("The tag value provided is invalid: %s", value)
		}
		seen[key], all[key] = true, value
	}
	if len(all) > maxTags {
		return nil, invalid("The number of tags exceeds the limit of %d for a resource", maxTags)
	}
	return all, nil
}

// validTagText reports whether a string has only characters that are valid in tags.
func validTagText(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsSpace(r) && !strings.ContainsRune("+-=._:/@", r)
	})
}
