import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { abortTransactionsOnLeave } from './pendingTransactions'

class FakeTransaction extends EventTarget {
  hasEnded = false
  readonly abort = vi.fn(() => {
    if (this.hasEnded) throw new DOMException('It ended.', 'InvalidStateError')
    this.end('abort')
  })
  end(how: 'complete' | 'abort') {
    this.hasEnded = true
    this.dispatchEvent(new Event(how))
  }
}

class FakeDatabase {
  readonly name = 'database'
  readonly begun: unknown[][] = []
  transaction(...request: unknown[]) {
    this.begun.push([this.name, ...request])
    return new FakeTransaction()
  }
}

const leave = () => window.dispatchEvent(new Event('pagehide'))

let database: FakeDatabase
beforeEach(() => {
  vi.stubGlobal('IDBDatabase', class extends FakeDatabase {})
  abortTransactionsOnLeave()
  database = new (IDBDatabase as unknown as typeof FakeDatabase)()
})
afterEach(() => void vi.unstubAllGlobals())

it('begins each transaction as the browser does', () => {
  database.transaction('kept', 'readwrite')
  expect(database.begun).toEqual([['database', 'kept', 'readwrite']])
})

it('aborts the pending transactions when the user leaves the page', () => {
  const pending = [database.transaction('kept'), database.transaction('other')]
  leave()
  for (const { abort } of pending) expect(abort).toHaveBeenCalledOnce()
})

it('aborts no transaction that ended', () => {
  const completed = database.transaction('kept')
  completed.end('complete')
  const aborted = database.transaction('kept')
  aborted.end('abort')
  leave()
  expect(completed.abort).not.toHaveBeenCalled()
  expect(aborted.abort).not.toHaveBeenCalled()
})

it('aborts the others after one that just ended', () => {
  const ended = database.transaction('kept')
  ended.hasEnded = true
  const pending = database.transaction('kept')
  expect(leave).not.toThrow()
  expect(pending.abort).toHaveBeenCalledOnce()
})
