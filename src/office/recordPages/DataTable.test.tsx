import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createInstance } from 'i18next'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { Provider } from 'react-redux'
import { MemoryRouter, useSearchParams } from 'react-router-dom'
import { expect, onTestFinished, test } from 'vitest'
import { makeMemoryBackend } from '~/src/services/memory/memoryBackend'
import { makeStore } from '~/src/store/makeStore'
import { DataTable } from '~/src/ui/table/DataTable'
import { ListPage } from './ListPage'
import type { Column } from '~/src/ui/table/tableProps'

const i18n = createInstance()
void i18n.use(initReactI18next).init({ lng: 'en', resources: {}, initAsync: false })

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
      <DataTable label="Fares" rows={rows} columns={columns} toSearchText={(row) => row.name} />
      <Address />
    </MemoryRouter>
  </I18nextProvider>
)

test('renders only the cells of changed rows on a live update', async () => {
  const rows = ['a', 'b', 'c', 'd'].map((id, at) => ({ id, name: `Name ${id}`, fare: at }))
  const { rerender } = render(table(rows))
  expect(await screen.findByText('Name a')).toBeInTheDocument()
  expect(new Set(drawn)).toEqual(new Set(['a', 'b', 'c', 'd']))
  drawn.length = 0
  rerender(table(rows.map((row) => (row.id === 'c' ? { ...row, fare: 77 } : row))))
  expect(await screen.findByText('77')).toBeInTheDocument()
  expect(new Set(drawn)).toEqual(new Set(['c']))
})

test('shows the first page when the URL has an invalid page or an excessive page size', async () => {
  const rows = Array.from({ length: 12 }, (_, at) => ({
    id: `r${at}`,
    name: `Name ${at}.`,
    fare: at,
  }))
  render(table(rows, '/?page=-2&size=5000'))
  expect(await screen.findByText('Name 0.')).toBeInTheDocument()
  expect(screen.getByText('Name 9.')).toBeInTheDocument()
  expect(screen.queryByText('Name 10.')).not.toBeInTheDocument()
})

test('searches when typing pauses, and updates the field when the URL changes', async () => {
  const user = userEvent.setup({ delay: null })
  const rows = ['Fern', 'Moss'].map((name, at) => ({ id: name, name, fare: at }))
  render(table(rows))
  const field = screen.getByRole('searchbox')
  await user.type(field, 'Fern')
  expect(field).toHaveValue('Fern')
  await waitFor(() => expect(screen.queryByText('Moss')).not.toBeInTheDocument(), {
    timeout: 20_000,
  })
  expect(screen.getByRole('status').textContent).toBe('q=Fern')
  expect(field).toHaveValue('Fern')
  await user.click(screen.getByRole('button', { name: 'Go to Moss' }))
  expect(await screen.findByText('Moss', {}, { timeout: 20_000 })).toBeInTheDocument()
  expect(field).toHaveValue('Moss')
})

const store = makeStore(makeMemoryBackend().services)
const list = (
  queryState: Partial<Parameters<typeof ListPage>[0]['query']>,
  rows: Row[] = [],
  onAdd = () => {},
) => (
  <Provider store={store}>
    <I18nextProvider i18n={i18n}>
      <MemoryRouter>
        <ListPage
          id="fares"
          title="Fares"
          query={{
            loading: false,
            error: { flag: false, msg: null },
            retry: () => {},
            ...queryState,
          }}
          add={{ label: 'Add fare', onAdd }}
          empty="No fares"
          rows={rows}
          columns={columns}
        />
      </MemoryRouter>
    </I18nextProvider>
  </Provider>
)
const fares = [{ id: 'a', name: 'Fern', fare: 5 }]

