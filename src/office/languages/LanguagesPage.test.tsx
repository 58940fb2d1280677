import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Query, ServiceError } from '~/src/services/services'
import { aLanguage, anOffice, renderApp } from '../testing'

const spoken = (id: string, langName: string) =>
  aLanguage({ id, langName, keyValuePairs: { hello: langName, bye: `${langName} too` } })
const german = spoken('de', 'Deutsch')
const languages = [{ ...spoken('en', 'English'), default: true }, german, spoken('fr', 'Français')]
const seed = () => anOffice({ languages })
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
    de: { langName: 'Schwyzerdütsch', keyValuePairs: german.keyValuePairs },
  })
})

test('a language that can’t be read is not deleted, and why is told', async () => {
  const { user, world } = await renderApp('/languagesetting', { as: 'admin', seed: seed() })
  const row = await rowOf('Deutsch')
  world.services.database.once = () =>
    Promise.reject(new ServiceError('unavailable', 'unavailable'))
  await user.click(row.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText(/cannot reach the server/)).toBeTruthy()
  expect(world.tree().languages).toHaveProperty('de')
})

test('a deleted language can be had back with its texts', async () => {
  const { user, world } = await renderApp('/languagesetting', { as: 'admin', seed: seed() })
  await user.click((await rowOf('Deutsch')).getByRole('button', { name: 'Delete' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await rowOf('Deutsch')
  expect(world.tree().languages).toMatchObject({
    de: { langName: 'Deutsch', keyValuePairs: german.keyValuePairs },
  })
})
