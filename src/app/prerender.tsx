import { prerender } from 'react-dom/static'
import { DEFAULT_APP_NAME } from '~/domain/appName'
import { makeInitialI18n } from '~/src/i18n/initialI18n'
import shared from '~/src/i18n/locales/en/shared.json'
import siteTexts from '~/src/i18n/locales/en/site.json'
import { makeStore } from '~/src/store/makeStore'
import { screenPaths } from '~/src/store/screenPaths'
import { PrerenderedPath } from '~/src/ui/router'
import { prerenderServices } from './prerenderServices'
import { Root } from './Root'

/** Rows of file in dist, route, title key, description key. */
const PUBLIC_PAGES: [string, string, string, string][] = [
  ['index.html', screenPaths.home, 'site_title', 'site_description'],
  ['about-us.html', screenPaths.about, 'about_title', 'about_lead'],
  ['privacy-policy.html', screenPaths.privacy, 'privacy_title', 'privacy_lead'],
]
/** The settings that name the site are not known when it is built. */
const NAMED = { appName: DEFAULT_APP_NAME }
const TEXTS: Record<string, string> = { ...shared, ...siteTexts }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

/**
 * Returns the HTML of every public page, plus `app.html`, the empty shell for all other routes.
 * `site` is the origin of the deployment (https://example.com), or empty when unknown: then there
 * is no sitemap, because a sitemap needs absolute URLs.
 */
export const prerenderPages = async (
  shell: string,
  { site, robots }: { site: string; robots: string },
): Promise<Record<string, string>> => {
  const files: Record<string, string> = { 'app.html': shell }
  for (const [file, route, titleKey, descriptionKey] of PUBLIC_PAGES) {
    // The page may need these texts before the translator loads: the build renders in the light
    // scheme, online, for a visitor, without vehicle types. An empty text would move the page.
    const used = new Set([
      'light_mode',
      'offline',
      'settings_fetch_error',
      'try_again',
      'my_account',
      ...(route === screenPaths.home ? ['form_title_delivery', 'unavailable'] : []),
      ...(route === screenPaths.privacy ? ['privacy_contact'] : []),
    ])
    const i18n = makeInitialI18n(TEXTS, (key) => used.add(key))
    const store = makeStore(prerenderServices)
    const { prelude } = await prerender(
      <PrerenderedPath path={route}>
        <Root store={store} i18n={i18n} />
      </PrerenderedPath>,
      // React would insert large parts with inline scripts, which the content security policy
      // refuses.
      { progressiveChunkSize: Number.POSITIVE_INFINITY },
    )
    const markup = await new Response(prelude).text()
    const title = escapeHtml(i18n.t(titleKey, NAMED))
    const description = escapeHtml(i18n.t(descriptionKey, NAMED))
    // The page includes the texts it was rendered with, so that it can hydrate before the
    // translator loads.
    const texts = JSON.stringify(
      Object.fromEntries([...used].filter((key) => TEXTS[key]).map((key) => [key, TEXTS[key]])),
    ).replace(/</g, '\\u003c')
    files[file] = shell
      .replace(
        '<div id="root"></div>',
        () =>
          `<div id="root" data-page="${route}">${markup}</div>\n    <script id="texts" type="application/json">${texts}</script>`,
      )
      .replace(/<title>.*?<\/title>/, () => `<title>${title}</title>`)
      .replace(/<meta\s+name="description"[\s\S]*?\/>/, () =>
        [
          `<meta name="description" content="${description}" />`,
          `<meta property="og:title" content="${title}" />`,
          `<meta property="og:description" content="${description}" />`,
          '<meta property="og:type" content="website" />',
          `<meta property="og:site_name" content="${DEFAULT_APP_NAME}" />`,
          `<meta property="og:image" content="${site}/icons/share.jpg" />`,
          '<meta name="twitter:card" content="summary_large_image" />',
          ...(site
            ? [
                `<meta property="og:url" content="${site}${route}" />`,
                `<link rel="canonical" href="${site}${route}" />`,
              ]
            : []),
        ].join('\n    '),
      )
  }
  if (site) {
    files['sitemap.xml'] = renderSitemap(site)
    files['robots.txt'] = `${robots.trim()}\nSitemap: ${site}/sitemap.xml\n`
  }
  return files
}

const renderSitemap = (site: string) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...PUBLIC_PAGES.map(([, route]) => `  <url><loc>${escapeHtml(site + route)}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n')
