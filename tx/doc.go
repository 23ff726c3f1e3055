// Package tx writes and reads several items of one or several types in a transaction: all of its
// writes are applied, or none of them, and its reads show one state of the table.
//
//	err := tx.Write(ctx,
//		orders.Op().Create(&order),
//		stock.Op().Update(Stock{SKU: sku}, attr.Add(Count, -1), attr.If(Count.Ge(1))))
//
// The operations of [Write] are the values that run alone as well: see [entity.Ops]. They do what
// they do alone: they check and advance versions, set timestamps, and keep the keys of every index.
// [Read] reads items into pointers, and [Move] changes the key of an item.
//
// If operations fail, the error is a [*CanceledError] with the failure of each of them:
//
//	errors.Is(err, trestle.ErrCondition)           // an operation failed for this reason
//	met, ok := entity.ItemFromError[Stock](err)    // the item that made its condition fail
//
// A transaction costs twice the units of its items, and the ordinary units of index entries. It can
// write 100 items of 4 MB in all; the guard of a unique value and an item that counts others are
// items of their own. Transactions and single writes of the same item conflict. The library retries
// conflicts: see [entity.Repo].
//
// The methods Input and Explain of [WriteTransaction] and [ReadTransaction] show what a transaction
// would send, and its cost.
package tx
