import type { DatabaseValue } from '../data/databaseValue'

type Branch = { [key: string]: DatabaseValue }
const isBranch = (value: DatabaseValue | undefined): value is Branch | DatabaseValue[] =>
  typeof value === 'object' && value !== null

/**
 * Returns a value in the form the database stores: lists as objects keyed by position, without
 * empty branches. The database sometimes returns lists as arrays and sometimes not; this form is
 * always the same.
 */
export const toStoredForm = (value: DatabaseValue | undefined): DatabaseValue => {
  if (!isBranch(value)) return value ?? null
  const branch: Branch = {}
  let isEmpty = true
  for (const [key, child] of Object.entries(value)) {
    const part = toStoredForm(child)
    if (part === null) continue
    branch[key] = part
    isEmpty = false
  }
  return isEmpty ? null : branch
}

const listDifferences = (
  before: DatabaseValue,
  after: DatabaseValue,
  path: string,
): [string, DatabaseValue][] => {
  if (!isBranch(before) || !isBranch(after)) return before === after ? [] : [[path, after]]
  const [old, now] = [before as Branch, after as Branch]
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((key) =>
    listDifferences(old[key] ?? null, now[key] ?? null, `${path}/${key}`),
  )
}

/**
 * Returns the smallest multi-path update that turns the value at `path` from `before` into `after`.
 */
export const diffValues = (
  before: DatabaseValue | undefined,
  after: DatabaseValue | undefined,
  path: string,
): [path: string, value: DatabaseValue][] =>
  listDifferences(toStoredForm(before), toStoredForm(after), path)
