import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../local/build'
import { createWorkspaceLock } from './functionsLock'

const lock = {
  lockfileVersion: 3,
  packages: {
    '': { name: 'all' },
    functions: { name: 'functions' },
    'node_modules/a': {
      version: '1.0.0',
      dev: true,
      dependencies: { b: '2' },
      peerDependencies: { p: '1' },
    },
    'node_modules/b': { version: '1.0.0' },
    'node_modules/a/node_modules/b': { version: '2.0.0', optionalDependencies: { absent: '1' } },
    'node_modules/p': { version: '1.0.0', peer: true },
    'node_modules/unused': { version: '1.0.0' },
  },
}

it('keeps the tested version and place of everything that the workspace needs', () => {
  const manifest = { name: 'functions', version: '0.1.0', dependencies: { a: '1.0.0', b: '1.0.0' } }
  expect(createWorkspaceLock(lock, 'functions', manifest)).toEqual({
    name: 'functions',
    version: '0.1.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': manifest,
      'node_modules/a': {
        version: '1.0.0',
        dependencies: { b: '2' },
        peerDependencies: { p: '1' },
      },
      'node_modules/a/node_modules/b': { version: '2.0.0', optionalDependencies: { absent: '1' } },
      'node_modules/b': { version: '1.0.0' },
      'node_modules/p': { version: '1.0.0' },
    },
  })
})

it('refuses a package that the lock file does not have', () => {
  expect(() => createWorkspaceLock(lock, 'functions', { dependencies: { missing: '1' } })).toThrow(
    'package-lock.json has no missing. Run `npm install`.',
  )
})

it('refuses a version that differs between workspaces, because its place would change', () => {
  const packages = { ...lock.packages, 'functions/node_modules/b': { version: '3.0.0' } }
  expect(() => createWorkspaceLock({ ...lock, packages }, 'functions', {})).toThrow(
    'package-lock.json has packages inside functions.',
  )
})

it('locks what the functions need and nothing of the web app', () => {
  const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8')) as typeof lock
  const { packages } = createWorkspaceLock(
    read('package-lock.json'),
    'functions',
    read('functions/package.json'),
  )
  expect(packages).toHaveProperty(['node_modules/firebase-admin'])
  expect(packages).not.toHaveProperty(['node_modules/react'])
})
