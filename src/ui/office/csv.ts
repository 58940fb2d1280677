/** One cell: quoted where it must be, and never taken for a formula by a spreadsheet. */
const cell = (value: string | number): string => {
  if (typeof value === 'number') return String(value)
  // The wide forms too: an East Asian spreadsheet takes them for the narrow ones.
  const harmless = /^[=@\t\r\n＝＠＋－]|^[+-](?![\d\s()-]+$)/.test(value) ? `'${value}` : value
  return /[",\n\r;]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export const CSV = 'text/csv;charset=utf-8'

/** Rows of cells as CSV (RFC 4180), with the mark by which spreadsheets know UTF-8. */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
