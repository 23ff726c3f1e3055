// Package attr makes conditions on and changes of an entity's attributes out of typed handles, so that the compiler refuses what a field
// does not allow: a handle of another entity, a prefix of a time, a sum with a text. Operands are stored and compared exactly as Put stores
// the field, and what DynamoDB would refuse is refused before anything is sent.
//
//	var (
//		City   = attr.Must(func(e *Employee) *string { return &e.Work.City })
//		Skills = attr.Must(func(e *Employee) *[]string { return &e.Skills })
//		Logins = attr.Must(func(e *Employee) *int64 { return &e.Logins })
//	)
//
//	employees.Update(ctx, example, City.Set("Bergen"), attr.Append(Skills, "go"), attr.If(Logins.Ge(3)))
//
// A handle, [Field], comes from
//   - [Must], or [Find] with an error: the field whose address a function returns;
//   - [At], [Key] and [Sub]: an element of a list, an entry of a map, a field inside one;
//   - [Named]: a path known at run time only, to which [Typed] gives a type.
//
// A condition, [Cond], comes from
//   - the handle: [Field.Eq], [Field.Ne], [Field.Lt], [Field.Le], [Field.Gt], [Field.Ge],
//     [Field.Between], [Field.In], [Field.Exists], [Field.NotExists], [Field.IsType];
//   - [Compare] for two attributes of an item;
//   - [BeginsWith] and [ContainsText] for texts and bytes, [Contains] for lists and sets, [Size] for
//     whatever has one;
//   - [During], [Since] and [Before] for times, with the periods [Day], [Month], [Year];
//   - [And], [Or] and [Not] of others.
//
// All of them go into Put, Overwrite and Delete, and into the [If] of an update; those that a key
// may serve are [KeyCond] as well, and go into a query's Where. Of an attribute that is absent, no
// condition holds but NotExists, Ne, the Ne of Compare or of a size, and the Not of one that does
// not hold.
//
// A change, [Change], comes from
//   - the handle: [Field.Set], [Field.SetIfAbsent], [Field.Remove];
//   - [Add] for numbers, [Append] and [Prepend] for lists, [SetAdd] and [SetDelete] for sets;
//   - [If], which makes the update conditional.
//
// What every field allows is a method of its handle. What only some types of fields allow is a
// function, such as [Add] for numbers: a method cannot ask for the type of its handle's field.
//
// A time without the tag option unixtime is stored as text, in UTC. Comparisons put such times in their
// order, fractions of a second included, as long as they are stored as Put stores them: another program's
// text in another zone, or with zeros at the end of its fraction, does not compare as a time.
//
// Everything here is immutable and safe for use by several goroutines. What is printed of a handle, a condition, a change or an error shows
// names and operators, never an operand or a key of a map.
package attr
