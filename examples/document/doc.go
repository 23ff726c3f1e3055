// Command document stores a book of more than 3 MB: far more than the 400 KB of an item. The title
// page, the chapters and the index are items of their own, and the texts are cut into chunks.
//
// It prints what each step costs: writing everything, reading everything or a part, and changing
// one part.
package main
