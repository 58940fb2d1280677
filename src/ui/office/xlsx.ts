/** Rows of cells, the first of them titles, as an Excel file. Text stays text: no cell is ever a formula. */
export const toXlsx = async (
  rows: readonly (readonly (string | number)[])[],
  sheet: string,
): Promise<Blob> => {
  // Without workers, which the pages' policy refuses; and only now, as few ever export.
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
