import type { ImportResult } from '~/domain/api/outputFields'
import { DomainException } from '../../domainException'

/**
 * Imports rows one after the other, because two of them may be about one person. A refused row does
 * not stop the others. Any other failure ends the call; repeating it changes nothing twice.
 */
export const importRows = async <Row>(
  rows: readonly Row[],
  importRow: (row: Row) => Promise<ImportResult>,
): Promise<{ results: ImportResult[] }> => {
  const results: ImportResult[] = []
  for (const row of rows) {
    try {
      results.push(await importRow(row))
    } catch (error) {
      if (!(error instanceof DomainException)) throw error
      results.push({ status: 'refused', error: error.error })
    }
  }
  return { results }
}
