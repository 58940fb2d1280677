import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../local/build'

/** A line of the tree: its indentation and the folders that it explains. */
const LINE = /^( *)(\S+(?:, \S+)*) {2,}\S/

/** Returns the folders in the tree of the README, such as `domain/` and `functions/src/http/`. */
const readTree = (): string[] => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const [, tree = ''] = /^## The tree\n+```\n(.*?)^```$/ms.exec(readme) ?? []
  let parent = ''
  return tree
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', names = ''] = LINE.exec(line) ?? []
      if (indent === '') parent = names
      return names.split(', ').map((name) => (indent === '' ? name : `${parent}${name}`))
    })
}

/** Returns the folders directly below a folder of the repository. */
const listFolders = (parent: string): string[] => {
  const { stdout } = spawnSync('git', ['ls-files', `./${parent}`], { cwd: ROOT, encoding: 'utf8' })
  const paths = stdout.split('\n').map((file) => file.slice(parent.length).split('/'))
  const names = new Set(paths.filter(({ length }) => length > 1).map(([name]) => name))
  return [...names].map((name) => `${parent}${name}/`)
}

test('the tree of the README has each folder that a newcomer meets, and no other', () => {
  const folders = ['', 'domain/', 'functions/src/', 'src/'].flatMap(listFolders)
  expect(readTree().toSorted()).toEqual(folders.toSorted())
})
