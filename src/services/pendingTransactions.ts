const pending = new Set<IDBTransaction>()

const abortPending = (): void => {
  for (const transaction of pending) {
    try {
      transaction.abort()
    } catch {
      // It ended already; its event is still on the way.
    }
  }
}

/**
 * Aborts the pending transactions of every database when the user leaves the page. WebKit keeps the
 * page for the way back, with its transactions, and those of the next page would wait for them
 * forever. Must run before a database is opened.
 */
export const abortTransactionsOnLeave = (): void => {
  if (typeof IDBDatabase === 'undefined') return
  const { prototype } = IDBDatabase
  const begin = Reflect.get<IDBDatabase, 'transaction'>(prototype, 'transaction')
  prototype.transaction = function (this: IDBDatabase, ...request) {
    const transaction = begin.apply(this, request)
    pending.add(transaction)
    const forget = () => pending.delete(transaction)
    transaction.addEventListener('complete', forget)
    transaction.addEventListener('abort', forget)
    return transaction
  }
  addEventListener('pagehide', abortPending)
}
