/** Writes database.rules.json from the tree: `npm run rules`. A test fails while the file is behind its source. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Rule } from './language'
import { tree } from './tree'

type Json = { [key: string]: Json | string | string[] | boolean }

/** A rule and all below it, as the rules file has them. */
export const toJson = (rule: Rule): Json => ({
  ...(rule.read !== undefined && { '.read': rule.read }),
  ...(rule.write !== undefined && { '.write': rule.write }),
  ...(rule.validate !== undefined && { '.validate': rule.validate }),
  ...(rule.indexOn !== undefined && { '.indexOn': [...rule.indexOn] }),
  ...Object.fromEntries(
    Object.entries(rule.children ?? {}).map(([name, child]) => [name, toJson(child)]),
  ),
})

/** The text of database.rules.json. */
export const rulesText = (): string => `${JSON.stringify({ rules: toJson(tree) }, null, 2)}\n`
export const rulesFile = resolve(import.meta.dirname, '../database.rules.json')

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(rulesFile, rulesText())
