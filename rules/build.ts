/**
 * Writes database.rules.json from the tree: `npm run generate`. A test fails while the file is out
 * of date.
 */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compressRules } from './ruleCompression'
import { toFileForm, type Condition, type Rule } from './ruleBuilders'
import { factorCondition } from './ruleFactoring'
import { rulesTree } from './tree'

type Json = { [key: string]: Json | string | string[] | boolean }

// Omits a condition that never holds, because it needs no evaluation.
const formatCondition = (text: Condition) =>
  text === 'true' ? true : text === 'false' ? false : toFileForm(factorCondition(text))

/** Returns a rule and everything below it in the rules file's format. */
export const toRulesJson = (rule: Rule): Json => ({
  ...(rule.read !== undefined && { '.read': formatCondition(rule.read) }),
  ...(rule.write !== undefined && { '.write': formatCondition(rule.write) }),
  ...(rule.validate !== undefined && { '.validate': formatCondition(rule.validate) }),
  ...(rule.indexOn !== undefined && { '.indexOn': [...rule.indexOn] }),
  ...Object.fromEntries(
    Object.entries(rule.children ?? {}).map(([name, child]) => [name, toRulesJson(child)]),
  ),
})

const isNode = (value: Json[string]): value is Json =>
  typeof value === 'object' && !Array.isArray(value)

/** Writes one line per place, so the file stays short and a diff shows the changed place. */
const formatNode = (node: Json): string => {
  const entries = Object.entries(node).map(([name, value]) =>
    isNode(value)
      ? `\n${JSON.stringify(name)}:${formatNode(value)}`
      : `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  )
  return `{${entries.join(',')}}`
}

/**
 * One letter for each variable. Variables of different letters may be above each other; the merged
 * fields of a record have the others (`CAPTURE_VARIABLES`).
 */
const SHORT_VARIABLES: Readonly<Record<string, string>> = {
  booking: 'b',
  driver: 'd',
  uid: 'u',
  entry: 'e',
  field: 'a',
  index: 'n',
  hash: 'h',
  promo: 'p',
  list: 'l',
  unit: 'c',
  total: 't',
  reference: 'r',
  shift: 's',
  notification: 'n',
  fleetadmin: 'a',
  locale: 'l',
  message: 'm',
  month: 'm',
  point: 'p',
  event: 'e',
  request: 'r',
  slot: 's',
  note: 'n',
  payment: 'p',
  withdraw: 'w',
  endpoint: 'o',
  caller: 'c',
  purpose: 'p',
  gateway: 'w',
  token: 't',
  level: 'l',
  language: 'l',
  ended: 'e',
}

const shortenVariables = (text: string): string =>
  text.replace(/\$([a-z]+)\b/g, (name, word: string) =>
    word in SHORT_VARIABLES ? `$${SHORT_VARIABLES[word]}` : name,
  )

/**
 * Returns the text of database.rules.json. Variables have one letter there, because the file's size
 * is bounded.
 */
export const renderRulesFile = (): string =>
  shortenVariables(`${formatNode({ rules: toRulesJson(compressRules(rulesTree)) })}\n`)
export const RULES_FILE = resolve(import.meta.dirname, '../database.rules.json')

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(RULES_FILE, renderRulesFile())
