import { prerender } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import { makeI18n } from '~/src/i18n/i18n'
import { memoryWorld } from '~/src/services/memory/memoryServices'
import { makeStore } from '~/src/store/makeStore'
import { screens } from '~/src/store/screens'
import { Root } from './Root'

/** File in dist → route, title key, description key. */
const PUBLIC: [string, string, string, string][] = [
  ['index.html', screens.home, 'site_title', 'site_description'],
  ['about-us.html', screens.about, 'about_title', 'about_lead'],
  ['privacy-policy.html', screens.privacy, 'privacy_title', 'privacy_lead'],
]
const escaped = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

/** The finished HTML of every public page, and `app.html`, the empty shell of all others. */
export const pages = async (shell: string): Promise<Record<string, string>> => {
  const files: Record<string, string> = { 'app.html': shell }
  for (const [file, route, titleKey, descriptionKey] of PUBLIC) {
    const i18n = makeI18n()
    const store = makeStore(memoryWorld().services)
    const { prelude } = await prerender(
      <Root
        store={store}
        i18n={i18n}
        router={(children) => <StaticRouter location={route}>{children}</StaticRouter>}
      />,
      // Large parts would be put in place by inline scripts, which the content security policy refuses.
      { progressiveChunkSize: Number.POSITIVE_INFINITY },
    )
    const markup = await new Response(prelude).text()
    const title = escaped(i18n.t(titleKey))
    const description = escaped(i18n.t(descriptionKey))
    files[file] = shell
      .replace('<div id="root"></div>', () => `<div id="root" data-page="${route}">${markup}</div>`)
      .replace(/<title>.*?<\/title>/, () => `<title>${title}</title>`)
      .replace(
        /<meta\s+name="description"[\s\S]*?\/>/,
        () =>
          `<meta name="description" content="${description}" />\n    <meta property="og:title" content="${title}" />\n    <meta property="og:description" content="${description}" />\n    <meta property="og:type" content="website" />`,
      )
  }
  return files
}
