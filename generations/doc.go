// Package generations replaces many items at once: readers see all parts of the old generation or
// all parts of the new one, also if the program crashes at any step. It is for more than the 100
// items of a transaction.
//
// A pointer item names the current generation. Its entity embeds [Pointer]. The parts are entities
// whose partition key contains the generation, so that one generation is one item collection:
//
//	type Document struct {
//		_     entity.Key `type:"document" pk:"DOC#<id>" sk:"DOC"`
//		ID    string     `dynamodbav:"id"`
//		Title string     `dynamodbav:"title"`
//		generations.Pointer
//	}
//
//	type Paragraph struct {
//		_          entity.Key `type:"paragraph" pk:"DOC#<document>#<generation>" sk:"PAR#<n:06>"`
//		Document   string     `dynamodbav:"document"`
//		Generation string     `dynamodbav:"generation"`
//		N          int        `dynamodbav:"n"`
//		Text       string     `dynamodbav:"text"`
//	}
//
//	place := func(p *Paragraph, d Document, generation string) {
//		p.Document, p.Generation = d.ID, generation
//	}
//	texts := generations.New(documents, paragraphs, place, generations.Config{})
//
//	document, err = texts.Replace(ctx, document, generations.Slice(list), Title.Set("Volume 2"))
//	document, list, err = texts.Read(ctx, Document{ID: id})
//
// [Repo.Replace] stores the parts under a new generation and then changes the pointer item with one
// conditional update. [Repo.Upsert] also creates the pointer item. [Repo.Read] reads all parts of
// the current generation, and [Repo.All] yields them one by one. [Repo.Clean] deletes what crashed
// programs left, and [Repo.Delete] deletes the pointer item with all parts.
//
// To search the parts or to get one of them, read the pointer item, and then read the parts like
// any other items, with its Generation. If a part is not found, the generation may have been
// replaced meanwhile: read the pointer item again, strongly consistent, and repeat the read if its
// generation is another one.
//
// # Steps
//
// Replace sends these requests:
//
//  1. It reads the pointer item and adds a new generation to its pending ones.
//  2. It puts the parts in batches of 25, under the new generation.
//  3. It makes the new generation current, with one update that is conditional on the old one still
//     being current. The same update adds the old generation to the obsolete ones.
//  4. It deletes the parts of all obsolete generations.
//
// A crash before step 3 leaves the old generation, a crash after it the new one. What is left
// besides is listed in the pointer item, and a later Replace or Clean deletes it. Of several calls
// at the same time, the first one that reaches step 3 wins. The others fail with
// [trestle.ErrStale] and delete their own parts.
//
// # Late parts
//
// A put can arrive late: a slow program still writes parts of a generation while another one
// cleans, or the network delays a request. A Replace stops writing parts after the WriteTime of
// [Config]. So a pending generation is given up when it is older than twice the WriteTime. An
// obsolete generation stays listed that long, and each Replace and Clean deletes its parts again.
// The age follows the clock of the schema (Clock of [entity.Config]); the clocks of the programs
// must differ by less than WriteTime. A put that arrives later still leaves a part that nobody
// reads and that stays in the table.
//
// The pointer item lists at most 20 obsolete generations, except while their parts cannot be
// deleted: of more than 20, the oldest are no longer listed once their parts are deleted.
//
// # Rules for the entities
//
//   - Only this package changes the attributes of the Pointer and the parts. Change other
//     attributes of the pointer item with an update, not with a put: a put of an item that was read
//     earlier would restore an old generation, unless the type has a version.
//   - The type of the parts has no version, no time to live, no unique values and no counts. Its
//     partition key contains the generation, and no other items are in that partition.
//   - One type of pointer items belongs to one Repo, with one type of parts. Another Repo would
//     take the generations of the first one for its own.
//   - The type of the pointer item has no time to live, because DynamoDB would delete it without
//     its parts. Delete it with [Repo.Delete], not with its own repository, and not with
//     [query.Collection.Delete] of its partition, which would leave the parts.
//   - In a global table that is eventually consistent, all programs that write use one Region,
//     because a condition only sees the writes of its Region.
//   - Each step is a write of the pointer item, so it increments the version of a versioned type.
package generations
