import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Query } from '~/src/services/services'
import { anOffice, renderApp } from '../testing'

const language = (id: string, langName: string, isDefault = false) => ({
  id,
  langName,
  langLocale: id,
  dateLocale: id,
  default: isDefault,
  createdAt: '2026-01-01T00:00:00.000Z',
  keyValuePairs: { hello: langName, bye: `${langName} too` },
})
const languages = {
  en: language('en', 'English', true),
  de: language('de', 'Deutsch'),
  fr: language('fr', 'Français'),
}
const seed = () => anOffice({ more: { languages } })
const rowOf = async (name: string) =>
  within((await screen.findByRole('button', { name })).closest('tr') as HTMLElement)

test('the list reads no texts; the editor reads one language and the default one', async () => {
  const { world, user } = await renderApp('/settings', { as: 'admin', seed: seed() })
  const asked: Query[] = []
  const { database } = world.services
  const { live } = database
  database.live = (query, ...rest) => {
    if (query.path === 'languages') asked.push(query)
    return live(query, ...rest)
  }
  await user.click(await screen.findByRole('link', { name: 'Languages' }))
  await rowOf('Deutsch')
  expect(asked.flatMap(({ records }) => records?.fields ?? ['all'])).not.toContain('keyValuePairs')
  await user.click((await rowOf('Deutsch')).getByRole('button', { name: 'Edit JSON' }))
  expect(await screen.findByDisplayValue(/Deutsch too/)).toBeTruthy()
  expect(asked.every(({ records, limitToFirst }) => records || limitToFirst === 1)).toBe(true)
})

test('a change of its name leaves a language its texts', async () => {
  const { user, world } = await renderApp('/languagesetting?edit=de', {
    as: 'admin',
    seed: seed(),
  })
  const panel = await screen.findByRole('dialog', { name: 'Deutsch' })
  await user.clear(within(panel).getByLabelText('Name'))
  await user.type(within(panel).getByLabelText('Name'), 'Schwyzerdütsch')
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved')).toBeTruthy()
  expect(world.tree().languages).toMatchObject({
    de: { langName: 'Schwyzerdütsch', keyValuePairs: languages.de.keyValuePairs },
  })
})

test('a deleted language can be had back with its texts', async () => {
  const { user, world } = await renderApp('/languagesetting', { as: 'admin', seed: seed() })
  await user.click((await rowOf('Deutsch')).getByRole('button', { name: 'Delete' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await rowOf('Deutsch')
  expect(world.tree().languages).toMatchObject({
    de: { langName: 'Deutsch', keyValuePairs: languages.de.keyValuePairs },
  })
})
