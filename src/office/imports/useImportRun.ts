import { useEffect, useRef, useState } from 'react'
import type { DomainError } from '~/domain/api/errors'
import type { ImportRow } from '~/domain/imports/importTable'
import type { ImportWriter, RowOutcome } from './importWriters'
import { useSingleRun } from '~/src/ui/useSingleRun'

export interface ImportRun {
  state: 'idle' | 'running' | 'stopped' | 'finished'
  /** The outcomes so far, by the number of the row. */
  outcomes: ReadonlyMap<number, RowOutcome>
  /** The failure that stopped the run. */
  problem: DomainError | null
}
const IDLE: ImportRun = { state: 'idle', outcomes: new Map(), problem: null }

type ReadyRow<Row> = ImportRow<Row> & { value: Row }

/**
 * Writes a batch and returns the outcome of each row. When the server cannot read one of the rows,
 * it refuses the whole batch, so the rows are then written one by one.
 */
const writeBatch = async <Row>(
  batch: readonly ReadyRow<Row>[],
  write: ImportWriter<Row>['write'],
): Promise<(RowOutcome | undefined)[]> => {
  try {
    return await write(batch.map(({ value }) => value))
  } catch (error) {
    if ((error as DomainError).key !== 'bad_input') throw error
    if (batch.length === 1) return [{ status: 'refused', error: error as DomainError }]
    const outcomes = []
    for (const row of batch) outcomes.push(...(await writeBatch([row], write)))
    return outcomes
  }
}

/**
 * Writes rows batch by batch, until all are done, someone stops it, or a batch fails. A batch that
 * failed is written again when the run continues, which is safe because a repeat changes nothing.
 */
export const useImportRun = <Row>({ batchSize, write }: ImportWriter<Row>) => {
  const { run: runOnce } = useSingleRun()
  const [run, setRun] = useState(IDLE)
  const isWanted = useRef(false)
  // A closed dialog writes no further batch.
  useEffect(() => () => void (isWanted.current = false), [])
  const start = async (rows: readonly ImportRow<Row>[]) => {
    isWanted.current = true
    const outcomes = new Map(run.outcomes)
    setRun({ state: 'running', outcomes: new Map(outcomes), problem: null })
    const waiting = rows.filter(
      (row): row is ReadyRow<Row> => row.value !== null && !outcomes.has(row.number),
    )
    for (let at = 0; at < waiting.length; at += batchSize) {
      if (!isWanted.current) return setRun({ state: 'stopped', outcomes, problem: null })
      const batch = waiting.slice(at, at + batchSize)
      try {
        const results = await writeBatch(batch, write)
        batch.forEach(({ number }, index) => {
          const result = results[index]
          if (result) outcomes.set(number, result)
        })
      } catch (error) {
        return setRun({ state: 'stopped', outcomes, problem: error as DomainError })
      }
      setRun({ state: 'running', outcomes: new Map(outcomes), problem: null })
    }
    setRun({ state: 'finished', outcomes, problem: null })
  }
  return {
    run,
    start: (rows: readonly ImportRow<Row>[]) => runOnce(() => start(rows)),
    stop: () => void (isWanted.current = false),
    reset: () => setRun(IDLE),
  }
}
