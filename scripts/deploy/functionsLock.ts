interface LockedPackage {
  name?: string
  version?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  [field: string]: unknown
}
interface Lockfile {
  lockfileVersion: number
  packages: Record<string, LockedPackage>
}

const getNames = (one: LockedPackage): { name: string; isOptional: boolean }[] => [
  ...Object.keys(one.dependencies ?? {}).map((name) => ({
    name,
    isOptional: name in (one.optionalDependencies ?? {}),
  })),
  ...Object.keys(one.optionalDependencies ?? {}).map((name) => ({ name, isOptional: true })),
  ...Object.keys(one.peerDependencies ?? {}).map((name) => ({
    name,
    isOptional: one.peerDependenciesMeta?.[name]?.optional === true,
  })),
]

const DEVELOPMENT_MARKS = ['dev', 'devOptional', 'peer']

/** Returns a package without the marks by which `npm ci --omit=dev` would leave it out. */
const omitDevelopmentMarks = (one: LockedPackage): LockedPackage =>
  Object.fromEntries(Object.entries(one).filter(([field]) => !DEVELOPMENT_MARKS.includes(field)))

/**
 * Returns the lock file of one workspace alone: the versions of the repository's lock file for
 * everything that the workspace needs at run time. The uploaded functions are installed from it, so
 * that a deployment runs the versions that were tested. Throws when the lock file does not match
 * the package.
 */
export const createWorkspaceLock = (
  lock: Lockfile,
  workspace: string,
  manifest: LockedPackage,
): Lockfile & { name?: string; version?: string; requires: true } => {
  const packages: Record<string, LockedPackage> = {}
  const visit = (from: string, one: LockedPackage) => {
    for (const { name, isOptional } of getNames(one)) {
      const place = findPlace(from, name)
      if (place === null) {
        if (isOptional) continue
        throw new Error(`package-lock.json has no ${name}. Run \`npm install\`.`)
      }
      if (packages[place]) continue
      const entry = omitDevelopmentMarks(lock.packages[place] ?? {})
      packages[place] = entry
      visit(place, entry)
    }
  }
  /** Returns the nearest folder that holds a package, as Node finds it. */
  const findPlace = (from: string, name: string): string | null => {
    for (let folder = from; ;) {
      const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
      if (lock.packages[place]) return place
      if (folder === '') return null
      folder = folder.includes('/node_modules/')
        ? folder.slice(0, folder.lastIndexOf('/node_modules/'))
        : ''
    }
  }
  if (Object.keys(lock.packages).some((place) => place.startsWith(`${workspace}/node_modules/`)))
    throw new Error(
      `package-lock.json has packages inside ${workspace}. Use the same versions in every workspace.`,
    )
  const { name, version, dependencies } = manifest
  visit('', manifest)
  const root = { ...(name && { name }), ...(version && { version }) }
  return {
    ...root,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages: {
      '': {
        ...root,
        ...(dependencies && { dependencies }),
        ...(manifest.engines ? { engines: manifest.engines } : {}),
      },
      ...Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}
