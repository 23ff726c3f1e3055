package entity_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

type Employee struct {
	_         entity.Key   `type:"employee" pk:"COM#<company_id>" sk:"EMP#<id>"`
	_         entity.Index `name:"by-hire" on:"GSI1" pk:"COM#<company_id>" sk:"HIRED#<hired_at:day>#<id>"`
	CompanyID string       `dynamodbav:"company_id"`
	ID        string       `dynamodbav:"id"`
	HiredAt   time.Time    `dynamodbav:"hired_at"`
	Status    string       `dynamodbav:"status"`
	Logins    int64        `dynamodbav:"logins"`
	Version   int64        `dynamodbav:"version" entity:"version"`
}

var (
	Staff     = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	Employees = entity.Define[Employee](Staff)
	Names     = entity.Project[Badge](Employees)

	Status  = attr.Must(func(e *Employee) *string { return &e.Status })
	HiredAt = attr.Must(func(e *Employee) *time.Time { return &e.HiredAt })
	Logins  = attr.Must(func(e *Employee) *int64 { return &e.Logins })
)

// Badge is the part of an employee that the door needs.
type Badge struct {
	ID     string `dynamodbav:"id"`
	Status string `dynamodbav:"status"`
}

func printKeys(item map[string]types.AttributeValue, names ...string) {
	for _, name := range names {
		fmt.Fprintf(os.Stdout, "%-6s %s\n", name, item[name].(*types.AttributeValueMemberS).Value)
	}
}

// What an entity is stored as can be looked at without a client.
func Example_keysOfAnItem() {
	item, err := Employees.Encode(&Employee{CompanyID: "c001", ID: "e7", HiredAt: time.Date(2026, 8, 1, 9, 0, 0, 0, time.UTC)})
	if err != nil {
		fmt.Println(err)
		return
	}
	printKeys(item, "PK", "SK", "GSI1PK", "GSI1SK", "_type")
	// Output:
	// PK     COM#c001
	// SK     EMP#e7
	// GSI1PK COM#c001
	// GSI1SK HIRED#2026-08-01#e7
	// _type  employee
}

// Values cannot break out of their part of a key.
func ExampleType_KeyOf() {
	key, err := Employees.KeyOf(Employee{CompanyID: "c001#EMP#e7", ID: "x"})
	if err != nil {
		fmt.Println(err)
		return
	}
	printKeys(key, "PK", "SK")

	_, err = Employees.KeyOf(Employee{ID: "e7"})
	fmt.Println(errors.Is(err, entity.ErrInvalid))
	// Output:
	// PK     COM#c001$HEMP$He7
	// SK     EMP#x
	// true
}

type Invoice struct {
	_  entity.Key   `type:"invoice" pk:"CUS#<customer>" sk:"INV#<issued>"`
	_  entity.Index `name:"by-number" on:"GSI7" pk:"INV#<id>" sk:"INV"`
	ID string       `dynamodbav:"id,omitemty"`

	Customer string    `dynamodbav:"customer_id"`
	Issued   time.Time `dynamodbav:"issued"`
	Version  int64     `dynamodbav:"version" entity:"verzion"`
}

// A test of a service's schema needs one line: all mistakes in all types come at once, each with its likely cure.
func ExampleSchema_Err() {
	schema := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	entity.Define[Invoice](schema)

	var faulty *entity.DefinitionError
	if errors.As(schema.Err(), &faulty) {
		for _, f := range faulty.Faults {
			fmt.Printf("%s: %s\n", f.Field, f.Reason)
		}
	}
	// Output:
	// entity.Key: the type has no attribute "customer"
	// entity.Key: a time needs a format to sort
	// entity.Index by-number: the table has no index "GSI7"
	// ID: unknown option omitemty
	// Version: there is no role verzion
}

// The table of a schema, for tools that make tables.
func ExampleSchema_Definition() {
	in := Staff.Definition("app-prod")
	fmt.Println(*in.TableName, in.BillingMode)
	for _, k := range in.KeySchema {
		fmt.Println(k.KeyType, *k.AttributeName)
	}
	fmt.Println(*in.GlobalSecondaryIndexes[0].IndexName)
	// Output:
	// app-prod PAY_PER_REQUEST
	// HASH PK
	// RANGE SK
	// GSI1
}

