package entity_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// job is on its index if it has an owner and a state. The index sorts by rank and state.
type job struct {
	ID      string   `dynamodbav:"id"`
	Owner   string   `dynamodbav:"owner"`
	Rank    int      `dynamodbav:"rank"`
	State   string   `dynamodbav:"state"`
	Home    *address `dynamodbav:"home,omitempty"`
	Version int64    `dynamodbav:"version"`
}

var (
	jobOwner = attr.Must(func(j *job) *string { return &j.Owner })
	jobRank  = attr.Must(func(j *job) *int { return &j.Rank })
	jobState = attr.Must(func(j *job) *string { return &j.State })
	jobCity  = attr.Must(func(j *job) *string { return &j.Home.City })
)

// jobs opens the type on an engine, versioned or not.
func jobs(t *testing.T, e engines.Engine, versioned bool) (*dynamodb.Client, *entity.Repo[job]) {
	t.Helper()
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	spec := entity.Spec{
		Type: "job", Key: entity.KeySpec{PK: "JOB#<id>", SK: "JOB"},
		Indexes: []entity.IndexSpec{{Name: "by-owner", On: "GSI1", PK: "OWNER#<owner>", SK: "R#<rank:04>#<state>"}},
	}
	if versioned {
		spec.Roles = map[string]string{"version": "version"}
	}
	defined := entity.DefineSpec[job](s, spec)
	client, table := open(t, e, s)
	return client, defined.In(table)
}

func jobKey(id string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"PK": avS("JOB#" + id), "SK": avS("JOB")}
}

// edit changes a stored item with the SDK; a nil value removes the attribute.
func edit(t *testing.T, client *dynamodb.Client, key map[string]types.AttributeValue, attribute string, av types.AttributeValue) {
	t.Helper()
	item := stored(t, client, "things", key)
	if item[attribute] = av; av == nil {
		delete(item, attribute)
	}
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("things"), Item: item})
	require.NoError(t, err)
}

// requireFresh requires that the stored index keys equal those that a put of the item stores.
func requireFresh(t *testing.T, client *dynamodb.Client, r *entity.Repo[job], id string) {
	t.Helper()
	item := stored(t, client, "things", jobKey(id))
	j, err := r.Type().Decode(item)
	require.NoError(t, err)
	fresh, err := r.Type().Encode(&j)
	require.NoError(t, err)
	for _, a := range []string{"GSI1PK", "GSI1SK"} {
		require.Equal(t, fresh[a], item[a], a)
	}
}

