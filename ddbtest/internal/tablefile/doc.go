// Package tablefile reads the definitions of tables from files: requests of CreateTable, replies of
// DescribeTable, CloudFormation templates, and plans of Terraform, all in JSON. It tells the format
// by the content. A definition has what affects the data of a table: its key, its indexes, its
// billing mode, its stream and its time to live.
package tablefile
