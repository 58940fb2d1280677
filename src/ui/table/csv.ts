/**
 * Includes full-width forms, which an East Asian spreadsheet treats like the ASCII ones, and ids,
 * which begin with a hyphen: a spreadsheet would show an error instead of them.
 */
const FORMULA = /^[=@\t\r\n＝＠＋－]|^[+-](?![\d\s()-]+$)/
/**
 * Text that a spreadsheet would take as a number: it drops the plus sign and leading zeros of a
 * phone number, and rounds the sixteenth digit of a bank account.
 */
const NUMBER_LIKE = /^(\+|0\d|\d{12})[\d\s()./-]*$/
/**
 * Returns one cell: quoted where necessary, and escaped so that a spreadsheet treats it neither as
 * a formula nor as a number.
 */
const toCsvCell = (value: string | number): string => {
  if (typeof value === 'number') return String(value)
  const harmless = FORMULA.test(value) || NUMBER_LIKE.test(value) ? `'${value}` : value
  return /[",\n\r;]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export const CSV_TYPE = 'text/csv;charset=utf-8'

/**
 * Returns rows of cells as CSV (RFC 4180), with the byte order mark by which spreadsheets detect
 * UTF-8.
 */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(toCsvCell).join(',')).join('\r\n')}\r\n`
