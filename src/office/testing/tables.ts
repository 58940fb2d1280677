import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import Papa from 'papaparse'
import { expect, onTestFinished } from 'vitest'

/** The texts of a row by the titles of the columns. */
export type TableRow = Record<string, string>

/** Returns the text of the table's CSV export. */
export const readExportedText = async (user: UserEvent): Promise<string> => {
  const files: Blob[] = []
  const { createObjectURL } = URL
  URL.createObjectURL = (file) => {
    files.push(file as Blob)
    return 'blob:test'
  }
  onTestFinished(() => {
    URL.createObjectURL = createObjectURL
  })
  await screen.findAllByRole('row')
  await user.click(screen.getByText('Export'))
  await user.click(screen.getByRole('button', { name: 'Export CSV' }))
  await waitFor(() => expect(files).toHaveLength(1))
  return (await files[0]?.text()) ?? ''
}

/** Returns the cells of the table's CSV export by the titles of their columns, without units. */
export const readExport = async (user: UserEvent): Promise<TableRow[]> =>
  Papa.parse<TableRow>(await readExportedText(user), {
    header: true,
    skipEmptyLines: true,
    transformHeader: (title) => title.replace(/^\uFEFF| \([A-Z]{3}\)$/g, ''),
  }).data

/** Returns the text of a cell without the line beneath it. */
const readFirstLine = (cell: Element): string => {
  const copy = cell.cloneNode(true) as Element
  for (const beneath of copy.querySelectorAll('small')) beneath.remove()
  return (copy.textContent ?? '').trim()
}

/** Returns the texts of the table's rows by the titles of their columns. */
export const readTable = (): TableRow[] => {
  const { textContent: title } = screen.getByRole('heading', { level: 1 })
  const [head, ...rows] = within(screen.getByRole('region', { name: title })).getAllByRole('row')
  const titles = [...(head?.children ?? [])].map(({ textContent }) =>
    textContent.replace(/[↓↑]/g, '').trim(),
  )
  return rows.map((row) =>
    Object.fromEntries(
      [...row.children].map((cell, at) => [titles[at] ?? '', readFirstLine(cell)]),
    ),
  )
}

/** Reads an amount or a count as a table shows it, such as −$1,000.37. */
export const toNumber = (text = ''): number => Number(text.replace('−', '-').replace(/[$,]/g, ''))

/** Opens the menu of the first row that has one, or of the row of `name`. */
export const openRowMenu = async (user: UserEvent, name = ''): Promise<void> => {
  const [button] = await screen.findAllByRole('button', {
    name: new RegExp(`^Actions for ${name}`),
  })
  await user.click(button!)
}
