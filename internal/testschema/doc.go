// Package testschema makes schemas, items, conditions, changes and reads of text, for tests whose
// cases are text. A schema is the lines of its configuration, then Go struct types as users of the
// library write them:
//
//	table pk=tenant sk=level:N ttl=expires
//	index GSI1 include=name,id
//	index Levels pk=tenant,team sk=level:N,id
//	type Employee struct {
//		_    entity.Key   `type:"employee" pk:"COM#<tenant>" sk:"EMP#<id>"`
//		_    entity.Index `name:"by-name" on:"GSI1" pk:"COM#<tenant>" sk:"<name:lower>"`
//		ID   string       `dynamodbav:"id"`
//		…
//	}
//
// The lines have these arguments, all of them optional. An attribute is a name with its type, which
// is S if it is left out.
//
//	table  pk=ATTR sk=ATTR nosort type=NAME writeid=NAME ttl=NAME delimiter=TEXT raw records
//	index NAME  pk=ATTR,… sk=ATTR,… nosort local keysonly include=NAME,…
//
// A struct type with a blank entity.Key is defined, in the order of the text. Other types can be
// used in fields. A type cannot contain itself; [Source] takes Go types for such cases.
package testschema
