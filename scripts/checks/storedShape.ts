/**
 * Compares the shape of the stored data, which domain/data/storedData.ts describes, with the
 * recorded one: `npm run --prefix lab check:shape`. A different shape needs a migration, or a
 * reason why data of the previous release needs none. `-- --accept [REASON]` records either.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import ts from 'typescript'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'

const ROOT = join(import.meta.dirname, '../..')
export const RECORD_FILE = join(ROOT, 'domain/migrations/storedShape.txt')

/** The recorded shape: its schema version, its lines and changes of it without a migration. */
export interface ShapeRecord {
  version: number
  reasons: readonly string[]
  lines: readonly string[]
}

/** Returns the name of a type; a number in a unit is stored as a number. */
const nameType = (checker: ts.TypeChecker, type: ts.Type): string =>
  type.isIntersection() && type.types.some(({ flags }) => (flags & ts.TypeFlags.Number) !== 0)
    ? 'number'
    : checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)

/** Returns the names of a union's members, in an order that does not depend on other types. */
const nameMembers = (checker: ts.TypeChecker, members: readonly ts.Type[]): string => {
  const names = new Set(members.map((type) => nameType(checker, type)))
  if (names.has('true') && names.has('false')) {
    names.delete('true')
    names.delete('false')
    names.add('boolean')
  }
  return [...names].sort().join(' | ')
}

/** Returns the type without undefined, which only says that a field can be missing. */
const withoutUndefined = (type: ts.Type): ts.Type =>
  type.isUnion() ? type.getNonNullableType() : type

const isRecord = (type: ts.Type): boolean =>
  (type.flags & ts.TypeFlags.Object) !== 0 && type.getCallSignatures().length === 0

/**
 * Returns one line for each field of a type and of the records in it, such as
 * `bookings/{booking}/drop/lat: number`. A field that can be missing has a `?`; all keys of a map
 * are `*`.
 */
const describeType = (
  checker: ts.TypeChecker,
  path: string,
  type: ts.Type,
  within: readonly ts.Type[] = [],
): string[] => {
  const members = type.isUnion() ? type.types : [type]
  const records = members.filter(isRecord)
  // A type that contains itself is described once.
  if (records.length === 0 || within.includes(type))
    return [`${path}: ${nameMembers(checker, members)}`]
  const inside = [...within, type]
  if (members.length > 1) {
    const others = members.filter((member) => !isRecord(member))
    return [
      ...(others.length > 0 ? [`${path}: ${nameMembers(checker, others)}`] : []),
      ...records.flatMap((record) => describeType(checker, path, record, inside)),
    ]
  }
  const element = type.getNumberIndexType() ?? type.getStringIndexType()
  const fields = checker.isArrayType(type) || checker.isTupleType(type) ? [] : type.getProperties()
  return [
    ...(element ? describeType(checker, `${path}/*`, element, inside) : []),
    ...fields.flatMap((field) => {
      const isOptional = (field.flags & ts.SymbolFlags.Optional) !== 0
      return describeType(
        checker,
        `${path}/${field.name}${isOptional ? '?' : ''}`,
        withoutUndefined(checker.getTypeOfSymbol(field)),
        inside,
      )
    }),
  ]
}

/** Returns the shape of the data as sorted lines. Throws when the file lacks the interface. */
export const describeStoredData = (
  file: string = join(ROOT, 'domain/data/storedData.ts'),
): string[] => {
  const config: unknown = ts.readConfigFile(join(ROOT, 'tsconfig.domain.json'), (path) =>
    ts.sys.readFile(path),
  ).config
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT)
  const program = ts.createProgram([file], { ...options, incremental: false })
  const checker = program.getTypeChecker()
  const declaration = program
    .getSourceFile(file)
    ?.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === 'StoredData')
  if (!declaration) throw new Error(`${file} has no interface StoredData.`)
  const lines = checker
    .getTypeAtLocation(declaration)
    .getProperties()
    .flatMap((path) => describeType(checker, path.name, checker.getTypeOfSymbol(path)))
  // Members of a union that are records share some of their fields.
  return [...new Set(lines)].sort()
}

export const parseRecord = (text: string): ShapeRecord => {
  const rows = text.split('\n').filter((row) => row !== '' && !row.startsWith('#'))
  return {
    version: Number(rows.find((row) => row.startsWith('version '))?.slice('version '.length)),
    reasons: rows.filter((row) => row.startsWith('no migration: ')),
    lines: rows.filter((row) => !/^(?:version|no migration:) /.test(row)),
  }
}

const formatRecord = ({ version, reasons, lines }: ShapeRecord): string =>
  `${[
    '# The shape of the stored data. Written by `npm run --prefix lab check:shape -- --accept`.',
    `version ${version}`,
    ...reasons,
    '',
    ...lines,
  ].join('\n')}\n`

/**
 * Returns the lines that differ, each after `+` or `-`. Also says when the schema has a newer
 * version than the record.
 */
export const compareShapes = (
  recorded: ShapeRecord,
  present: readonly string[],
  version = SCHEMA_VERSION,
): string[] => {
  const before = new Set(recorded.lines)
  const after = new Set(present)
  return [
    ...(recorded.version === version
      ? []
      : [`The record is of version ${recorded.version}, the schema of ${version}.`]),
    ...recorded.lines.filter((line) => !after.has(line)).map((line) => `- ${line}`),
    ...present.filter((line) => !before.has(line)).map((line) => `+ ${line}`),
  ]
}

/**
 * Returns the record of the present shape. Throws when the version is the same and no reason says
 * why old data needs no migration.
 */
export const acceptShape = (
  recorded: ShapeRecord,
  present: readonly string[],
  reason: string,
  version = SCHEMA_VERSION,
): ShapeRecord => {
  if (version > recorded.version) return { version, reasons: [], lines: present }
  if (reason.trim() === '')
    throw new Error(
      'Add a migration and raise SCHEMA_VERSION, or say why the data of the previous release needs none: npm run --prefix lab check:shape -- --accept "REASON".',
    )
  return {
    version,
    reasons: [...recorded.reasons, `no migration: ${reason.trim()}`],
    lines: present,
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    options: { accept: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const recorded = parseRecord(readFileSync(RECORD_FILE, 'utf8'))
  const present = describeStoredData()
  const differences = compareShapes(recorded, present)
  for (const line of differences) console.log(line)
  if (differences.length > 0 && values.accept) {
    writeFileSync(RECORD_FILE, formatRecord(acceptShape(recorded, present, positionals.join(' '))))
    console.log(`Recorded in ${RECORD_FILE}. Commit it with the change.`)
  } else if (differences.length > 0) {
    console.log(
      '\nThe stored data has another shape. docs/operations.md, “Write a migration”, says what to do.',
    )
    process.exitCode = 1
  }
}
