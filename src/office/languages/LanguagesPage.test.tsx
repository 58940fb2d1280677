import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Query, ServiceError } from '~/src/services/services'
import { aLanguage, anOfficeSeed, renderApp } from '../testing/officeFixtures'

const createLanguage = (id: string, langName: string) =>
  aLanguage({ id, langName, keyValuePairs: { hello: langName, bye: `${langName} too` } })
const german = createLanguage('de', 'Deutsch')
const languages = [
  { ...createLanguage('en', 'English'), default: true },
  german,
  createLanguage('fr', 'Français'),
]
const seed = () => anOfficeSeed({ languages })
const findRow = async (name: string) =>
  within((await screen.findByRole('link', { name })).closest('tr') as HTMLElement)

test('reads no texts for the list, and only one language and the default one for the editor', async () => {
  const { backend, user } = await renderApp('/settings', { as: 'admin', seed: seed() })
  const queries: Query[] = []
  const { database } = backend.services
  const { subscribe } = database
  database.subscribe = (query, ...rest) => {
    if (query.path === 'languages') queries.push(query)
    return subscribe(query, ...rest)
  }
  await user.click(await screen.findByRole('link', { name: 'Languages' }))
  await findRow('Deutsch')
  expect(queries.flatMap(({ records }) => records?.fields ?? ['all'])).not.toContain(
    'keyValuePairs',
  )
  await user.click((await findRow('Deutsch')).getByRole('button', { name: 'Edit JSON' }))
  expect(await screen.findByLabelText('Edit JSON')).toHaveDisplayValue(/Deutsch too/)
  expect(queries.every(({ records, limitToFirst }) => records || limitToFirst === 1)).toBe(true)
})

test("keeps a language's texts when its name changes", async () => {
  const { user, backend } = await renderApp('/languagesetting?edit=de', {
    as: 'admin',
    seed: seed(),
  })
  const panel = await screen.findByRole('dialog', { name: 'Deutsch' })
  await user.clear(within(panel).getByLabelText('Name'))
  await user.type(within(panel).getByLabelText('Name'), 'Schwyzerdütsch')
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved')).toBeInTheDocument()
  expect(backend.getTree().languages).toMatchObject({
    de: { langName: 'Schwyzerdütsch', keyValuePairs: german.keyValuePairs },
  })
})

test('refuses to delete a language that cannot be read and shows the reason', async () => {
  const { user, backend } = await renderApp('/languagesetting', { as: 'admin', seed: seed() })
  const row = await findRow('Deutsch')
  backend.services.database.read = () =>
    Promise.reject(new ServiceError('unavailable', 'unavailable'))
  await user.click(row.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText(/cannot reach the server/)).toBeInTheDocument()
  expect(backend.getTree().languages).toHaveProperty('de')
})

test('restores a deleted language with its texts', async () => {
  const { user, backend } = await renderApp('/languagesetting', { as: 'admin', seed: seed() })
  await user.click((await findRow('Deutsch')).getByRole('button', { name: 'Delete' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await findRow('Deutsch')
  expect(backend.getTree().languages).toMatchObject({
    de: { langName: 'Deutsch', keyValuePairs: german.keyValuePairs },
  })
})

test.each([
  ['push_accepted_msg', '{{driver}} in {{car}}', /push_accepted_msg.*no .*\{\{car\}\}/],
  ['push_expired_title', 'Over {{amount}}', /push_expired_title.*Remove \{\{amount\}\}/],
  ['message_follow', 'Here: {{url}}', /message_follow.*Use \{\{link\}\}/],
])(
  'refuses the JSON when %s has an unknown variable, and saves the corrected one',
  async (...of) => {
    const [key, text, message] = of
    const { user, backend } = await renderApp('/languagesetting', { as: 'admin', seed: seed() })
    await user.click((await findRow('Deutsch')).getByRole('button', { name: 'Edit JSON' }))
    const editor = await screen.findByDisplayValue(/Deutsch too/)
    const type = (value: string) =>
      fireEvent.change(editor, {
        target: { value: JSON.stringify({ hello: 'Hallo', [key]: value }) },
      })
    type(text)
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(message)
    expect(backend.getTree().languages).toMatchObject({
      de: { keyValuePairs: german.keyValuePairs },
    })
    type('Hallo')
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    await waitFor(() =>
      expect(backend.getTree().languages).toMatchObject({
        de: { keyValuePairs: { [key]: 'Hallo' } },
      }),
    )
  },
)

test('edits a text beside that of the default language', async () => {
  const { user, backend } = await renderApp('/languagesetting', { as: 'admin', seed: seed() })
  await user.click((await findRow('Deutsch')).getByRole('button', { name: 'Edit JSON' }))
  const panel = within(await screen.findByRole('dialog', { name: /Deutsch/ }))
  await user.click(await panel.findByRole('tab', { name: /^Different / }))
  await user.type(panel.getByRole('searchbox', { name: 'Search' }), 'deutsch too')
  const table = within(panel.getByRole('table'))
  await waitFor(() => expect(table.getAllByRole('row')).toHaveLength(2))
  const field = table.getByRole('textbox', { name: 'bye' })
  await user.clear(field)
  // The key has no text for a moment, and its row stays.
  await user.type(field, 'Tschüss')
  expect(field).toHaveValue('Tschüss')
  expect(panel.getByLabelText('Edit JSON')).toHaveDisplayValue(/"bye": "Tschüss"/)
  await user.click(panel.getByRole('button', { name: 'Submit' }))
  expect(await screen.findByText('Saved')).toBeInTheDocument()
  expect(backend.getTree().languages).toMatchObject({
    de: { keyValuePairs: { hello: 'Deutsch', bye: 'Tschüss' } },
  })
})
