package ddbtest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle/ddbtest/internal/itemfile"
	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
	"github.com/trestledb/trestle/ddbtest/internal/tablefile"
)

// CreateTables creates the tables that a file defines, as [DB.CreateTable] does, and returns their
// names in the order of the file. The content tells the format:
//
//   - a request of CreateTable, or a list of them
//   - the reply of DescribeTable, as the AWS CLI prints it
//   - a CloudFormation template in JSON, with resources of the type AWS::DynamoDB::Table or
//     AWS::DynamoDB::GlobalTable
//   - a plan of Terraform in JSON, by terraform show -json, with its child modules
//
// A table gets its key, its indexes, its billing mode, its stream, its time to live, its deletion
// protection and its point-in-time recovery. Of a global table, the settings of the replica in the
// Region of the database count. Encryption, tags, the table class, limits of throughput, metrics
// and replicas have no effect on data and are left out. Any other setting fails the test, such as
// VectorIndexes, ResourcePolicy or a name that ddbtest does not know. In a template, conditions
// and the functions Ref, Fn::Sub, Fn::Join, Fn::FindInMap and Fn::If are resolved with the
// defaults of the parameters, and with the Region and the account of the database. A table whose
// name is not in the file has its logical ID, or the name of its resource, as its name, and the
// test's log says so.
//
// An invalid file fails the test with all faults, each with its line and its path.
func (db *DB) CreateTables(t TB, path string) []string {
	requireTest(t)
	t.Helper()
	names, notes, err := db.createTables(path)
	if err != nil {
		t.Fatalf("ddbtest: create tables: %v", err)
		return nil
	}
	for _, note := range notes {
		t.Logf("ddbtest: create tables of %s: %s", path, note)
	}
	return names
}

func (db *DB) createTables(path string) (names, notes []string, err error) {
	tables, err := tablefile.Load(jsonfile.Disk{}, filepath.ToSlash(path), db.account())
	if err != nil {
		return nil, nil, err
	}
	return db.createAll(tables)
}

// account returns the account in which templates are deployed.
func (db *DB) account() tablefile.Account {
	return tablefile.Account{Region: db.options.Region, ID: db.options.Account}
}

// createAll creates tables, and returns their names and how names were found.
func (db *DB) createAll(tables []tablefile.Table) (names, notes []string, err error) {
	var errs []error
	client := db.setupClient()
	for _, t := range tables {
		if err := create(client, t); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", t.Where, rejection(err)))
		}
		names = append(names, aws.ToString(t.Input.TableName))
		if t.Note != "" {
			notes = append(notes, t.Note)
		}
	}
	return names, notes, errors.Join(errs...)
}

// create creates a table with its settings.
func create(client *dynamodb.Client, t tablefile.Table) error {
	_, err := client.CreateTable(context.Background(), t.Input)
	if err == nil && t.TTL != "" {
		_, err = client.UpdateTimeToLive(context.Background(), &dynamodb.UpdateTimeToLiveInput{
			TableName:               t.Input.TableName,
			TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String(t.TTL), Enabled: aws.Bool(true)},
		})
	}
	if err == nil && t.Recovery != nil {
		_, err = client.UpdateContinuousBackups(context.Background(), &dynamodb.UpdateContinuousBackupsInput{
			TableName: t.Input.TableName, PointInTimeRecoverySpecification: t.Recovery,
		})
	}
	return err
}

// rejection returns the error of the service without the details of the request.
func rejection(err error) error {
	var rejected smithy.APIError
	if errors.As(err, &rejected) {
		return fmt.Errorf("DynamoDB rejects the table: %s: %s", rejected.ErrorCode(), rejected.ErrorMessage())
	}
	return err
}

// LoadFile puts the items of a file into a table, as [DB.Load] does. The content tells the format,
// and the file may be compressed with gzip:
//
//   - items in DynamoDB JSON, as one list or one after the other: [Items.DynamoDBJSON] writes them
//   - a reply of the AWS CLI: of scan, query, get-item or batch-get-item
//   - a request file of batch-write-item, with requests for this table
//   - a data file of an export to S3 in the format DYNAMODB_JSON, or the folder of the whole
//     export with its manifest, whose checksums and counts are compared
//
// An invalid file fails the test with all faults, each with its line and its path, but without
// values.
func (db *DB) LoadFile(t TB, table, path string) {
	requireTest(t)
	t.Helper()
	located, err := itemfile.Load(jsonfile.Disk{}, filepath.ToSlash(path), table)
	if err == nil {
		err = db.loadLocated(table, located)
	}
	if err != nil {
		t.Fatalf("ddbtest: load the file into %q: %v", table, err)
	}
	db.Settle()
}

// loadLocated puts items. Its error names them by their positions.
func (db *DB) loadLocated(table string, located []itemfile.Located) error {
	items := make([]map[string]types.AttributeValue, len(located))
	for i, l := range located {
		items[i] = l.Item
	}
	return db.load(table, items, func(i int) string { return located[i].Where })
}

// LoadValues puts Go values into a table, as [DB.Load] does. Package attributevalue of the SDK
// encodes them. A value is a struct or a map, or a slice of them.
func (db *DB) LoadValues(t TB, table string, values ...any) {
	requireTest(t)
	t.Helper()
	items, names, err := encodeValues(values)
	if err == nil {
		err = db.load(table, items, func(i int) string { return names[i] })
	}
	if err != nil {
		t.Fatalf("ddbtest: load values into %q: %v", table, err)
	}
	db.Settle()
}

// encodeValues returns the items of values, and their names in errors. Its errors contain no
// values.
func encodeValues(values []any) (items []map[string]types.AttributeValue, names []string, err error) {
	var errs []error
	add := func(name string, v any) {
		item, err := attributevalue.MarshalMap(v)
		if err != nil || len(item) == 0 {
			errs = append(errs, fmt.Errorf("%s: package attributevalue does not encode %T as an item", name, v))
			return
		}
		items, names = append(items, item), append(names, name)
	}
	for i, v := range values {
		name := fmt.Sprintf("values[%d]", i)
		list := reflect.ValueOf(v)
		if k := list.Kind(); k != reflect.Slice && k != reflect.Array {
			add(name, v)
			continue
		}
		for j := range list.Len() {
			add(fmt.Sprintf("%s[%d]", name, j), list.Index(j).Interface())
		}
	}
	return items, names, errors.Join(errs...)
}
