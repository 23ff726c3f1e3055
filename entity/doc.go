// Package entity turns Go structs into items of a single DynamoDB table and back, with keys that cannot collide, indexes that cannot go
// stale, and an outcome for every write.
//
// A [Schema] is declared once per program, without a client; [Define] adds an entity type to it, whose struct tags declare the keys:
//
//	type Employee struct {
//		_         entity.Key   `type:"employee" pk:"COM#<company_id>" sk:"EMP#<id>"`
//		_         entity.Index `name:"by-hire" on:"GSI1" pk:"COM#<company_id>" sk:"HIRED#<hired_at:day>#<id>"`
//		CompanyID string    `dynamodbav:"company_id"`
//		ID        string    `dynamodbav:"id"`
//		HiredAt   time.Time `dynamodbav:"hired_at"`
//		Version   int64     `dynamodbav:"version" entity:"version"`
//	}
//
//	var (
//		Schema    = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
//		Employees = entity.Define[Employee](Schema)
//	)
//
// [Schema.Open] checks everything that was declared and says all that is wrong at once; [Type.In] gives the repository, [Repo], on
// the opened [Table]. Its verbs are Create, Get, Put, Upsert, Update, Delete and Overwrite, each by example of the key. Conditions and changes
// are made with package attr, queries with package query. [Repo.Op] makes a verb into a value, [Op], that can be sent, looked at as the SDK's
// input, explained, and told what to give back. [Project] reads an item as a smaller struct; [Type.Encode] and [Type.Decode] lead to the SDK's
// own items.
//
// An [Observer] is notified of every operation: [Log] writes a log, others make traces and metrics.
//
// How fields are named and stored is said by their dynamodbav tags, as package attributevalue of the SDK does it. [Key] says what templates and
// roles there are, package keys what formats.
//
// Every error of a repository is an [*OpError], and those of a declaration are [*DefinitionError]
// and, of a table, [*DriftError]; [errors.Is] tells the outcomes apart ([ErrNotFound], [ErrExists],
// [ErrStale], …), and [OutcomeOf] whether a write was applied: only writes have an [Outcome]. No
// error prints a key or a value.
package entity
