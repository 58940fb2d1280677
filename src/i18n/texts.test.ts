import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PUSHES, pushText, type PushName } from '~/domain/booking/pushes'
import { BOOKING_EVENTS } from '~/domain/booking/transitions'
import { STATUSES, USER_TYPES } from '~/domain/entities'
import { ERROR_KEYS } from '~/domain/errors'
import { FARE_LINES } from '~/domain/fare'

const root = join(import.meta.dirname, '..')
const folder = join(import.meta.dirname, 'locales', 'en')
const parts = readdirSync(folder).map((file) => {
  const texts = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string>
  return { file, texts }
})
const known = new Set(parts.flatMap(({ texts }) => Object.keys(texts)))
const has = (key: string) => known.has(key) || known.has(`${key}_other`)

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

test('every text a screen asks for by name exists in English', () => {
  const missing = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\bt\(\s*'([^']+)'/g)]
      .map(([, key]) => key ?? '')
      .filter((key) => !has(key))
      .map((key) => `${file}: ${key}`),
  )
  expect(missing).toEqual([])
})

test('every text asked for by a pattern has at least one match', () => {
  const missing = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\bt\(\s*`([^`]*)\$\{[^`]*`/g)]
      .map(([, start]) => start ?? '')
      .filter((start) => start && ![...known].some((key) => key.startsWith(start)))
      .map((start) => `${file}: ${start}…`),
  )
  expect(missing).toEqual([])
})

test('every refusal, status, role, event, fare line and push of the business has its text', () => {
  const wanted = [
    ...ERROR_KEYS,
    ...FARE_LINES,
    ...USER_TYPES,
    ...STATUSES.map((status) => `status_${status}`),
    ...BOOKING_EVENTS.map((event) => `event_${event}`),
    ...(Object.keys(PUSHES) as PushName[]).flatMap((name) => Object.values(pushText(name))),
  ]
  expect(wanted.filter((key) => !has(key))).toEqual([])
})

test('a push text uses only parameters the push carries', () => {
  const wrong = (Object.keys(PUSHES) as PushName[]).flatMap((name) =>
    Object.values(pushText(name)).flatMap((key) => {
      const text = parts.map(({ texts }) => texts[key]).find(Boolean) ?? ''
      const allowed: readonly string[] = PUSHES[name]
      return [...text.matchAll(/\{\{(\w+)\}\}/g)]
        .map(([, parameter]) => parameter ?? '')
        .filter((parameter) => !allowed.includes(parameter))
        .map((parameter) => `${key}: ${parameter}`)
    }),
  )
  expect(wrong).toEqual([])
})

test('no key has a text in two parts', () => {
  const twice = parts
    .flatMap(({ texts }) => Object.keys(texts))
    .filter((key, index, all) => all.indexOf(key) !== index)
  expect(twice).toEqual([])
})

test('no key holds a character the database refuses', () => {
  expect([...known].filter((key) => /[.$#[\]/]/.test(key))).toEqual([])
})
