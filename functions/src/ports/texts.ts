import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The interface texts that come with the product, by locale. */
export type TextsPort = () => Promise<Record<string, Record<string, string>>>

/** Those the build put beside the bundle: only a setup needs them, so no other call loads them. */
export const bundledTexts: TextsPort = async () =>
  JSON.parse(await readFile(join(import.meta.dirname, 'texts.json'), 'utf8')) as Awaited<
    ReturnType<TextsPort>
  >
