import { expect, test } from 'vitest'
import { DEMO_SETTINGS } from '~/seed/catalog'
import { readInterfaceTexts } from '../database/interfaceTexts'
import { readPlatformContent } from './platformContent'

const shipped = readInterfaceTexts().en ?? {}
const openData = (data: Record<string, unknown>) => ({
  readValue: async (path: string) => data[path] ?? null,
})

test('returns the settings, and only the texts that the platform has changed', async () => {
  const content = await readPlatformContent(
    openData({
      '/settings': DEMO_SETTINGS,
      '/languages/en/keyValuePairs': {
        ...shipped,
        about_title: 'Who we are',
        retired_text: 'A text of an earlier release',
      },
    }),
  )
  expect(content).toEqual({ settings: DEMO_SETTINGS, texts: { about_title: 'Who we are' } })
})

test('returns nothing before the setup, and no texts without the language of the pages', async () => {
  expect(await readPlatformContent(openData({}))).toBeNull()
  expect(await readPlatformContent(openData({ '/settings': DEMO_SETTINGS }))).toEqual({
    settings: DEMO_SETTINGS,
    texts: {},
  })
})
