// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { PUBLIC_PAGES } from '~/domain/access/permissions'
import { screenPaths } from '~/src/store/screenPaths'
import { DEMO_SETTINGS } from '~/seed/catalog'
import type { PageData, PlatformContent } from './pageData'
import { prerenderPages } from './prerender'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(resolve(root, file), 'utf8')
const made = (site: string, platform: PlatformContent | null = null) =>
  prerenderPages(read('index.html'), {
    site,
    robots: read('public/robots.txt'),
    platform,
    linkFilesOf: (sources) => sources.map((source) => `<link href="/assets/${source}">`).join(''),
  })
const readPageData = (html = '') =>
  JSON.parse(/<script id="page-data"[^>]*>(.*?)<\/script>/.exec(html)?.[1] ?? '') as PageData

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
    'login.html',
    'privacy-policy.html',
  ])
  expect(files['index.html']).not.toMatch(/canonical|og:url/)
})

test.each(['index.html', 'about-us.html', 'login.html', 'privacy-policy.html'])(
  '%s has the name of the color scheme button for both schemes',
  async (file) => {
    const { texts } = readPageData((await made(''))[file])
    expect(texts).toMatchObject({
      dark_mode: expect.stringMatching(/./),
      light_mode: expect.stringMatching(/./),
    })
  },
)

describe('a platform whose content is known', () => {
  const platform = {
    settings: { ...DEMO_SETTINGS, appName: 'Zippy & Cabs', bonus: 77 },
    texts: { privacy_what: 'We keep your </script> phone number.' },
  }

  test('has its own name, contact and texts on its pages', async () => {
    const files = await made('', platform)
    expect(files['index.html']).toContain('<title>Zippy &#38; Cabs: across town')
    expect(files['index.html']).toContain('property="og:site_name" content="Zippy &#38; Cabs"')
    const privacy = files['privacy-policy.html'] ?? ''
    expect(privacy).toContain(`href="mailto:${DEMO_SETTINGS.contact_email}"`)
    expect(privacy).toContain('We keep your &lt;/script&gt; phone number.')
    expect(readPageData(privacy)).toMatchObject({ ...platform, changedTexts: ['privacy_what'] })
  })

  test('names the settings that each page shows, and no others', async () => {
    const files = await made('', platform)
    for (const file of ['about-us.html', 'privacy-policy.html']) {
      const { shownSettings } = readPageData(files[file])
      expect(shownSettings).toEqual(expect.arrayContaining(['appName', 'contact_email']))
      expect(shownSettings).not.toContain('bonus')
    }
  })

  test('has pages of text that do not load the app, and others that do', async () => {
    const files = await made('', platform)
    const app = '<link href="/assets/app/main.tsx">'
    for (const file of ['about-us.html', 'privacy-policy.html'])
      expect(files[file]).not.toContain(app)
    for (const file of ['app.html', 'index.html', 'login.html']) expect(files[file]).toContain(app)
    expect(files['login.html']).toContain('<link href="/assets/app/LoginScreen.tsx">')
  })
})