// An update of an item as it was read works for set and zero fields of the index key. The write
// checks each of them, by the version or by AsRead.
func TestUpdateAsRead(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for _, versioned := range []bool{true, false} {
			ctx := t.Context()
			client, plain := jobs(t, e, versioned)
			repo := plain
			if !versioned {
				repo = plain.With(entity.AsRead())
			}
			for id, j := range map[string]job{
				"full": {Owner: "ann", Rank: 3, State: "new"}, "no-state": {Owner: "ann", Rank: 3}, "no-rank": {Owner: "ann", State: "new"}, "none": {},
			} {
				j.ID = id
				require.NoError(t, repo.Create(ctx, &j))
				read, err := repo.Get(ctx, job{ID: id})
				require.NoError(t, err)
				read, err = repo.Update(ctx, read, jobOwner.Set("bob"))
				require.NoError(t, err, id)
				require.Equal(t, "bob", read.Owner)
				requireFresh(t, client, repo, id)

				// Another writer changes a field of the index key and does not increment the
				// version.
				for _, change := range []struct {
					attribute string
					av        types.AttributeValue
				}{{"state", avS("other")}, {"rank", avN("9")}} {
					if read.State == "" && change.attribute == "rank" {
						continue // without a state the item is not on the index
					}
					before := stored(t, client, "things", jobKey(id))
					edit(t, client, jobKey(id), change.attribute, change.av)
					_, err = repo.Update(ctx, read, jobOwner.Set("eve"))
					requireOutcome(t, err, trestle.ErrCondition, trestle.NotApplied)
					edit(t, client, jobKey(id), change.attribute, before[change.attribute])
				}

				// A zero may be stored in any form that is read as zero.
				if id == "none" {
					for _, av := range []types.AttributeValue{nil, &types.AttributeValueMemberNULL{Value: true}, avS("")} {
						edit(t, client, jobKey(id), "state", av)
						read, err = repo.Update(ctx, read, jobOwner.Set("bob"))
						require.NoError(t, err)
						requireFresh(t, client, repo, id)
					}
				}
				if read.Rank == 0 && read.State != "" {
					edit(t, client, jobKey(id), "rank", nil)
					read, err = repo.Update(ctx, read, jobOwner.Set("bob"))
					require.NoError(t, err)
					require.Equal(t, avN("0"), stored(t, client, "things", jobKey(id))["rank"], "it is made true")
					requireFresh(t, client, repo, id)
				}
				_, err = repo.Upsert(ctx, read, jobOwner.Set("cat"))
				require.NoError(t, err)
				requireFresh(t, client, repo, id)
			}

			// An example with only the table key has no values for the other fields of the index
			// key. The error names the access pattern.
			_, err := plain.Update(ctx, job{ID: "full"}, jobOwner.Set("eve"))
			requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
			require.ErrorContains(t, err, "by-owner")
			if versioned {
				// With ReadFirst an example with a version may omit the other fields.
				read, err := plain.Get(ctx, job{ID: "full"})
				require.NoError(t, err)
				_, err = plain.With(entity.ReadFirst()).Update(ctx, job{ID: "full", Version: read.Version}, jobOwner.Set("dan"))
				require.NoError(t, err)
				requireFresh(t, client, repo, "full")

				// An item that was read without a version must still have none.
				edit(t, client, jobKey("none"), "version", nil)
				read, err = plain.Get(ctx, job{ID: "none"})
				require.NoError(t, err)
				_, err = plain.With(entity.AsRead()).Update(ctx, read, jobOwner.Set("dan"))
				require.NoError(t, err)
				_, err = plain.With(entity.AsRead()).Update(ctx, read, jobOwner.Set("eve"))
				requireOutcome(t, err, trestle.ErrStale, trestle.NotApplied)
			}
		}
	})
}

// A plain number in an index key cannot be removed, because its field would be read as 0, which is
// another key.
func TestRemoveOfAPlainNumberInAnIndexKey(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		client, repo := jobs(t, e, true)
		j := job{ID: "j", Owner: "ann", Rank: 3, State: "new"}
		require.NoError(t, repo.Create(ctx, &j))
		for _, r := range []*entity.Repo[job]{repo, repo.With(entity.ReadFirst()), repo.With(entity.AsRead())} {
			_, err := r.Update(ctx, j, jobRank.Remove())
			requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
			_, err = r.Upsert(ctx, j, jobRank.Remove())
			requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
		}
		j, err := repo.Update(ctx, j, jobState.Remove())
		require.NoError(t, err)
		requireFresh(t, client, repo, "j")
		_, err = repo.Update(ctx, j, jobRank.Set(0))
		require.NoError(t, err)
		requireFresh(t, client, repo, "j")
	})
}

// A change of a child of an attribute that the item lacks is a failed condition. The error names
// the attribute.
func TestChangeBelowAMissingParentNamesIt(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		_, repo := jobs(t, e, true)
		require.NoError(t, repo.Create(ctx, &job{ID: "j"}))
		_, err := repo.Update(ctx, job{ID: "j"}, jobCity.Set("Oslo"))
		requireOutcome(t, err, trestle.ErrCondition, trestle.NotApplied)
		require.Contains(t, hintOf(t, err), "home")
		_, err = repo.Update(ctx, job{ID: "j"}, jobOwner.Set(""), attr.If(jobState.Eq("gone")))
		requireOutcome(t, err, trestle.ErrCondition, trestle.NotApplied)
		require.Empty(t, hintOf(t, err), "a condition of the caller's own")
	})
}
