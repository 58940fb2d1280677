import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const SOURCE = resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(SOURCE, file), 'utf8')
const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
const components = files.filter((file) => file.endsWith('.tsx') && !file.includes('.test.'))
const modules = files.filter((file) => file.endsWith('.module.css'))

/** Returns the styles of a module without comments. */
const readStyles = (file: string) => read(file).replace(/\/\*[\s\S]*?\*\//g, '')

test('a selector that begins with an attribute belongs to the one component that sets it', () => {
  const code = new Map(components.map((component) => [component, read(component)]))
  const shared = modules.flatMap((file) =>
    [...readStyles(file).matchAll(/(?:^|[{},;])\s*\[(data-[a-z-]+)/g)].flatMap(([, name = '']) => {
      const setters = [...code].filter(([, text]) => new RegExp(`[\\s{]${name}[=\\s}>]`).test(text))
      return setters.length > 1
        ? [`${file}: [${name}] also matches ${setters.map(([component]) => component).join(', ')}`]
        : []
    }),
  )
  expect(shared).toEqual([])
})

test("the office's frame does not style the dialogs that its buttons open", () => {
  // A dialog is mounted beside its button, so that ".bar button" also matches the dialog's buttons.
  const styles = readStyles('office/layout/layout.module.css')
  expect(styles.match(/\.[\w-]+ (?:button|input|h2|p)\b/g) ?? []).toEqual([])
})
