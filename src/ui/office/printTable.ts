import css from './printTable.module.css'

/**
 * Hands rows of cells, the first of them titles, to the browser's print dialog, which writes PDF in every script the
 * person's fonts have; `title` becomes the file's name. Ends when the dialog is closed.
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
      const made = document.createElement(kind)
      made.textContent = String(cell)
      row.append(made)
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
