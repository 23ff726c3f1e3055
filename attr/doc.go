// Package attr builds conditions on the attributes of an entity, and changes of them, from typed
// handles. The compiler rejects what a field does not support, such as a handle of another entity,
// BeginsWith on a time, or Add on a text. Operands are stored and compared in the form in which Put
// stores the field. An operand that DynamoDB would reject is an error, and no request is sent.
//
//	var (
//		City   = attr.Must(func(e *Employee) *string { return &e.Work.City })
//		Skills = attr.Must(func(e *Employee) *[]string { return &e.Skills })
//		Logins = attr.Must(func(e *Employee) *int64 { return &e.Logins })
//	)
//
//	employees.Update(ctx, example,
//		City.Set("Bergen"), attr.Append(Skills, "go"), attr.If(Logins.Ge(3)))
//
// These functions return a handle, [Field]:
//   - [Must], or [Find] with an error: the field whose address a function returns;
//   - [At], [Key] and [Sub]: an element of a list, an entry of a map, a field inside one;
//   - [Named]: a path that is known at run time only; [Typed] adds its type.
//
// These functions and methods return a condition, [Cond]:
//   - of the handle: [Field.Eq], [Field.Ne], [Field.Lt], [Field.Le], [Field.Gt], [Field.Ge],
//     [Field.Between], [Field.In], [Field.Exists], [Field.NotExists], [Field.IsType];
//   - [Compare] for two attributes of an item;
//   - [BeginsWith] and [ContainsText] for texts and bytes, [Contains] for lists and sets,
//     [Size] for attributes that have a size;
//   - [During], [Since] and [Before] for times, with the periods [Day], [Month], [Year];
//   - [And], [Or] and [Not] of other conditions.
//
// Put, Overwrite, Delete and [If], a change of an update, take conditions. A [KeyCond] is a
// condition that DynamoDB also supports in key conditions: the method Where of a query takes only
// these. If an attribute is absent, only these conditions on it hold: NotExists, Eq and In with
// nil, Ne of another value (also that of Compare and Size), and the Not of a condition that does
// not hold.
//
// An attribute, a field of a nested struct, or an entry of a map that is NULL counts as absent in
// every condition and change. Other programs store nil as NULL; Put leaves it out. Add, Append,
// SetAdd and the other changes that use what is stored remove a NULL first: that costs a failed
// request and one more write.
// [Field.IsType] with [Null] finds NULL. In a list, NULL is an element like any other.
//
// These functions and methods return a change, [Change]:
//   - of the handle: [Field.Set], [Field.SetIfAbsent], [Field.Remove];
//   - [Add] for numbers, [Append] and [Prepend] for lists, [SetAdd] and [SetDelete] for sets;
//   - [If], which makes the update conditional.
//
// Operations that every field supports are methods of its handle. Operations that only some types
// of fields support are functions, such as [Add] for numbers, because a method cannot constrain the
// type of the handle's field.
//
// A time without the tag option unixtime is stored as text, in UTC. Comparisons of such times are
// chronological, including fractions of a second, if Put stored them. They can be wrong for the
// text of another program that has another zone, or trailing zeros in its fraction.
//
// Everything in this package is immutable and safe for concurrent use. If a handle, a condition, a
// change or an error is printed, it shows names and operators, never an operand or a key of a map.
package attr
