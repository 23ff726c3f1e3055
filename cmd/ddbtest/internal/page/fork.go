package page

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
)

// fork is a copy of a database for reading. Its requests are not counted, and no rule, lag or limit
// acts on them.
type fork struct {
	visit  *visit
	db     *ddbtest.DB
	client *dynamodb.Client
}

// fork returns a fork of the database. Close it.
func (v *visit) fork() *fork {
	db := v.db.DB.Fork()
	db.Settle() // reads of global indexes are eventually consistent
	db.LimitPartitions(ddbtest.Units{})
	return &fork{v, db, db.Client(func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 })}
}

func (f *fork) close() { f.db.Close() }

// describe returns the description of a table, or errNoTable.
func (f *fork) describe(table string) (*types.TableDescription, error) {
	reply, err := f.client.DescribeTable(f.visit.request.Context(), &dynamodb.DescribeTableInput{TableName: &table})
	var missing *types.ResourceNotFoundException
	switch {
	case errors.As(err, &missing), err == nil && aws.ToString(reply.Table.TableName) != table: // the name may be an ARN
		return nil, errNoTable
	case err != nil:
		return nil, err
	}
	return reply.Table, nil
}

// ofTable returns the handler for a page of the table that the path names.
func ofTable(serve func(*fork, *types.TableDescription) (*reply, error)) func(*visit) (*reply, error) {
	return func(v *visit) (*reply, error) {
		f := v.fork()
		defer f.close()
		d, err := f.describe(v.request.PathValue("table"))
		if err != nil {
			return nil, err
		}
		return serve(f, d)
	}
}

// timeToLive returns the settings of a table's time to live.
func (f *fork) timeToLive(table string) (*types.TimeToLiveDescription, error) {
	reply, err := f.client.DescribeTimeToLive(f.visit.request.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: &table})
	if err != nil {
		return nil, err
	}
	return reply.TimeToLiveDescription, nil
}

// tableNames returns the names of all tables.
func (f *fork) tableNames() ([]string, error) {
	var names []string
	pages := dynamodb.NewListTablesPaginator(f.client, &dynamodb.ListTablesInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(f.visit.request.Context())
		if err != nil {
			return nil, err
		}
		names = append(names, page.TableNames...)
	}
	return names, nil
}
