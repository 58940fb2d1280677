// @vitest-environment node
import { expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { PUBLIC_PAGES } from '~/domain/permissions'
import { screenPaths } from '~/src/store/screenPaths'
import { prerenderPages } from './prerender'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(resolve(root, file), 'utf8')
const made = (site: string) =>
  prerenderPages(read('index.html'), { site, robots: read('public/robots.txt') })

/** All public pages except the login, which search engines should not list. */
const PUBLIC = PUBLIC_PAGES.filter((route) => route !== screenPaths.login)

test('lists every public page under the known site address for search engines', async () => {
  const files = await made('https://kerbside.example')
  const found = [...(files['sitemap.xml'] ?? '').matchAll(/<loc>(.*?)<\/loc>/g)]
  expect(found.map(([, loc]) => loc).sort()).toEqual(
    PUBLIC.map((route) => `https://kerbside.example${route}`).sort(),
  )
  expect(files['robots.txt']).toBe(
    `${read('public/robots.txt').trim()}\nSitemap: https://kerbside.example/sitemap.xml\n`,
  )
  for (const route of PUBLIC) {
    const html = files[`${route.slice(1) || 'index'}.html`] ?? ''
    expect(html).toContain(`<link rel="canonical" href="https://kerbside.example${route}" />`)
    expect(html).toContain(`property="og:url" content="https://kerbside.example${route}"`)
    expect(html).toContain('content="https://kerbside.example/icons/share.jpg"')
  }
})

test('omits everything that must be absolute when the site address is unknown', async () => {
  const files = await made('')
  expect(Object.keys(files).sort()).toEqual([
    'about-us.html',
    'app.html',
    'index.html',
    'privacy-policy.html',
  ])
  expect(files['index.html']).not.toMatch(/canonical|og:url/)
})

test.each(['index.html', 'about-us.html', 'privacy-policy.html'])(
  '%s has the name of the color scheme button for both schemes',
  async (file) => {
    const html = (await made(''))[file] ?? ''
    const texts: unknown = JSON.parse(
      /<script id="texts"[^>]*>(.*?)<\/script>/.exec(html)?.[1] ?? '',
    )
    expect(texts).toMatchObject({
      dark_mode: expect.stringMatching(/./),
      light_mode: expect.stringMatching(/./),
    })
  },
)
