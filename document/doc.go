// Package document splits a document over several items: a reader sees all parts of one save, and a
// save sends only the parts that have changed, all or none of them.
//
// A document is a struct that embeds [State]. Its fields are its parts. Each part is an entity type
// of the schema, and all have the same partition key. The root is a struct, embeds [Root], and has
// a version. Another part is a slice of items, or a pointer to one item, and embeds [Part]:
//
//	type Info struct {
//		_       entity.Key `type:"info" pk:"USER#<id>" sk:"U#Information"`
//		ID      string     `dynamodbav:"id"`
//		Version int64      `dynamodbav:"version" entity:"version"`
//		document.Root
//	}
//
//	type Address struct {
//		_     entity.Key `type:"address" pk:"USER#<id>" sk:"U#Address#<label>"`
//		ID    string     `dynamodbav:"id"`
//		Label string     `dynamodbav:"label"`
//		document.Part
//	}
//
//	type Bio struct {
//		_    entity.Key             `type:"bio" pk:"USER#<id>" sk:"U#Bio"`
//		ID   string                 `dynamodbav:"id"`
//		Text document.Large[string] `dynamodbav:"text" document:"compress"`
//		document.Part
//	}
//
//	type Account struct {
//		document.State
//		User      Info
//		Addresses []Address
//		Bio       *Bio
//	}
//
//	var (
//		Schema    = entity.NewSchema(entity.Config{})
//		Infos     = entity.Define[Info](Schema)
//		Addresses = entity.Define[Address](Schema)
//		Bios      = entity.Define[Bio](Schema)
//		Accounts  = document.Define[Account](Schema)
//	)
//
//	accounts := Accounts.In(table, document.Config{})
//	account, err := accounts.Read(ctx, Account{User: Info{ID: id}})
//	account.Addresses = append(account.Addresses, Address{Label: "Home"})
//	err = accounts.Save(ctx, &account)
//
// [Repo.Read] reads the whole document, or only some [Parts]. [Repo.Save] stores what has changed.
// [Repo.Delete] deletes the document. [Large] is a field that is cut into chunks, so a document can
// have many megabytes. [Repo.Report] shows sizes and costs. Saves and deletions that fail clean up
// after themselves; [Repo.Clean] deletes what crashed programs left.
//
// # Consistency
//
// Each save has a name, the revision. The items that it stores have it, and the root has a checksum
// of the keys and revisions of each part. So a reader notices if it has read a mixture of two
// saves, also with eventually consistent reads, and reads again.
//
// A document has one version. If two programs read it and save different parts, the second save
// fails with [trestle.ErrStale]: read the document again, and repeat the change.
//
// # Time to live
//
// If the root has the role ttl, the document expires as a whole: from that second on, [Repo.Read]
// returns [trestle.ErrNotFound], and [Repo.Save] of a new document begins anew. The types of all
// parts then need the role too. Save sets their times to that of the root, which may have a
// lifetime. Chunks, guards of unique values and the library's own items have the same time. Only
// Save changes it. A change rewrites all items and chunks, so the whole document must be read
// before:
//
//	account.User.ExpiresAt = time.Now().Add(24 * time.Hour)
//	err = accounts.Save(ctx, &account)
//
// DynamoDB deletes the items one by one, days later. No reader ever sees the rest, also not after
// another document with the same key was saved.
//
// # Rules
//
//   - Only this package adds and deletes items of a document, or the next read fails with
//     [ErrIncomplete]: see [Unverified]. Another repository may update attributes of an item: this
//     is cheaper, since the root is not written. But a save of the document that has changed the
//     same item overwrites the update.
//   - An update of the root by its own repository makes the version newer, so a save of a document
//     that was read before fails with [trestle.ErrStale].
//   - Parts have no version of their own, no lifetime, no shard, and no shared key.
//   - An update of the time to live by another repository makes the next read fail with
//     [ErrIncomplete]. Read the document with [Unverified] and save it to correct this.
//   - A document with a tenant is written by the handle of the tenant. The table of all tenants
//     reads and reports it, by the tenant in the root of the example.
//   - The clocks of programs should agree to a second, if documents expire.
//   - In a global table that is eventually consistent, all programs that write use one Region.
//   - Chunks that nobody reads stay in the table if they arrive after they were deleted: a request
//     whose reply was lost is sent again, and its first attempt may arrive late. They also stay if
//     other code deletes or overwrites an item with a large value or chunks of the log of a save,
//     and if a program crashes in a save that took more than twice the WriteTime.
package document
