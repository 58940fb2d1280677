// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { appInfoForm, settingsForm } from '~/domain/forms/settingsForms'

const root = resolve(import.meta.dirname, '../..')
/**
 * Matches files that only declare, edit, check or fill in a setting, without giving it an effect.
 */
const NO_READERS =
  /^domain\/(entities|settings|forms\/|migrations\/|testing\/)|^functions\/(lib|node_modules)\/|^src\/office\/settings\/|\.test\.tsx?$/

const sources = ['domain', 'functions/src', 'src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => relative(root, join(root, folder, file)).replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && !NO_READERS.test(file)),
)

/** Returns true when the expression is the settings, recognized by its name or its type. */
const isOfSettings = (node: ts.Node | undefined, source: ts.SourceFile): boolean =>
  node !== undefined && /settings|currency/i.test(node.getText(source))

/** Calls `found` with each field that the file reads from the settings. */
const visitReads = (file: string, found: (field: string) => void) => {
  const text = readFileSync(join(root, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node) => {
    if (ts.isPropertyAccessExpression(node) && isOfSettings(node.expression, source))
      found(node.name.text)
    // A computed access names its fields elsewhere in the same file.
    if (ts.isElementAccessExpression(node) && isOfSettings(node.expression, source))
      for (const [, name = ''] of text.matchAll(/'(\w+)'/g)) found(name)
    if (ts.isObjectBindingPattern(node)) {
      const { parent } = node
      const isFromSettings =
        (ts.isVariableDeclaration(parent) && isOfSettings(parent.initializer, source)) ||
        (ts.isParameter(parent) && isOfSettings(parent.type, source))
      if (isFromSettings)
        for (const { propertyName, name } of node.elements) found((propertyName ?? name).getText())
    }
    if (ts.isStringLiteralLike(node)) {
      const [, field] = /^settings\/(\w+)$/.exec(node.text) ?? []
      if (field) found(field)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
}

test('reads every field of the settings forms outside the forms', () => {
  const read = new Set<string>()
  for (const file of sources) visitReads(file, (field) => read.add(field))
  const fields = [...Object.keys(settingsForm.entries), ...Object.keys(appInfoForm.entries)]
  expect(fields.length).toBeGreaterThan(30)
  expect(fields.filter((field) => !read.has(field))).toEqual([])
})
