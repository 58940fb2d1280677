import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { palette } from './tokens'

const css = readFileSync(join(import.meta.dirname, '../base.css'), 'utf8')
const getTokens = (block: string) =>
  Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  )
const block = (selector: string) => {
  const start = css.indexOf(`${selector} {`)
  return css.slice(start, css.indexOf('}', start))
}

test('uses the same colors in the style sheet and the theme', () => {
  expect(getTokens(block(':root'))).toEqual(palette.light)
  expect(getTokens(block(":root:not([data-scheme='light'])"))).toEqual(palette.dark)
  expect(getTokens(block(":root[data-scheme='dark']"))).toEqual(palette.dark)
})

const channel = (value: number) =>
  value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
const luminance = (hex: string) =>
  [1, 3, 5].reduce(
    (sum, at, index) =>
      sum +
      channel(parseInt(hex.slice(at, at + 2), 16) / 255) * ([0.2126, 0.7152, 0.0722][index] ?? 0),
    0,
  )
const contrastOf = (...luminances: [number, number]) => {
  const [light = 0, dark = 0] = luminances.sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}
const contrast = (a: string, b: string) => contrastOf(luminance(a), luminance(b))
/** The luminance of a mixture in Oklab, which mixes cube roots of light; exact for greys. */
const mixLuminance = (a: string, b: string, share: number) =>
  (Math.cbrt(luminance(a)) * share + Math.cbrt(luminance(b)) * (1 - share)) ** 3

test.each(['light', 'dark'] as const)(
  'keeps every text color readable in the %s scheme',
  (scheme) => {
    const c = palette[scheme]
    for (const ground of [c.paper, c.surface, c.sunken])
      for (const text of [c.ink, c.muted, c.danger, c.success, c.warning, c.news, c.primary])
        expect(contrast(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    expect(contrast(c['on-primary'], c.primary)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(c['on-accent'], c.accent)).toBeGreaterThanOrEqual(4.5)
  },
)

test.each(['light', 'dark'] as const)(
  'keeps marks and the borders of fields at 3 to 1 in the %s scheme',
  (scheme) => {
    const c = palette[scheme]
    const charts = readFileSync(join(import.meta.dirname, '../charts/BarChart.module.css'), 'utf8')
    const share = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]) / 100
    const outline = share(css, /--outline: color-mix\(in oklab, var\(--ink\) (\d+)%/)
    const olderBar = share(charts, /var\(--bar\) (\d+)%, var\(--surface\)/)
    for (const ground of [c.paper, c.surface, c.sunken])
      for (const mark of [
        luminance(c.primary),
        luminance(c.warning),
        mixLuminance(c.ink, c.surface, outline),
        mixLuminance(c.primary, c.surface, olderBar),
      ])
        expect(contrastOf(mark, luminance(ground))).toBeGreaterThanOrEqual(3)
  },
)
