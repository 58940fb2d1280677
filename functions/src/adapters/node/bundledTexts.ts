import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TextsPort } from '../../ports/texts'

/**
 * Loads the texts that the build put next to the bundle, on demand because only setup needs them.
 */
export const loadBundledTexts: TextsPort = async () =>
  JSON.parse(await readFile(join(import.meta.dirname, 'texts.json'), 'utf8')) as Awaited<
    ReturnType<TextsPort>
  >
