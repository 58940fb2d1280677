// @vitest-environment node
import { expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { OPEN_ROUTES } from '~/domain/permissions'
import { screens } from '~/src/store/screens'
import { pages } from './prerender'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(resolve(root, file), 'utf8')
const made = (site: string) =>
  pages(read('index.html'), { site, robots: read('public/robots.txt') })

/** What anybody may open, but for the login, which nobody looks for. */
const PUBLIC = OPEN_ROUTES.filter((route) => route !== screens.login)

test('a site that knows its address tells search engines every public page, each by that address', async () => {
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

test('a site that does not know its address says nothing that has to be absolute', async () => {
  const files = await made('')
  expect(Object.keys(files).sort()).toEqual([
    'about-us.html',
    'app.html',
    'index.html',
    'privacy-policy.html',
  ])
  expect(files['index.html']).not.toMatch(/canonical|og:url/)
})
