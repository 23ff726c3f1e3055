package tablefile //nolint:testpackage // it compares unexported lists with the SDK

import (
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// TestMembersAreComplete checks that each member of the SDK's types is decided. It fails if a later
// version of the SDK has more.
func TestMembersAreComplete(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of   any
		list members
	}{
		{dynamodb.CreateTableInput{}, tableMembers},
		{types.TableDescription{}, tableMembers},
		{types.GlobalSecondaryIndex{}, indexMembers},
		{types.GlobalSecondaryIndexDescription{}, indexMembers},
		{types.LocalSecondaryIndex{}, indexMembers},
		{types.LocalSecondaryIndexDescription{}, indexMembers},
		{types.ProvisionedThroughput{}, throughputMembers},
		{types.ProvisionedThroughputDescription{}, throughputMembers},
		{types.PointInTimeRecoverySpecification{}, recoveryMembers},
		{types.AttributeDefinition{}, tableMembers.below["AttributeDefinitions"]},
		{types.KeySchemaElement{}, tableMembers.below["KeySchema"]},
		{types.KeySchemaElement{}, indexMembers.below["KeySchema"]},
		{types.Projection{}, indexMembers.below["Projection"]},
		{types.StreamSpecification{}, tableMembers.below["StreamSpecification"]},
		{types.TimeToLiveSpecification{}, tableMembers.below["TimeToLiveSpecification"]},
		{types.ReplicaDescription{}, tableMembers.below["Replicas"]},
	} {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(c.of)) {
			if !field.IsExported() {
				continue
			}
			_, refused := c.list.refused[field.Name]
			require.True(t, refused || isIn(c.list.read, field.Name) || isIn(c.list.leftOut, field.Name), "%T.%s", c.of, field.Name)
		}
	}
}
