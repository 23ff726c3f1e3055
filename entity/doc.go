// Package entity maps Go structs to items of a single DynamoDB table. The values in keys are
// escaped, so keys cannot collide. A write also sets the keys of all indexes of the item, and
// reports whether it was applied, or that this is unknown.
//
// A program declares its [Schema] once, without a client. [Define] adds an entity type, whose
// struct tags declare the keys:
//
//	type Employee struct {
//		_ entity.Key   `type:"employee" pk:"C#<company_id>" sk:"EMP#<id>"`
//		_ entity.Index `name:"by-hire" on:"GSI1" pk:"C#<company_id>" sk:"HIRED#<hired_at:day>#<id>"`
//
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
// [Schema.Open] validates all declarations and reports all mistakes at once. [Type.In] returns the
// repository, [Repo], of a type on the opened [Table]. Its methods are Create, Get, Put, Upsert,
// Update, Delete and Overwrite; an example, which is an entity with the fields of the key set,
// selects the item. Package attr makes conditions and changes, package query makes queries.
// [Repo.PutMany], [Repo.DeleteMany] and [WriteMany] write many items. [Repo.Op] returns the methods
// as values of type [Op], which can be sent, converted to the input of the SDK, explained,
// configured to return the old or the new item, and combined to a transaction by package tx.
// [Unique] declares unique values, and [Counted] declares counts. [Project] reads an item as a
// smaller struct. [Type.Encode] and [Type.Decode] convert from and to items of the SDK.
//
// An item of a type with the role ttl is hidden from the second in that field on: see
// [ShowExpired]. The tag lifetime of [Key] sets the field of new items. Reads count the items whose
// value DynamoDB ignores ([trestle.Event].IgnoredTTL), and maintain.CheckItems lists them. A test
// that lets items expire opens the table with the clock of its database: see [Clock].
//
// A [trestle.Observer] is notified of every operation. [trestle.SlogObserver] writes a log; other
// observers make traces and metrics.
//
// The dynamodbav tags of the fields name and encode attributes, as in package attributevalue of the
// SDK with its options UseEncodingMarshalers and UseEncodingUnmarshalers: a type with MarshalText
// is stored as that text, an S. The SDK's default would store an M or N; reads accept that, too.
// Options that the SDK ignores are mistakes, such as omitempty on a struct; on a type with
// MarshalText it omits what its method IsZero names. So are the json or dynamo tags of a struct
// that has no dynamodbav tag. Types whose values would be lost are mistakes, too: funcs, interfaces
// with methods, a type with MarshalText and not UnmarshalText, a struct that has the MarshalText of
// a type that it embeds and other fields, and one that has the MarshalText of an embedded pointer,
// which panics on nil. Open calls the methods of such a struct with samples; it accepts one that
// refuses all samples. Fields that are not exported are never stored, also those of an embedded
// struct: they are the place for a lock or a cache.
//
// Nil and empty sets are left out of the item; the option nullempty stores them as NULL, and
// nullemptyelem does so in a map, for other programs. An empty slice or map that its own method
// reads as nil, such as an empty net.IP, is nil. A time is stored in UTC. An any holds every
// attribute: a number is a float64, or an attributevalue.Number if it has more digits than a
// float64 holds; a set of strings or numbers is the attribute value of the SDK. A time with the
// option unixtime is read in [time.Local], as by the SDK. A set has no order: the elements of a set
// that is read may be in another one. [Key] documents templates and roles, package keys documents
// formats.
//
// A Put replaces the whole item. If a program of an older version, which lacks a new field, reads
// an item and puts it, the attribute is lost, unless the type has a field with the role rest: it
// keeps attributes without a field. So give types this role before a rolling deployment adds a
// field. Update changes only the attributes that it names.
//
// Every error of a repository is a [*trestle.OpError] or wraps one. Errors of declarations are
// [*trestle.DefinitionError]. [errors.Is] distinguishes the sentinel errors ([trestle.ErrNotFound],
// [trestle.ErrExists], [trestle.ErrStale], …). [trestle.OutcomeOf] returns whether a write was
// applied. No error prints a key or a value.
package entity
