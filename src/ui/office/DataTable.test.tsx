import { cleanup, render, screen } from '@testing-library/react'
import { createInstance } from 'i18next'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, expect, test } from 'vitest'
import { type Column, DataTable } from './DataTable'

const i18n = createInstance()
void i18n.use(initReactI18next).init({ lng: 'en', resources: {}, initAsync: false })
afterEach(cleanup)

interface Row {
  id: string
  name: string
  fare: number
}
const drawn: string[] = []
const columns: Column<Row>[] = [
  { id: 'name', title: 'Name', cell: (row) => row.name },
  {
    id: 'fare',
    title: 'Fare',
    cell: (row) => {
      drawn.push(row.id)
      return row.fare
    },
  },
]
const table = (rows: Row[]) => (
  <I18nextProvider i18n={i18n}>
    <MemoryRouter>
      <DataTable label="Fares" rows={rows} columns={columns} onOpen={() => undefined} />
    </MemoryRouter>
  </I18nextProvider>
)

test('a live update draws the cells of the rows that changed, and of no others', async () => {
  const rows = ['a', 'b', 'c', 'd'].map((id, at) => ({ id, name: `Name ${id}`, fare: at }))
  const { rerender } = render(table(rows))
  expect(await screen.findByText('Name a')).toBeTruthy()
  expect(new Set(drawn)).toEqual(new Set(['a', 'b', 'c', 'd']))
  drawn.length = 0
  rerender(table(rows.map((row) => (row.id === 'c' ? { ...row, fare: 77 } : row))))
  expect(await screen.findByText('77')).toBeTruthy()
  expect(new Set(drawn)).toEqual(new Set(['c']))
})
