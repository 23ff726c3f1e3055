package entity

// Key declares the entity type and the key of the table, in the tags of a blank field:
//
//	_ entity.Key `type:"employee" pk:"COM#<company_id>" sk:"EMP#<id>"`
//
// pk and sk are templates. A template has literals and placeholders such as <id>, which name an
// attribute. Numbers and times may need a format, as in <at:s>; package keys lists the formats and
// the Go types that keys accept. A type with a text form, such as netip.Addr or an enumeration, is
// written and sorted as that text. Information that a format drops is not part of the key: with
// sk:"AT#<at:s>", two times in the same second are one item. A template that is a single
// placeholder writes the value unescaped.
//
// The tag shared:"yes" declares that another type has the same templates on purpose. The type
// attribute then distinguishes the types, and a write never replaces an item of another type.
// Instead, a put returns [trestle.ErrExists], and an update or delete returns
// [trestle.ErrNotFound]. The item of the other type may have expired: it exists until DynamoDB
// deletes it. An item without the type attribute is of no type: reads of a type leave it out, and
// CheckItems counts it. Writes take it for one of their type: they replace, change or delete it.
// Put and Upsert also store the type attribute.
//
// A partition takes 1,000 write units per second. The placeholder <shard> and the tag shards split
// it into up to 1000 shards, each in a partition of its own:
//
//	_ entity.Key `type:"event" pk:"LOG#<device>#<shard:id>" sk:"<at:s>#<id>" shards:"16"`
//
// <shard:id> is computed from fields of the table's key, so a get by key reads one item as usual.
// The sort key must have at least one of these fields, or have it more exactly than the partition
// key: otherwise all items of a device would be in one shard. <shard> alone is random: a field
// Shard *int with the role shard holds it. A write that stores the entity chooses the shard if the
// field is nil. Get, update and delete need the shard, and an entity that is put twice without it
// may be stored twice.
//
// A query reads all shards at the same time, and merges them by sort key. It costs at least half a
// read unit for each shard, or one if it is strongly consistent, even if the shard has no item.
// With a limit of L, it reads at most 2L items and 4 for each shard, unless a filter drops some.
// Its MaxRequests must be at least the number of shards.
//
// The number of shards can change. The list shards:"16,32" means that items were stored with 16
// shards, and that new items get one of 32. Queries read as many shards as the greatest number. An
// item stays in its shard. If shards are computed, all methods find the items of each number in the
// list. A get that finds nothing under the current key reads the keys of the other numbers, one
// after the other. A write first reads the item under each key, strongly consistent. A write that
// creates the item is a transaction that also checks the other keys: it costs two write units per
// KB of the item, and two for each other key.
//
// To grow, deploy shards:"32,16" to all programs first, and then shards:"16,32". Compare of package
// schema reports this, and numbers that may not be removed from the list.
//
// A partition key with a period of a time, as in pk:"LOG#<device>#<at:day>", has a partition for
// each year, month, day or hour. A query with an Eq condition on the time, or one with two bounds,
// reads each period. A partition key can have both a period and a shard.
//
// The tag lifetime:"720h" is for a type with a field of the role ttl. A write that stores a whole
// entity without a time to live sets it to the time of the schema's clock plus the lifetime, and an
// upsert without a version sets it if the item has none. A lifetime is whole seconds, and at most
// 100 years. The end is rounded down to a second: an item expires up to a second before its
// lifetime has passed. A time to live after the year 5138 is [trestle.ErrInvalid]: it is in
// milliseconds by mistake. So is such a number that [attr.Add] adds. A smaller one is not
// recognized, such as a minute in milliseconds, nor is a sum that is too large: maintain.CheckItems
// finds stored items that never expire.
//
// The tag entity gives a field a role. Only the fields of the entity itself can have a role,
// including the fields of embedded structs whose dynamodbav tag has no name. A role or a marker
// inside a nested struct is a definition error, at any depth. So is an entity type nested in
// another entity: use a separate Go type for the nested part. The fields of types with their own
// marshaling methods are not inspected.
//
//	version  an int64 (or int, uint, uint64) that every write increments; writes check it if the
//	         example or entity has one
//	created  a time.Time, set by writes if it is zero; Put keeps a given time
//	updated  a time.Time, set by every write
//	ttl      a time.Time, or an int64 of seconds since 1970: the TTL attribute, stored in seconds,
//	         rounded down. A zero is not stored. Reads do not return an item from that second on:
//	         see [ShowExpired]. It is no attribute of the table's key, and no index key of type S
//	tenant   a string that all partition keys of the type start with, those of indexes included:
//	         pk:"<tenant>#USER#<id>" for a field with the attribute tenant, or a literal before it,
//	         as in pk:"TENANT#<tenant>#USER#<id>". See [Table.Tenant]
//	unique   no two items of the type have the same value: see [Unique]
//	shard    a *int that holds the random shard of the table's key. It has no attribute of its own
//	rest     a map[string]types.AttributeValue that preserves attributes without a field in Get
//	         and Put, except those of the library. The key attribute of an index that the type
//	         is not in is preserved if another type has a field there
//	key      the field has no attribute of its own: it is written to keys and read back from them.
//	         If only the key of an index holds it, it is lost when the item leaves the index.
//	         If the formats drop a part of a value, such as a fraction of a second, the library
//	         rejects values that the formats would change
type Key struct{}

