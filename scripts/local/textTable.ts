/**
 * Formats rows of cells as lines of text, each column as wide as its widest cell; aligns numbers
 * right and `isText` columns left.
 */
export const formatTable = (
  rows: readonly (readonly string[])[],
  isText = (column: number): boolean => column === 0,
): string => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  const padded = (cell: string, column: number) => {
    const width = widths[column] ?? 0
    return isText(column) ? cell.padEnd(width) : cell.padStart(width)
  }
  return rows.map((row) => row.map(padded).join('  ').trimEnd()).join('\n')
}
