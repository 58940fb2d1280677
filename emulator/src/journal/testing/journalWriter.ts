/**
 * The process that `journal.test.ts` kills. It counts up into 100 keys as fast as the journal
 * allows, and prints each number when its record is durable.
 */
import { writeSync } from 'node:fs'
import { openJournal } from '../journal'

interface WriteStep {
  readonly key: number
  readonly count: number
}

const main = async (dir: string): Promise<void> => {
  const state = new Map<number, number>()
  let count = 0
  const apply = (line: Buffer) => {
    const step = JSON.parse(line.toString()) as WriteStep
    state.set(step.key, step.count)
    count = Math.max(count, step.count)
  }
  const journal = await openJournal(dir, {
    snapshotAfterBytes: 20_000,
    onSnapshot: apply,
    onRecord: apply,
  })
  const steps = function* () {
    for (const [key, count] of [...state]) yield JSON.stringify({ key, count })
  }
  for (;;) {
    for (let i = 0; i < 20; i++) {
      count++
      journal.append(JSON.stringify({ key: count % 100, count }))
      state.set(count % 100, count)
    }
    const durable = count
    await journal.whenFlushed()
    writeSync(1, `${durable}\n`)
    if (journal.isSnapshotDue) void journal.replaceHistory(steps())
  }
}

void main(process.argv[2] ?? '')
