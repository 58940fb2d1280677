import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createInstance } from 'i18next'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { MemoryRouter, useSearchParams } from 'react-router-dom'
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
const Address = () => {
  const [params, setParams] = useSearchParams()
  return (
    <>
      <output>{params.toString()}</output>
      <button onClick={() => setParams({ q: 'Moss' })}>Go to Moss</button>
    </>
  )
}
const table = (rows: Row[]) => (
  <I18nextProvider i18n={i18n}>
    <MemoryRouter>
      <DataTable
        label="Fares"
        rows={rows}
        columns={columns}
        search={(row) => row.name}
        onOpen={() => undefined}
      />
      <Address />
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

test('what is typed is looked for when the typing rests; an address that changes changes the field', async () => {
  const user = userEvent.setup({ delay: null })
  const rows = ['Fern', 'Moss'].map((name, at) => ({ id: name, name, fare: at }))
  render(table(rows))
  const field = screen.getByRole('searchbox')
  await user.type(field, 'Fern')
  expect(field).toHaveProperty('value', 'Fern')
  await waitFor(() => expect(screen.queryByText('Moss')).toBeNull(), { timeout: 20_000 })
  expect(screen.getByRole('status').textContent).toBe('q=Fern')
  expect(field).toHaveProperty('value', 'Fern')
  await user.click(screen.getByRole('button', { name: 'Go to Moss' }))
  expect(await screen.findByText('Moss', {}, { timeout: 20_000 })).toBeTruthy()
  expect(field).toHaveProperty('value', 'Moss')
}, 60_000)
