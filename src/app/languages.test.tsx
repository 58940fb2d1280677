import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { aSettings } from '~/domain/testing/builders'
import type { Tree } from '~/src/services/memory/tree'
import { renderApp } from './renderApp'

const language = (langLocale: string, langName: string, texts: Record<string, string>) => ({
  langName,
  langLocale,
  dateLocale: langLocale,
  default: langLocale === 'en',
  createdAt: '2026-01-01T00:00:00.000Z',
  keyValuePairs: texts,
})
const seed = JSON.parse(
  JSON.stringify({
    settings: aSettings(),
    languages: {
      en: language('en', 'English', { choose_language: 'Choose a language' }),
      es: language('es', 'Español', { choose_language: 'Elige un idioma' }),
      he: language('he', 'עברית', { choose_language: 'בחירת שפה' }),
    },
  }),
) as Tree

test('choosing a language fetches the names of all and the texts of one', async () => {
  localStorage.clear()
  const { user, world } = await renderApp('/', { seed })
  const looks = vi.spyOn(world.services.database, 'live')
  const reads = vi.spyOn(world.services.database, 'once')
  await user.click(await screen.findByRole('button', { name: 'Choose a language' }))
  const dialog = await screen.findByRole('dialog')
  expect(await within(dialog).findByRole('button', { name: 'עברית' })).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Español' }))
  expect(await screen.findByRole('button', { name: 'Elige un idioma' })).toBeTruthy()

  const asked = looks.mock.calls.filter(([{ path }]) => path.startsWith('languages'))
  expect(reads.mock.calls).toEqual([])
  const [names, ...texts] = asked.map(([query]) => query)
  expect(names?.records?.fields).toEqual(expect.arrayContaining(['langName', 'langLocale']))
  expect(names?.records?.fields).not.toContain('keyValuePairs')
  expect(texts.map(({ equalTo, limitToFirst }) => ({ equalTo, limitToFirst }))).toEqual([
    { equalTo: 'es', limitToFirst: 1 },
  ])
})
