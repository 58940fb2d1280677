import type { MigrationReport } from './migrationRunner'

const MAX_SHOWN_CHARACTERS = 60
const shorten = (value: unknown): string => {
  const text = JSON.stringify(value ?? null)
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text
}

/** Prints what a migration changed, or after a dry run what it would change, with examples. */
export const printMigrationReport = (
  { changes, passes }: MigrationReport,
  { isDryRun }: { isDryRun: boolean },
): void => {
  for (const [description, changed] of Object.entries(changes))
    console.log(`  ${description}: ${changed} ${changed === 1 ? 'change' : 'changes'}.`)
  console.table(
    Object.fromEntries(
      passes.map(({ name, seen, changed, paths }) => [name, { seen, changed, values: paths }]),
    ),
  )
  if (!isDryRun) return
  for (const [path, before, after] of passes.flatMap(({ sample }) => sample))
    console.log(`  ${path}: ${shorten(before)} → ${shorten(after)}`)
}
