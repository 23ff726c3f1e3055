// Package filetree reads files and folders of files that define tables or have items. The content
// of each file tells which.
package filetree
