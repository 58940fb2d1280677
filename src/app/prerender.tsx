import { prerender } from 'react-dom/static'
import { firstI18n } from '~/src/i18n/firstI18n'
import shared from '~/src/i18n/locales/en/shared.json'
import siteTexts from '~/src/i18n/locales/en/site.json'
import { memoryWorld } from '~/src/services/memory/memoryServices'
import { makeStore } from '~/src/store/makeStore'
import { screens } from '~/src/store/screens'
import { BuiltAt } from '~/src/ui/place'
import { Root } from './Root'

/** File in dist → route, title key, description key. */
const PUBLIC: [string, string, string, string][] = [
  ['index.html', screens.home, 'site_title', 'site_description'],
  ['about-us.html', screens.about, 'about_title', 'about_lead'],
  ['privacy-policy.html', screens.privacy, 'privacy_title', 'privacy_lead'],
]
const TEXTS: Record<string, string> = { ...shared, ...siteTexts }
const escaped = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

/**
 * The finished HTML of every public page, and `app.html`, the empty shell of all others. `site` is the origin it will be
 * found at (https://example.com), empty when that is not known: then there is no sitemap, which must be absolute.
 */
export const pages = async (
  shell: string,
  { site, robots }: { site: string; robots: string },
): Promise<Record<string, string>> => {
  const files: Record<string, string> = { 'app.html': shell }
  for (const [file, route, titleKey, descriptionKey] of PUBLIC) {
    const used = new Set<string>()
    const i18n = firstI18n(TEXTS, (key) => used.add(key))
    const store = makeStore(memoryWorld().services)
    const { prelude } = await prerender(
      <BuiltAt path={route}>
        <Root store={store} i18n={i18n} />
      </BuiltAt>,
      // Large parts would be put in place by inline scripts, which the content security policy refuses.
      { progressiveChunkSize: Number.POSITIVE_INFINITY },
    )
    const markup = await new Response(prelude).text()
    const title = escaped(i18n.t(titleKey))
    const description = escaped(i18n.t(descriptionKey))
    // The page brings the texts it was made with, so that it can be taken over before the translator is there.
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
          '<meta property="og:site_name" content="Kerbside" />',
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
    files['sitemap.xml'] = sitemap(site)
    files['robots.txt'] = `${robots.trim()}\nSitemap: ${site}/sitemap.xml\n`
  }
  return files
}

const sitemap = (site: string) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...PUBLIC.map(([, route]) => `  <url><loc>${escaped(site + route)}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n')