test('shows a skeleton while a list loads, and the next step when it is empty', async () => {
  const user = userEvent.setup({ delay: null })
  const added: string[] = []
  const { rerender } = render(list({ loading: true }))
  expect(screen.getByRole('status').textContent).toBe('loading')
  expect(screen.queryByText('No fares')).not.toBeInTheDocument()
  rerender(list({}, [], () => added.push('fare')))
  expect(screen.getByRole('heading', { name: 'No fares' })).toBeInTheDocument()
  for (const button of screen.getAllByRole('button', { name: 'Add fare' })) await user.click(button)
  expect(added).toEqual(['fare', 'fare'])
})

test('shows why a list failed and loads it again on request', async () => {
  const user = userEvent.setup({ delay: null })
  let retries = 0
  render(list({ error: { flag: true, msg: 'unavailable' }, retry: () => (retries += 1) }))
  expect(screen.getByRole('alert')).toHaveTextContent('unavailable')
  await user.click(screen.getByRole('button', { name: 'try_again' }))
  expect(retries).toBe(1)
})

test('remembers whether rows are dense or spacious', async () => {
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

test('closes a table menu on Escape, which restores the focus, and on a click elsewhere', async () => {
  const user = userEvent.setup({ delay: null })
  render(list({}, fares))
  const summary = screen.getByText('table_columns')
  const tool = summary.closest('details')
  await user.click(summary)
  expect(tool?.open).toBe(true)
  await user.click(screen.getByLabelText('Fare'))
  expect(screen.queryByRole('columnheader', { name: 'Fare' })).not.toBeInTheDocument()
  await user.keyboard('{Escape}')
  expect(tool?.open).toBe(false)
  expect(summary).toHaveFocus()
  await user.click(summary)
  await user.click(screen.getByRole('heading', { level: 1 }))
  expect(tool?.open).toBe(false)
  localStorage.clear()
})

const asPhone = () => {
  window.matchMedia = (query) =>
    ({ matches: true, media: query, addEventListener() {}, removeEventListener() {} }) as never
  onTestFinished(() => Reflect.deleteProperty(window, 'matchMedia') as never)
}

test('shows each row as a card on a phone', () => {
  asPhone()
  render(list({}, fares))
  expect(screen.queryByRole('table')).not.toBeInTheDocument()
  expect(screen.getByRole('listitem').textContent).toBe('Fern 5 ')
})

test('shows two columns of a card as its headline and three below, and collapses the rest with the actions', () => {
  asPhone()
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((name): Column<Row> => ({
    id: name,
    title: name.toUpperCase(),
    cell: () => `value ${name}`,
  }))
  render(
    <I18nextProvider i18n={i18n}>
      <MemoryRouter>
        <DataTable
          label="Fares"
          rows={fares}
          columns={many}
          actions={() => <button>Cancel</button>}
          linkTo={(row) => `/fares/${row.id}`}
        />
      </MemoryRouter>
    </I18nextProvider>,
  )
  const card = screen.getByRole('listitem')
  expect(screen.getByRole('link', { name: 'value a value b' })).toHaveAttribute('href', '/fares/a')
  const folded = card.querySelector('details')
  expect(folded?.open).toBe(false)
  expect(folded?.textContent).toBe('moreFvalue fCancel')
  expect(card.querySelector(':scope > dl')?.textContent).toBe('Cvalue cDvalue dEvalue e')
})

test('a heading that does not sort the table has nothing beside its words', async () => {
  const sortable = columns.map((column) => ({ ...column, sortValue: (row: Row) => row.fare }))
  render(
    <I18nextProvider i18n={i18n}>
      <MemoryRouter initialEntries={['/?sort=name']}>
        <DataTable label="Fares" rows={[{ id: 'a', name: 'A', fare: 1 }]} columns={sortable} />
      </MemoryRouter>
    </I18nextProvider>,
  )
  const [sorting, other] = await screen.findAllByRole('button', { name: 'sort_by' })
  expect(sorting?.lastElementChild).toHaveTextContent('↑')
  expect(other?.childElementCount).toBe(0)
})
