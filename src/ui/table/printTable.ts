import css from './printTable.module.css'

/**
 * Opens the browser's print dialog for rows of cells, with the titles in the first row. The browser
 * can write PDF in every script for which the device has fonts; `title` becomes the file name.
 * Resolves when the dialog closes.
 */
export const printTable = (rows: readonly (readonly (string | number)[])[], title: string) => {
  const [titles = [], ...lines] = rows
  const sheet = document.createElement('section')
  sheet.className = css.sheet ?? ''
  const heading = document.createElement('h1')
  heading.textContent = title
  const table = document.createElement('table')
  const line = (cells: readonly (string | number)[], kind: 'th' | 'td') => {
    const row = document.createElement('tr')
    for (const cell of cells) {
      const cellElement = document.createElement(kind)
      cellElement.textContent = String(cell)
      row.append(cellElement)
    }
    return row
  }
  const head = document.createElement('thead')
  head.append(line(titles, 'th'))
  const body = document.createElement('tbody')
  body.append(...lines.map((cells) => line(cells, 'td')))
  table.append(head, body)
  sheet.append(heading, table)
  const before = document.title
  document.title = title
  document.body.append(sheet)
  try {
    window.print()
  } finally {
    sheet.remove()
    document.title = before
  }
}
