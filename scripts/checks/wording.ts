/**
 * Finds wording that docs/writing.md rules out, in comments, test titles, documents and English UI
 * texts: `npm run --prefix lab check:wording [-- PATH ...]`. Every pattern names what to write
 * instead. Skips the files that .gitattributes marks as generated, because their texts have a
 * source elsewhere.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

type ProseKind = 'comment' | 'title' | 'document' | 'cell' | 'ui'

/** A piece of prose and the line of its file where it starts. */
export interface Prose {
  kind: ProseKind
  line: number
  text: string
}
export interface Finding {
  line: number
  found: string
  advice: string
}

interface Pattern {
  find: RegExp
  advice: string
  kinds?: readonly ProseKind[]
  isAllowed?: (match: string) => boolean
}

const BRITISH_SPELLINGS = [
  'colours?',
  'colour\\w+',
  '(?:mis)?behaviour(?:s|al)?',
  'centres?',
  'centred',
  '(?:neighb|fav|hon|lab|hum|rum|harb|flav|endeav|vap)our\\w*',
  'analys(?:e|ed|es|ing)',
  `(?:un|de|re)?(?:${[
    'anonym',
    'apolog',
    'author',
    'capital',
    'categor',
    'central',
    'character',
    'custom',
    'emphas(?=is(?:e|ed|es|ing)\\b)',
    'equal',
    'final',
    'formal',
    'general',
    'initial',
    'local',
    'maxim',
    'memor',
    'minim',
    'modern',
    'normal',
    'optim(?=is(?:e|ed|es|ing|ation)\\b)',
    'organ',
    'parallel',
    'penal',
    'priorit',
    'random',
    'real(?=is(?:e|ed|es|ing|ation)\\b)',
    'recogn',
    'sanit',
    'serial',
    'special(?=is(?:e|ed|es|ing|ation)\\b)',
    'stabil',
    'standard',
    'summar',
    'synchron',
    'token',
    'util',
    'visual',
  ].join('|')})is(?:e|ed|er|ers|es|ing|ation|ations)`,
  'licences?',
  'cancelled',
  'cancelling',
  '(?:label|travel|model|signal|channel|fuel|total)l(?:ed|ing|er|ers)',
  'grey(?:ed)?',
  '(?:kilo|centi|milli)?metres?',
  'litres?',
  'cheques?',
  'catalogues?',
  'artefacts?',
  'defence',
  'fulfil',
  'enrolment',
  'instalments?',
  'judgement',
  'programmes?',
  'sceptical',
  'whilst',
  'amongst',
  'learnt',
  'spelt',
]

/** Cells of a table and texts of the user interface are often phrases, such as "who pays". */
const SENTENCES: readonly ProseKind[] = ['comment', 'title', 'document']

