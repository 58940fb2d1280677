export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * Returns rows of cells as an Excel file, with the titles in the first row. Text stays text: no
 * cell becomes a formula.
 */
export const toXlsx = async (
  rows: readonly (readonly (string | number)[])[],
  sheet: string,
): Promise<Blob> => {
  // The version without workers, which the content security policy refuses; loaded on demand,
  // because few users export.
  const { default: writeXlsxFile } = await import('write-excel-file/universal')
  const cells = rows.map((row, index) =>
    row.map((value) =>
      typeof value === 'number'
        ? { value, type: Number }
        : { value, type: String, ...(index === 0 && { fontWeight: 'bold' as const }) },
    ),
  )
  return writeXlsxFile(cells, { sheet: sheet.slice(0, 31), stickyRowsCount: 1 }).toBlob()
}
