package entity

// Key marks the field that declares an entity's type and the table's key, as tags of a blank field:
//
//	_ entity.Key `type:"employee" pk:"COM#<company_id>" sk:"EMP#<id>"`
//
// The tag shared:"yes" says that another type has the same templates on purpose; then the type attribute tells them apart.
type Key struct{}

// Index marks a field that declares an access pattern through an index of the table, as tags of a blank field:
//
//	_ entity.Index `name:"by-name" on:"GSI1" pk:"ORG#<name>" sk:"COM#<id>"`
//
// name is how queries ask for it, on is the index. A template is left out where the index is keyed by an attribute that the item has anyway.
type Index struct{}
