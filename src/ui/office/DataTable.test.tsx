import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createInstance } from 'i18next'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { MemoryRouter, useSearchParams } from 'react-router-dom'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { type Column, DataTable } from './DataTable'
import { ListPage } from './ListPage'

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
const table = (rows: Row[], address = '/') => (
  <I18nextProvider i18n={i18n}>
    <MemoryRouter initialEntries={[address]}>
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

test('an address that asks for a page there is not, or for more rows than a page has, is answered with the first page', async () => {
  const rows = Array.from({ length: 12 }, (_, at) => ({
    id: `r${at}`,
    name: `Name ${at}.`,
    fare: at,
  }))
  render(table(rows, '/?page=-2&size=5000'))
  expect(await screen.findByText('Name 0.')).toBeTruthy()
  expect(screen.getByText('Name 9.')).toBeTruthy()
  expect(screen.queryByText('Name 10.')).toBeNull()
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

const list = (
  look: Partial<Parameters<typeof ListPage>[0]['look']>,
  rows: Row[] = [],
  onAdd = () => {},
) => (
  <I18nextProvider i18n={i18n}>
    <MemoryRouter>
      <ListPage
        id="fares"
        title="Fares"
        look={{ loading: false, error: { flag: false, msg: null }, retry: () => {}, ...look }}
        add={{ label: 'Add fare', onAdd }}
        empty="No fares"
        rows={rows}
        columns={columns}
      />
    </MemoryRouter>
  </I18nextProvider>
)
const fares = [{ id: 'a', name: 'Fern', fare: 5 }]

test('a list that loads has the shape of what is coming, and an empty list offers the next step', async () => {
  const user = userEvent.setup({ delay: null })
  const added: string[] = []
  const { rerender } = render(list({ loading: true }))
  expect(screen.getByRole('status').textContent).toBe('loading')
  expect(screen.queryByText('No fares')).toBeNull()
  rerender(list({}, [], () => added.push('fare')))
  expect(screen.getByRole('heading', { name: 'No fares' })).toBeTruthy()
  for (const button of screen.getAllByRole('button', { name: 'Add fare' })) await user.click(button)
  expect(added).toEqual(['fare', 'fare'])
})

test('a list that failed says why, and is asked again', async () => {
  const user = userEvent.setup({ delay: null })
  let asked = 0
  render(list({ error: { flag: true, msg: 'unavailable' }, retry: () => (asked += 1) }))
  expect(screen.getByRole('alert').textContent).toContain('unavailable')
  await user.click(screen.getByRole('button', { name: 'try_again' }))
  expect(asked).toBe(1)
})

test('rows stand close together or apart, and stay so', async () => {
  localStorage.clear()
  const user = userEvent.setup({ delay: null })
  const { unmount } = render(list({}, fares))
  const dense = () => document.querySelector('td')?.className.includes('sizeSmall')
  expect(dense()).toBe(true)
  await user.click(screen.getByLabelText('dense_rows'))
  expect(dense()).toBe(false)
  unmount()
  render(list({}, fares))
  expect(dense()).toBe(false)
  localStorage.clear()
})

test('a tool of the table closes by Escape, which gives the focus back, and by a click elsewhere', async () => {
  const user = userEvent.setup({ delay: null })
  render(list({}, fares))
  const summary = screen.getByText('table_columns')
  const tool = summary.closest('details')
  await user.click(summary)
  expect(tool?.open).toBe(true)
  await user.click(screen.getByLabelText('Fare'))
  expect(screen.queryByRole('columnheader', { name: 'Fare' })).toBeNull()
  await user.keyboard('{Escape}')
  expect(tool?.open).toBe(false)
  expect(document.activeElement).toBe(summary)
  await user.click(summary)
  await user.click(screen.getByRole('heading', { level: 1 }))
  expect(tool?.open).toBe(false)
  localStorage.clear()
})

test('on a phone each row is a card', () => {
  window.matchMedia = (query) =>
    ({ matches: true, media: query, addEventListener() {}, removeEventListener() {} }) as never
  onTestFinished(() => Reflect.deleteProperty(window, 'matchMedia') as never)
  render(list({}, fares))
  expect(screen.queryByRole('table')).toBeNull()
  expect(screen.getByRole('listitem').textContent).toBe('NameFernFare5')
})
