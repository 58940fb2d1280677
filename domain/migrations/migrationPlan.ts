import type { DatabaseValue } from '../data/databaseValue'
import {
  DERIVED_DATA_NAMES,
  type RowChange,
  type MigrationContext,
  type DerivedDataName,
  type Migration,
  type Naming,
  type MigrationRow,
  type TotalsCounter,
} from './migration'
import { DERIVED_DATA, MIGRATIONS } from './registry'
import { diffValues } from './valueDiff'

/**
 * One pass through a group of collections that share their keys, with all pending changes of each
 * row.
 */
export interface RowPass {
  kind: 'rows'
  collections: readonly string[]
  changes: readonly RowChange[]
}
/** One pass that counts a collection; it runs after all row passes. */
export interface TotalsPass {
  kind: 'tally'
  counter: TotalsCounter
}
/** One pass that names the records of a collection; it runs between the other two kinds. */
export interface NamePass {
  kind: 'names'
  naming: Naming
}
export type MigrationPass = RowPass | NamePass | TotalsPass

/** A part of a migration, or what rebuilds one kind of derived data. */
export type MigrationPart = RowChange | Naming | TotalsCounter

export interface MigrationPlan {
  /** Schema versions of the data before and after. */
  from: number
  to: number
  migrations: readonly Migration[]
  rebuilds: readonly DerivedDataName[]
  passes: readonly MigrationPass[]
  /** The migration or rebuild that a part belongs to, as a sentence for the operator. */
  descriptions: ReadonlyMap<MigrationPart, string>
}

/** Groups changes that share collections, so that each record is read and written once. */
const groupChanges = (changes: readonly RowChange[]): RowPass[] => {
  const passes: RowPass[] = []
  for (const change of changes) {
    const touching = passes.filter(({ collections }) =>
      change.collections.some((one) => collections.includes(one)),
    )
    const [first] = touching
    const joined: RowPass = {
      kind: 'rows',
      collections: [
        ...new Set([...touching.flatMap(({ collections }) => collections), ...change.collections]),
      ],
      // Keeps the registration order across merged groups.
      changes: changes.filter(
        (one) =>
          one === change || touching.some(({ changes: passChanges }) => passChanges.includes(one)),
      ),
    }
    const at = first ? passes.indexOf(first) : passes.length
    const others = passes.filter((pass) => !touching.includes(pass))
    others.splice(at, 0, joined)
    passes.splice(0, passes.length, ...others)
  }
  return passes
}

interface PlanOptions {
  /** Derived data to rebuild at any version. */
  rebuild?: readonly DerivedDataName[]
  migrations?: readonly Migration[]
}

/**
 * Returns the passes that migrate data of schema version `from` to this release; none when it is
 * current.
 */
export const planMigrations = (
  from: number,
  { rebuild = [], migrations: all = MIGRATIONS }: PlanOptions = {},
): MigrationPlan => {
  const migrations = all.filter(({ version }) => version > from)
  const namesToRebuild = new Set([...migrations.flatMap(({ rebuilds }) => rebuilds), ...rebuild])
  const rebuilds = DERIVED_DATA_NAMES.filter((name) => namesToRebuild.has(name))
  const derived = rebuilds.map((name) => DERIVED_DATA[name])
  const changes = [
    ...migrations.flatMap((migration) => migration.changes),
    ...derived.flatMap((one) => ('change' in one ? [one.change] : [])),
  ]
  return {
    from,
    to: migrations.at(-1)?.version ?? from,
    migrations,
    rebuilds,
    passes: [
      ...groupChanges(changes),
      ...migrations.flatMap(({ namings = [] }) =>
        namings.map((naming): NamePass => ({ kind: 'names', naming })),
      ),
      ...derived.flatMap((one): TotalsPass[] =>
        'tally' in one ? [{ kind: 'tally', counter: one.tally }] : [],
      ),
    ],
    descriptions: new Map<MigrationPart, string>([
      ...migrations.flatMap((migration) =>
        [...migration.changes, ...(migration.namings ?? [])].map(
          (part): [MigrationPart, string] => [part, migration.description],
        ),
      ),
      ...derived.map((one): [MigrationPart, string] => [
        'change' in one ? one.change : one.tally,
        one.description,
      ]),
    ]),
  }
}

/**
 * Returns the row after all changes of a pass. A collection that a change does not return stays
 * unchanged. Calls `onChange` for each change that has an effect. Throws when a change returns a
 * collection that it does not name.
 */
export const applyChangesToRow = (
  changes: readonly RowChange[],
  { row, key }: { row: MigrationRow; key: string },
  context: MigrationContext,
  onChange?: (change: RowChange, before: MigrationRow, after: MigrationRow) => void,
): MigrationRow =>
  changes.reduce<MigrationRow>((before, change) => {
    const { collections, apply } = change
    const own = Object.fromEntries(
      collections.map((name): [string, DatabaseValue] => [name, before[name] ?? null]),
    )
    const after = apply(own, key, context)
    const stray = Object.keys(after).find((name) => !collections.includes(name))
    if (stray !== undefined)
      throw new Error(
        `A change over ${collections.join(', ')} returned ${stray}. Name it in \`over\`.`,
      )
    const hasEffect = (name: string) =>
      after[name] !== own[name] && diffValues(own[name], after[name], name).length > 0
    if (onChange && Object.keys(after).some(hasEffect)) onChange(change, own, after)
    return { ...before, ...after }
  }, row)
