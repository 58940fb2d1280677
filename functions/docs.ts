// Writes docs/endpoints.md from the definitions, so that the table of endpoints is never out of date.
// `--check` fails instead when the file is not what the definitions say.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpointsDocument } from './src/document'

const file = join(import.meta.dirname, '../docs/endpoints.md')
const text = endpointsDocument()
if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('docs/endpoints.md is out of date: run `npm run docs:endpoints`.\n')
  process.exitCode = 1
}