const PATTERNS: readonly Pattern[] = [
  { find: /\bwho(?:m|so|se)?ever\b/gi, advice: 'name the actor: "the caller", "any client that"' },
  {
    find: /\b(?:somebody|nobody|everybody)\b/gi,
    advice: 'name the actor: "a user", "no client", "all drivers"',
  },
  { find: /\banew\b/gi, advice: '"again" or "a new …"' },
  {
    find: /\b(?:is|are|was|were|be|been|being|gets?) told\b/gi,
    advice: '"receives", "is notified of", "sees"',
  },
  {
    find: /\bso (?:many|long|often|much)\b(?! that\b| as\b)(?![^.;,]*\bthat\b)/gi,
    advice: '"at most n", "for n minutes"',
  },
  { find: /\bby then\b/gi, advice: 'say when: "before the write", "in the meantime"' },
  {
    // A comment that is only `he` is the language code of Hebrew.
    find: /(?<![`'",/-])\b(?!^he$)(?:he|him|his|himself)\b(?![`'",/-])/gi,
    advice: '"they", or repeat the noun',
  },
  { find: /\bany more\b(?! than\b)/gi, advice: '"no longer"' },
  {
    find: /(?:^|[.!?]\s+)(?:what|who|whose|whom|whether)\b(?![^.!?]*\?)/gi,
    advice: 'start with a subject or a verb: "Returns …", "True when …"',
    kinds: SENTENCES,
  },
  {
    // In documents, such clauses are items of ordinary lists: "three questions: what …; who …".
    find: /[:;]\s+(?:what|who|whose|whom|whether)\b(?![^.!?]*\?)/gi,
    advice: 'give the clause a subject: "messages that …", "drivers who …"',
    kinds: ['comment', 'title'],
  },
  {
    find: /\b(?:the|in|per|see|by) specification\b|\(specification\b|\bdesign(?:\.md|'s)/gi,
    advice: 'state the rule, or cite docs/product.md; no document outside the repository',
    kinds: ['comment', 'title'],
  },
  {
    // Names in capitals are values of the data, such as the status CANCELLED.
    find: new RegExp(String.raw`\b(?:${BRITISH_SPELLINGS.join('|')})\b`, 'gi'),
    isAllowed: (match) => match === match.toUpperCase(),
    advice: 'American spelling',
  },
]

const COMMENT_WIDTH = 100

/** Returns prose without code, because inline code and links contain names, not sentences. */
const removeCode = (text: string): string =>
  text
    .replace(/`[^`]*`/g, (code) => ' '.repeat(code.length))
    .replace(/https?:\/\/\S+/g, (link) => ' '.repeat(link.length))

const countLineBreaks = (text: string): number => text.split('\n').length - 1

/** Returns the problems of one piece of prose. */
export const checkProse = ({ kind, line, text }: Prose): Finding[] => {
  const plain = removeCode(text)
  return PATTERNS.filter(({ kinds }) => kinds === undefined || kinds.includes(kind)).flatMap(
    ({ find, advice, isAllowed }) =>
      [...plain.matchAll(find)]
        .filter(([match]) => !isAllowed?.(match))
        .map(({ 0: found, index }) => ({
          line: line + countLineBreaks(plain.slice(0, index + found.search(/\w/))),
          found: found.replace(/\s+/g, ' ').trim(),
          advice,
        })),
  )
}

const TITLE_PATTERN =
  /\b(?:it|test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs

const ITEM_START = /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+/

/**
 * Splits text into paragraphs and list items, because a sentence starts at the start of each.
 * Removes list markers; leaves blank lines out.
 */
const splitBlocks = (kind: ProseKind, line: number, text: string): Prose[] => {
  const blocks: Prose[] = []
  let isOpen = false
  text.split('\n').forEach((row, index) => {
    const isItem = ITEM_START.test(row)
    const content = row.replace(ITEM_START, '').trim()
    const last = blocks.at(-1)
    if (isOpen && last && !isItem && content !== '') last.text += `\n${content}`
    else if (content !== '') blocks.push({ kind, line: line + index, text: content })
    isOpen = content !== ''
  })
  return blocks
}

/** A comment without its markers; `isWholeLine` when no code stands before it. */
interface Comment {
  line: number
  text: string
  isWholeLine: boolean
}

/** Returns the texts of comments, with line comments that follow one another joined to one. */
const joinComments = (comments: readonly Comment[]): Comment[] => {
  const joined: Comment[] = []
  for (const comment of comments) {
    const last = joined.at(-1)
    const continues =
      last?.isWholeLine === true &&
      comment.isWholeLine &&
      last.line + countLineBreaks(last.text) + 1 === comment.line
    if (continues) last.text += `\n${comment.text}`
    else joined.push({ ...comment })
  }
  return joined
}

/** Returns the comments and test titles of a TypeScript or JavaScript file. */
export const extractCodeProse = (path: string, source: string): Prose[] => {
  const getLine = (offset: number) => countLineBreaks(source.slice(0, offset)) + 1
  const { comments } = parseSync(path, source)
  const ofBlocks = comments
    .filter(({ type }) => type === 'Block')
    .flatMap(({ value, start }) =>
      splitBlocks('comment', getLine(start), value.replace(/^[ \t]*\*[ \t]?/gm, '')),
    )
  const ofLines = joinComments(
    comments
      .filter(({ type, start }) => type === 'Line' && !source.startsWith('#!', start))
      .map(({ value, start }) => ({
        line: getLine(start),
        text: value,
        isWholeLine: /(?:^|\n)[ \t]*$/.test(source.slice(0, start)),
      })),
  ).flatMap(({ line, text }) => splitBlocks('comment', line, text))
  if (!/\.test\.|^test\//.test(path)) return [...ofBlocks, ...ofLines]
  const titles = [...source.matchAll(TITLE_PATTERN)].map((match) => ({
    kind: 'title' as const,
    line: getLine(match.index),
    text: match[2] ?? '',
  }))
  return [...ofBlocks, ...ofLines, ...titles]
}

/** Returns the comments of a file in which each starts on a new line with `#` or `//`. */
const extractLineComments = (source: string): Prose[] =>
  joinComments(
    source.split('\n').flatMap((row, index) => {
      const text = /^\s*(?:#(?!!)|\/\/)(.*)$/.exec(row)?.[1]
      return text === undefined ? [] : [{ line: index + 1, text, isWholeLine: true }]
    }),
  ).flatMap(({ line, text }) => splitBlocks('comment', line, text))

/** Returns the block comments of a style sheet. */
const extractStyleComments = (source: string): Prose[] =>
  [...source.matchAll(/\/\*(.*?)\*\//gs)].flatMap(({ 1: text = '', index }) =>
    splitBlocks(
      'comment',
      countLineBreaks(source.slice(0, index)) + 1,
      text.replace(/^[ \t]*\*[ \t]?/gm, ''),
    ),
  )

/** Replaces everything except line breaks with spaces, so that line numbers stay correct. */
const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

/**
 * Returns the paragraphs, list items and table cells of a Markdown document. Leaves out code blocks,
 * comments and headings: a heading such as "What is stored" is not a sentence.
 */
const extractDocumentProse = (source: string): Prose[] => {
  const rows = source
    .replace(/^([ \t]*)(```+|~~~+).*?^\1\2[ \t]*$/gms, blank)
    .replace(/<!--.*?-->/gs, blank)
    .replace(/(?<=\])\([^()\s]*\)/g, blank)
    .split('\n')
  const isHeaderRow = (index: number) => /^\s*\|[\s|:-]+\|\s*$/.test(rows[index + 1] ?? '')
  const cells = rows.flatMap((row, index) =>
    /^\s*\|/.test(row) && !isHeaderRow(index)
      ? row
          .split(/(?<!\\)\|/)
          .flatMap((cell) =>
            cell.trim() === ''
              ? []
              : [{ kind: 'cell' as const, line: index + 1, text: cell.trim() }],
          )
      : [],
  )
  const text = rows.map((row) => (/^\s*(?:\||#{1,6} )/.test(row) ? '' : row)).join('\n')
  return [...splitBlocks('document', 1, text), ...cells]
}

const extractUiProse = (source: string): Prose[] =>
  source.split('\n').map((row, index) => ({
    kind: 'ui',
    line: index + 1,
    text: /:\s*"((?:\\.|[^"])*)"/.exec(row)?.[1] ?? '',
  }))

const WIDE_COMMENT = /^\s*(?:\/\/|\*|\/\*\*|\{\/\*)/

/** Returns the comment lines that are too long, except those with a link, which can't wrap. */
const findWideComments = (source: string): Finding[] =>
  source.split('\n').flatMap((row, index) =>
    row.length > COMMENT_WIDTH && WIDE_COMMENT.test(row) && !/https?:\/\//.test(row)
      ? [
          {
            line: index + 1,
            found: `${row.length} columns`,
            advice: 'wrap comments at 100 columns',
          },
        ]
      : [],
  )

/** How to read each kind of file, in order of precedence. */
const READERS: readonly [path: RegExp, read: (path: string, source: string) => Finding[]][] = [
  [/\.md$/, (_, source) => extractDocumentProse(source).flatMap(checkProse)],
  [/^src\/i18n\/locales\/en\/.*\.json$/, (_, source) => extractUiProse(source).flatMap(checkProse)],
  [
    /\.(?:tsx?|m?js)$/,
    (path, source) => [
      ...extractCodeProse(path, source).flatMap(checkProse),
      ...findWideComments(source),
    ],
  ],
  [/\.css$/, (_, source) => extractStyleComments(source).flatMap(checkProse)],
  [
    /(?:\.ya?ml|^\.ci\/run|Containerfile|\/java|\.(?:gitattributes|\w+ignore|npmrc|rules))$/,
    (path, source) => [
      ...extractLineComments(source).flatMap(checkProse),
      ...(path.endsWith('.rules') ? findWideComments(source) : []),
    ],
  ],
]

/** Returns the problems of one file of the repository by line; none for a kind of file it can't read. */
export const checkFile = (path: string, source: string): Finding[] => {
  const read = READERS.find(([pattern]) => pattern.test(path))?.[1]
  return (read?.(path, source) ?? []).sort((a, b) => a.line - b.line)
}

/** This file and its test quote the patterns; docs/writing.md shows bad examples. */
const EXEMPT_FILES = /^(?:scripts\/checks\/wording(?:\.test)?\.ts|docs\/writing\.md)$/

/** Returns the paths of the tracked files that people write, or null outside a Git clone. */
const listWrittenFiles = (root: string, paths: readonly string[]): string[] | null => {
  const { status, stdout } = spawnSync(
    'git',
    ['ls-files', '-z', '--', ...paths, ':(exclude,attr:linguist-generated)'],
    { cwd: root, encoding: 'utf8' },
  )
  return status === 0 ? stdout.split('\0').filter((path) => path !== '') : null
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(import.meta.dirname, '../..')
  const paths = listWrittenFiles(root, process.argv.slice(2))
  if (!paths) console.log('Checked no wording, because this is not a Git clone.')
  let count = 0
  for (const path of paths ?? []) {
    if (EXEMPT_FILES.test(path) || !READERS.some(([pattern]) => pattern.test(path))) continue
    // Git still lists a file that was deleted but not yet committed.
    if (!existsSync(join(root, path))) continue
    for (const { line, found, advice } of checkFile(path, readFileSync(join(root, path), 'utf8'))) {
      count += 1
      console.log(`${path}:${line}  "${found}": ${advice}`)
    }
  }
  if (count > 0) {
    console.log(`\n${count} places to reword. docs/writing.md has the rules.`)
    process.exitCode = 1
  }
}
