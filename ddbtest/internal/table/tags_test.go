package table

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

func tag(key, value string) api.Tag { return api.Tag{Key: &key, Value: &value} }

const tabARN = "arn:aws:dynamodb:us-east-1:123456789012:table/tab"

// TestTags adds, overwrites and removes tags.
func TestTags(t *testing.T) {
	t.Parallel()
	c, in := newCall(), simple("tab")
	in.Tags = []api.Tag{tag("b", "1"), tag("a", "")}
	_, err := Create(c, in)
	require.NoError(t, err)
	tags := func() []api.Tag {
		out, err := ListTags(c, &api.ListTagsOfResourceInput{ResourceArn: tabARN})
		require.NoError(t, err)
		return out.Tags
	}
	require.Equal(t, []api.Tag{tag("a", ""), tag("b", "1")}, tags())

	_, err = Tag(c, &api.TagResourceInput{ResourceArn: tabARN, Tags: []api.Tag{tag("b", "2"), tag("é k+-=._:/@1", "2")}})
	require.NoError(t, err)
	require.Equal(t, []api.Tag{tag("a", ""), tag("b", "2"), tag("é k+-=._:/@1", "2")}, tags())

	_, err = Untag(c, &api.UntagResourceInput{ResourceArn: tabARN, TagKeys: []string{"b", "none"}})
	require.NoError(t, err)
	require.Equal(t, []api.Tag{tag("a", ""), tag("é k+-=._:/@1", "2")}, tags())
}

// TestTagsAreLimited adds tags up to the limit.
func TestTagsAreLimited(t *testing.T) {
	t.Parallel()
	c := newCall()
	_, err := Create(c, simple("tab"))
	require.NoError(t, err)
	add := func(from, to int) error {
		in := &api.TagResourceInput{ResourceArn: tabARN}
		for i := from; i < to; i++ {
			in.Tags = append(in.Tags, tag(fmt.Sprint(i), "v"))
		}
		_, err := Tag(c, in)
		return err
	}
	require.NoError(t, add(0, 30))
	require.NoError(t, add(20, 50), "tags that are there count once")
	requireServiceError(t, add(50, 51), awserr.CodeValidation, invalidValues+"The number of tags exceeds the limit of 50 for a resource")
}

// TestTagsReject checks invalid tags and resources.
func TestTagsReject(t *testing.T) {
	t.Parallel()
	c := newCall()
	_, err := Create(c, simple("tab"))
	require.NoError(t, err)
	for _, test := range []struct {
		arn, code, message string
		tags               []api.Tag
	}{
		{tabARN, awserr.CodeValidation, "Atleast one Tag needs to be provided as Input.", nil},
		{tabARN, awserr.CodeValidation, invalidValues + "The tag key provided is invalid: ->", []api.Tag{tag("->", "ok")}},
		{tabARN, awserr.CodeValidation, invalidValues + "The tag value provided is invalid: #", []api.Tag{tag("ok", "#")}},
		{tabARN, awserr.CodeValidation, invalidValues + "Tag keys starting with aws: are reserved for system use: AWS:x", []api.Tag{tag("AWS:x", "ok")}},
		{tabARN, awserr.CodeValidation, invalidValues + "Cannot provide multiple Tags with the same key: k", []api.Tag{tag("k", "1"), tag("k", "2")}},
		{tabARN + "/index/x", awserr.CodeValidation, "Invalid TableArn: Invalid ResourceArn provided as input " + tabARN + "/index/x", []api.Tag{tag("k", "v")}},
		{tabARN + "x", awserr.CodeResourceNotFound, "Requested resource not found: ResourcArn: " + tabARN + "x not found", []api.Tag{tag("k", "v")}},
		{"arn:aws:dynamodb:us-east-1:000000000000:table/tab", "AccessDeniedException", "User: arn:aws:iam::123456789012:user/ddbtest is not " +
			"authorized to perform: dynamodb:TagResource on resource: arn:aws:dynamodb:us-east-1:000000000000:table/tab", []api.Tag{tag("k", "v")}},
	} {
		_, err := Tag(c, &api.TagResourceInput{ResourceArn: test.arn, Tags: test.tags})
		requireServiceError(t, err, test.code, test.message)
	}

	_, err = Untag(c, &api.UntagResourceInput{ResourceArn: tabARN})
	requireServiceError(t, err, awserr.CodeValidation, "Atleast one Tag Key needs to be provided as Input.")
	_, err = Untag(c, &api.UntagResourceInput{ResourceArn: tabARN + "x", TagKeys: by("k")})
	requireServiceError(t, err, awserr.CodeResourceNotFound, "Requested resource not found")
	_, err = ListTags(c, &api.ListTagsOfResourceInput{ResourceArn: tabARN + "x"})
	requireServiceError(t, err, awserr.CodeResourceNotFound, "Requested resource not found: ResourcArn: "+tabARN+"x not found")
	_, err = ListTags(c, &api.ListTagsOfResourceInput{ResourceArn: tabARN, NextToken: api.Pointer("x")})
	requireServiceError(t, err, awserr.CodeValidation, "Invalid NextToken")
}

// TestTagsOfNoTable checks what is not the ARN of a table. All three operations reject it alike.
// The public conformance suite and the tests of ScyllaDB and ExtendDB, which ran on DynamoDB, have
// the first and the second class. The API reference does not say more.
func TestTagsOfNoTable(t *testing.T) {
	t.Parallel()
	c := newCall()
	_, err := Create(c, simple("tab"))
	require.NoError(t, err)
	for arn, want := range map[string]string{
		"x": "no ARN", "not-a-valid-arn": "no ARN", "a:b:c:d:e:f/g": "no ARN",
		"arn:": "denied", "arn:x": "denied", "arn:aws:dynamodb:table/tab": "denied", "arn:aws:s3:::bucket": "denied", "arn:aws:s3:us-east-1:123456789012:table/tab": "denied",
		"arn:aws:dynamodb:us-east-1:000000000000:table/tab": "denied",
		tabARN + "/index/x": "no table", "arn:aws:dynamodb:us-east-1:123456789012:table/ab": "no table", "arn:aws:dynamodb:us-east-1:123456789012:x/tab": "no table",
		tabARN: "",
	} {
		for operation, err := range map[string]error{
			"TagResource":        second(Tag(c, &api.TagResourceInput{ResourceArn: arn, Tags: []api.Tag{tag("k", "v")}})),
			"UntagResource":      second(Untag(c, &api.UntagResourceInput{ResourceArn: arn, TagKeys: by("k")})),
			"ListTagsOfResource": second(ListTags(c, &api.ListTagsOfResourceInput{ResourceArn: arn})),
		} {
			switch want {
			case "":
				require.NoError(t, err)
			case "no ARN":
				requireServiceError(t, err, awserr.CodeValidation, invalidValues+"ARNs must start with 'arn:': "+arn)
			case "denied":
				requireServiceError(t, err, "AccessDeniedException", "User: arn:aws:iam::123456789012:user/ddbtest is not authorized to perform: dynamodb:"+
					operation+" on resource: "+arn)
			default:
				requireServiceError(t, err, awserr.CodeValidation, "Invalid TableArn: Invalid ResourceArn provided as input "+arn)
			}
		}
	}
}

func second[T any](_ T, err error) error { return err }
