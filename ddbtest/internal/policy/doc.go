// Package policy evaluates IAM policy documents. It reads a document and decides whether the
// document allows an access. It does not depend on the database.
//
// The supported language is that of identity-based policies for DynamoDB: the elements Effect,
// Action, NotAction, Resource, NotResource and Condition, the string operators, Bool and Null, the
// condition keys of DynamoDB, and policy variables. [Parse] rejects everything else by its name: a
// part that is ignored would make a test pass that must fail.
package policy
