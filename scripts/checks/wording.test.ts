import { describe, expect, test } from 'vitest'
import { checkProse, checkFile } from './wording'

const checkText = (text: string, kind: 'comment' | 'title' | 'document' | 'ui' = 'comment') =>
  checkProse({ kind, line: 1, text }).map((finding) => finding.found)

describe('the wording check', () => {
  test.each([
    ['What the office finds by phone.', 'What'],
    ['Fine so far. Whoever asks gets nothing.', 'Whoever'],
    ['The driver is told of it.', 'is told'],
    ['At most so many rows.', 'so many'],
    ['He has left by then.', 'by then'],
    ['Sessions start anew.', 'anew'],
    ['Nobody is here.', 'Nobody'],
    ['The colour of the row.', 'colour'],
    ['The organisation recognises it.', 'organisation'],
    ['An instalment.', 'instalment'],
    ['Whether it is paid.', 'Whether'],
    ['Retried: what is withdrawn is skipped.', ': what'],
    ['Rounded as in the specification.', 'the specification'],
  ])('reports %j', (text, words) => {
    expect(checkText(text)).toContain(words)
  })

  test.each([
    'Returns the open offers of a driver, newest first.',
    'The locale `he` is written from right to left.',
    'Supports ar and he-IL.',
    'Fails when the driver has so many offers that the page is full.',
    'What happens when two drivers accept at once?',
    'Sends `somebody` as a name.',
    'See https://example.com/colour/anew for the format.',
    'he',
    'Ends as CANCELLED.',
    'Promises to exercise otherwise; a precise revision of optimistic emphasis.',
  ])('accepts %j', (text) => {
    expect(checkText(text)).toEqual([])
  })

  test('ignores questions and headings of the user interface', () => {
    expect(checkText('What went wrong?', 'ui')).toEqual([])
    expect(checkText('Who drives', 'ui')).toEqual([])
  })

  test('accepts clauses after a colon in documents, where they are items of a list', () => {
    expect(checkText('It shows three things: what changed; who changed it.', 'document')).toEqual(
      [],
    )
  })

  test('reads comments and test titles, not code or strings', () => {
    const source = [
      "const colour = 'anew'",
      '// Sessions start anew.',
      "test('nobody is told', () => {})",
    ].join('\n')
    expect(checkFile('a.test.ts', source).map(({ line, found }) => [line, found])).toEqual([
      [2, 'anew'],
      [3, 'nobody'],
      [3, 'is told'],
    ])
    expect(checkFile('a.ts', source)).toHaveLength(1)
  })

  test('reports comments over 100 columns but not long code', () => {
    const long = 'word '.repeat(25)
    expect(checkFile('a.ts', `// ${long}\nconst a = '${long}'\n`)).toHaveLength(1)
  })

  test('skips code blocks of a document and counts the lines after them correctly', () => {
    const source = ['```sh', 'echo anew', '```', 'Starts anew.'].join('\n')
    expect(checkFile('a.md', source).map(({ line }) => line)).toEqual([4])
  })

  test('reads wrapped line comments as one text', () => {
    expect(checkFile('a.ts', '// The list of drivers\n// who accept cash.\n')).toEqual([])
    const source = ['call() // Asks the rider', '// Who pays comes next.', '// Starts', '// anew.']
    expect(checkFile('a.ts', source.join('\n')).map(({ line, found }) => [line, found])).toEqual([
      [2, 'Who'],
      [4, 'anew'],
    ])
  })

  test('reads each paragraph and list item of a comment as its own text', () => {
    const source = ['/**', ' * Lists bookings', ' *', ' * - What is paid', ' */'].join('\n')
    expect(checkFile('a.ts', source).map(({ line, found }) => [line, found])).toEqual([[4, 'What']])
  })

  test('reads the comments of style sheets, ignore files, shell scripts and rules', () => {
    expect(checkFile('a.css', 'p {\n}\n/* Starts anew. */\n').map(({ line }) => line)).toEqual([3])
    expect(checkFile('.gitignore', '# Starts anew.\nanew/\n')).toHaveLength(1)
    expect(checkFile('scripts/shim/java', '#!/bin/sh\n# Starts anew.\n')).toHaveLength(1)
    expect(checkFile('a.rules', 'anew {\n  // Starts anew.\n}\n')).toHaveLength(1)
    expect(checkFile('.ci/run', '#!/usr/bin/env anew\n')).toEqual([])
  })

  test('accepts headings and table cells that are phrases, but checks their words', () => {
    const source = [
      '# What is stored',
      '| what | who |',
      '|---|---|',
      '| what a rider books | who pays anew |',
    ].join('\n')
    expect(checkFile('a.md', source).map(({ line, found }) => [line, found])).toEqual([[4, 'anew']])
  })

  test('reads list items and paragraphs of a document, but no links', () => {
    const source = ['See [it](docs/anew.md) now', 'who', '', '- What it costs.', '1. Whoever'].join(
      '\n',
    )
    expect(checkFile('a.md', source).map(({ line, found }) => [line, found])).toEqual([
      [4, 'What'],
      [5, 'Whoever'],
    ])
  })

  test('reads the English texts of the user interface', () => {
    expect(checkFile('src/i18n/locales/en/x.json', '{\n  "he": "Start anew"\n}')).toEqual([
      { line: 2, found: 'anew', advice: '"again" or "a new …"' },
    ])
  })
})