// An index key has two members here; the update knows one, is given the other, and checks it.
func Example_updateWithoutAStaleIndex() {
	table, err := Staff.Open(offline(nil), "app")
	if err != nil {
		fmt.Println(err)
		return
	}
	hired := time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)
	in, err := Employees.In(table).Inputs().Update(Employee{CompanyID: "c001", ID: "e7"}, HiredAt.Set(hired))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range in.ExpressionAttributeValues {
		if s, ok := v.(*types.AttributeValueMemberS); ok && s.Value[0] == 'H' {
			fmt.Println(s.Value)
		}
	}
	// Output:
	// HIRED#2026-09-01#e7
}

// Two writers read version 3; the slower one learns what the faster one wrote, without reading again.
func Example_optimisticLocking() {
	theirs := &types.ConditionalCheckFailedException{Message: aws.String("The conditional request failed"), Item: map[string]types.AttributeValue{
		"PK": avS("COM#c001"), "SK": avS("EMP#e7"), "_type": avS("employee"), "company_id": avS("c001"), "id": avS("e7"),
		"status": avS("leaving"), "version": avN("4"),
	}}
	table, err := Staff.Open(offline(theirs), "app")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = Employees.In(table).Update(context.Background(), Employee{CompanyID: "c001", ID: "e7", Version: 3}, Status.Set("active"))
	if errors.Is(err, entity.ErrStale) {
		met, _ := entity.Current[Employee](err)
		fmt.Println(met.Status, met.Version)
	}
	// Output:
	// leaving 4
}

// The service failed after it had taken the request: nobody knows whether the login was counted, so it was not counted twice.
func Example_lostReply() {
	table, err := Staff.Open(offline(&types.InternalServerError{}), "app")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = Employees.In(table).Update(context.Background(), Employee{CompanyID: "c001", ID: "e7"}, attr.Add(Logins, 1))
	fmt.Println(errors.Is(err, entity.ErrUnknown), entity.OutcomeOf(err))
	fmt.Println(err)
	// Output:
	// true unknown
	// trestle: update employee in "app": whether the write was applied is unknown: InternalServerError
}

// A part of an item is a smaller struct, checked with the schema.
func ExampleProject() {
	table, err := Staff.Open(offline(nil), "app")
	if err != nil {
		fmt.Println(err)
		return
	}
	in, err := Names.Input(Employees.In(table).Strong(), Employee{CompanyID: "c001", ID: "e7"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(*in.ProjectionExpression)
	for _, mark := range []string{"#n0", "#n1", "#n2", "#n3", "#n4"} {
		fmt.Println(mark, in.ExpressionAttributeNames[mark])
	}
	// Output:
	// #n0, #n1, #n2, #n3, #n4
	// #n0 PK
	// #n1 SK
	// #n2 _type
	// #n3 id
	// #n4 status
}

// A table that holds keys already: its own attribute names and delimiter, no type attribute.
func Example_tableThatExists() {
	type Team struct {
		_    entity.Key `pk:"<tournament>" sk:"team-<id>"`
		Cup  string     `dynamodbav:"tournament" entity:"key"`
		ID   string     `dynamodbav:"id" entity:"key"`
		Name string     `dynamodbav:"name"`
	}
	schema := entity.NewSchema(entity.Config{
		Partition: entity.S("partitionKey"), Sort: entity.S("sortKey"), Delimiter: "-",
		TypeAttribute: entity.None, WriteID: entity.None,
	})
	teams := entity.Define[Team](schema)
	team, err := teams.Decode(map[string]types.AttributeValue{
		"partitionKey": avS("983d39a3-bdd6-4b61-88d5-58595d555b81"), "sortKey": avS("team-t1"), "name": avS("Atlas"),
	})
	fmt.Println(team.Cup, team.ID, team.Name, err)
	// Output:
	// 983d39a3-bdd6-4b61-88d5-58595d555b81 t1 Atlas <nil>
}

// offline is a client whose every update ends with an error, so that these examples need no table.
func offline(err error) entity.Client { return failing{err: err} }

type failing struct {
	entity.Client
	err error
}

func (f failing) UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return nil, f.err
}
