// Why: the README's diagram of a booking's life is the transition table itself, never a drawing of what it once was.
// `npm run docs:lifecycle`
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { diagram } from '~/domain/booking/diagram'

export const README = join(import.meta.dirname, '..', 'README.md')
const PLACE = /(<!-- lifecycle:begin[^\n]*-->\n)[\s\S]*?(<!-- lifecycle:end -->)/

/** The text with the diagram between its markers; throws when they are missing. */
export const withLifecycle = (text: string): string => {
  if (!PLACE.test(text)) throw new Error('README.md has lost its lifecycle markers.')
  return text.replace(PLACE, `$1\`\`\`mermaid\n${diagram()}\`\`\`\n$2`)
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(README, withLifecycle(readFileSync(README, 'utf8')))
