// Generates the README's diagram of a booking's lifecycle from the transition table, so that it is
// always current. `npm run generate`
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderLifecycleDiagram } from '~/domain/booking/lifecycleDiagram'

export const README_FILE = join(import.meta.dirname, '../..', 'README.md')
const DIAGRAM_PATTERN = /(<!-- lifecycle:begin[^\n]*-->\n)[\s\S]*?(<!-- lifecycle:end -->)/

/** Returns the text with the diagram between its markers; throws when they are missing. */
export const insertLifecycle = (text: string): string => {
  if (!DIAGRAM_PATTERN.test(text))
    throw new Error(
      'README.md has no lifecycle markers. Restore the lines lifecycle:begin and lifecycle:end.',
    )
  return text.replace(DIAGRAM_PATTERN, `$1\`\`\`mermaid\n${renderLifecycleDiagram()}\`\`\`\n$2`)
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(README_FILE, insertLifecycle(readFileSync(README_FILE, 'utf8')))