// Index declares an access pattern through an index of the table, in the tags of a blank field:
//
//	_ entity.Index `name:"by-name" on:"GSI1" pk:"ORG#<name>" sk:"COM#<id>"`
//
// The tag name is the name of the access pattern, which queries use. The tag on is the name of the
// index. Omit pk or sk if that key attribute of the index is an attribute of the item.
//
// An item is in an index if every field of the index key has a value, so an index can be sparse.
// The empty string, nil, a zero time, a zero array and everything that omitempty omits are no
// values. 0 and false are values, also for a number type with a text form, such as an enumeration.
// The zero of any other type with a text form is no value, such as the nil UUID or a zero
// netip.Addr.
//
// The tag shards splits a partition of the index, as for [Key]. This is useful if the index has few
// partition keys, such as one for each status:
//
//	_ entity.Index `name:"by-status" on:"GSI1" pk:"S#<status>#<shard>" sk:"<at:s>" shards:"16,32"`
//
// <shard> is computed from all fields of the table's key except its own shard, and <shard:id> from
// some of them, so an update that changes other fields never moves an item to another shard. If the
// number grows, stored items need not be written again: a query reads them in their old shards.
type Index struct{}

// Unique declares a value that no two items of the type may have, in the tags of a blank field:
//
//	_ entity.Unique `key:"<email:lower>"`
//	_ entity.Unique `name:"login" key:"<company_id>#<login>"`
//
// The tag key is the template of the value: it may have several fields, a scope, such as the
// company, and formats, such as lower. A field with the role unique is short for a template of that
// field alone. The tag name is used in errors; by default it is the names of the fields.
//
// Each value is held by an item of the library, the guard, whose partition key starts with $U. It
// is written in the same transaction as the item: created, moved and deleted with it. If another
// item has the value, the write fails with [trestle.ErrTaken], and [trestle.Taken] returns the
// names. An item with an absent field (see [Index]) has no value and no guard. Readers skip guards.
//
// A create costs two write units per KB of the item, and two for each guard. Put, Overwrite and
// Delete first read the old item, strongly consistent; so does an update or upsert that changes a
// field of a unique value or the time to live, and an upsert whose new item would have a value from
// the table's key and zeros. Such an update and upsert also read the new item after the
// transaction, to return it. They are single writes if no guard changes. Batches send them as
// single writes. Items that other programs write have no guards: maintain.RepairGuards finds and
// repairs them.
//
// In a type with a tenant, a value is unique within the tenant, and the keys of its guards start
// with the tenant too.
//
// Guards have the time to live of their item. DynamoDB may delete either one first, so an expired
// guard does not hold its value any more.
type Unique struct{}

// Counted declares that another item counts the items of the type, in the tags of a blank field:
//
//	_ entity.Counted `in:"post" as:"comments" pk:"POST#<post_id>" sk:"POST"`
//
// The tag in is the type of the counting item, and as is its attribute that holds the count: an
// integer field that is not in a template of a key. A type with the role ttl cannot be counted,
// because DynamoDB deletes its items without counting. It may be a key attribute of an index, which
// then sorts items by their count. pk and sk are the templates of that type's key, with fields of
// this type. An item with an absent field (see [Index]) is not counted.
//
// Each write that creates, deletes or moves an item also changes the count, and increments the
// version of the counting item, in the same transaction. The counting item must exist when an item
// is created; otherwise the error is [trestle.ErrNotFound]. If it does not exist any more when an
// item is deleted, nothing is counted. An item that has expired does not exist ([ShowExpired]). A
// count never becomes negative: the error is [trestle.ErrCondition]. Several operations of one
// transaction on the same counting item are combined.
//
// Only these writes change a count. A Create of the counting item stores zero, or the number of
// counted items of the same transaction, and so does an Upsert without a version if no count is
// stored. Zero is stored even if the field has omitempty. A Put or Overwrite fails with
// [trestle.ErrStale] if the stored count differs from the entity's. An update cannot set a count;
// query.Recount corrects one. The counting item can be moved to another key if all items that it
// counts leave it in the same transaction. Delete does not check the count: add a condition to keep
// an item that counts others. If it is created again, its counts start at zero, so use
// query.Recount.
//
// A limit is a condition on the counting item. In a transaction, an operation on that item and the
// change of its count are combined:
//
//	free := attr.Compare(Enrolled, Places).Lt()
//	err := tx.Write(ctx, enrolments.Op().Create(&e), courses.Op().Check(course, free))
//
// Each change of a count makes the counting item a newer version than the one that a caller read.
// If that is too often for the other attributes, keep the counts in an item of their own.
//
// A write costs two more write units per KB of the counting item, and those of its index entries
// that have the count. Put, Overwrite and Delete first read the old item, strongly consistent; so
// does an update that changes a field of the counting item's key, and an upsert that changes one or
// whose new item would be counted. Items that other programs write or delete are not counted:
// maintain.RepairCounts finds and corrects such counts. All items that one item counts write to the
// same item, which supports some hundred transactions per second.
type Counted struct{}
