import { prerender } from 'react-dom/static'
import { DEFAULT_APP_NAME } from '~/domain/catalog/appName'
import { liveSettings } from '~/src/features/settings/settings'
import { makeInitialI18n } from '~/src/i18n/initialI18n'
import shared from '~/src/i18n/locales/en/shared.json'
import siteTexts from '~/src/i18n/locales/en/site.json'
import { makeStore } from '~/src/store/makeStore'
import { screenPaths } from '~/src/store/screenPaths'
import { PrerenderedPath } from '~/src/ui/navigation/router'
import type { PageData, PlatformContent } from './pageData'
import { prerenderServices } from './prerenderServices'
import { Root } from './Root'
import type { Settings } from '~/domain/catalog/types'

interface PublicPage {
  /** The name in dist. */
  file: string
  route: string
  titleKey: string
  descriptionKey: string
  /** True for a page of text, which needs the app only once a visitor acts. */
  isText?: boolean
  /** True for a page that is built with the settings. They may change the layout of the others. */
  showsSettings?: boolean
  /** True for a page that search engines should not list. */
  isUnlisted?: boolean
  /** The file in src of a page that loads apart from the app's first scripts. */
  source?: string
}
/** The module of the app, which all pages except those of text load at once. */
const APP = 'app/main.tsx'
const PUBLIC_PAGES: PublicPage[] = [
  {
    file: 'index.html',
    route: screenPaths.home,
    titleKey: 'site_title',
    descriptionKey: 'site_description',
  },
  {
    file: 'about-us.html',
    route: screenPaths.about,
    titleKey: 'about_title',
    descriptionKey: 'about_lead',
    isText: true,
    showsSettings: true,
  },
  {
    file: 'privacy-policy.html',
    route: screenPaths.privacy,
    titleKey: 'privacy_title',
    descriptionKey: 'privacy_lead',
    isText: true,
    showsSettings: true,
  },
  {
    file: 'login.html',
    route: screenPaths.login,
    titleKey: 'login_title',
    descriptionKey: 'login_text',
    isUnlisted: true,
    showsSettings: true,
    source: 'app/LoginScreen.tsx',
  },
]

const TEXTS: Record<string, string> = { ...shared, ...siteTexts }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

/** Returns a copy of the settings that adds the name of each one that is read to `names`. */
const recordReads = (settings: Settings, names: Set<string>): Settings =>
  new Proxy(settings, {
    get: (target, name: string) => {
      names.add(name)
      return Reflect.get(target, name) as unknown
    },
  })

/** The platform and the build, as far as the pages show them. */
interface BuiltSite {
  /** The origin of the deployment (https://example.com); empty when unknown. */
  site: string
  robots: string
  /** Null when unknown: then the pages show the product's name and no contact at first. */
  platform: PlatformContent | null
  /** Returns links that load the files of these modules, named as in src, early. */
  linkFilesOf: (sources: readonly string[]) => string
}

/** Renders a page with what it was rendered with, so that it can hydrate before anything loads. */
const renderPage = async (
  { route, isText = false, showsSettings = false }: PublicPage,
  platform: PlatformContent | null,
): Promise<{ markup: string; data: PageData }> => {
  const texts = { ...TEXTS, ...platform?.texts }
  // The page may need these texts before the translator loads: the build renders in the light
  // scheme, online, for a visitor, without vehicle types. An empty text would move the page.
  const used = new Set([
    'light_mode',
    'offline',
    'settings_fetch_error',
    'setup_title',
    'try_again',
    'my_account',
    ...(route === screenPaths.home ? ['unavailable'] : []),
    ...(route === screenPaths.privacy ? ['privacy_contact'] : []),
  ])
  const i18n = makeInitialI18n(texts, (key) => used.add(key))
  const store = makeStore(prerenderServices)
  const settings = showsSettings ? (platform?.settings ?? null) : null
  const shownSettings = new Set<string>()
  if (settings)
    store.dispatch(liveSettings.restored(undefined, recordReads(settings, shownSettings)))
  // The reducer reads them all.
  shownSettings.clear()
  const { prelude } = await prerender(
    <PrerenderedPath path={route}>
      <Root store={store} i18n={i18n} />
    </PrerenderedPath>,
    // React would insert large parts with inline scripts, which the content security policy
    // refuses.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  )
  return {
    markup: await new Response(prelude).text(),
    data: {
      isText,
      texts: Object.fromEntries(
        [...used].flatMap((key) => (texts[key] ? [[key, texts[key]]] : [])),
      ),
      changedTexts: [...used].filter((key) => platform?.texts[key] !== undefined),
      settings,
      shownSettings: [...shownSettings] as (keyof Settings)[],
    },
  }
}

/** Returns the tags that describe a page to search engines and to apps that show links. */
const renderDescription = (
  { route, titleKey, descriptionKey, isUnlisted }: PublicPage,
  { site, platform }: BuiltSite,
) => {
  const appName = platform?.settings.appName ?? DEFAULT_APP_NAME
  const i18n = makeInitialI18n({ ...TEXTS, ...platform?.texts })
  const title = escapeHtml(i18n.t(titleKey, { appName }))
  const description = escapeHtml(i18n.t(descriptionKey, { appName }))
  const tags = [
    `<meta name="description" content="${description}" />`,
    `<meta property="og:title" content="${title}" />`,
    `<meta property="og:description" content="${description}" />`,
    '<meta property="og:type" content="website" />',
    `<meta property="og:site_name" content="${escapeHtml(appName)}" />`,
    `<meta property="og:image" content="${site}/icons/share.jpg" />`,
    '<meta name="twitter:card" content="summary_large_image" />',
    ...(site && !isUnlisted
      ? [
          `<meta property="og:url" content="${site}${route}" />`,
          `<link rel="canonical" href="${site}${route}" />`,
        ]
      : []),
  ]
  return { title, tags: tags.join('\n    ') }
}

/**
 * Returns the HTML of every public page, plus `app.html`, the empty shell for all other routes.
 * There is a sitemap only when the address of the site is known, because it needs absolute URLs.
 */
export const prerenderPages = async (
  shell: string,
  built: BuiltSite,
): Promise<Record<string, string>> => {
  const { site, robots, platform, linkFilesOf } = built
  const addLinks = (sources: readonly string[]) =>
    shell.replace('</head>', () => `${linkFilesOf(sources)}</head>`)
  const files: Record<string, string> = { 'app.html': addLinks([APP]) }
  for (const page of PUBLIC_PAGES) {
    const { file, route, isText, source } = page
    const { markup, data } = await renderPage(page, platform)
    const { title, tags } = renderDescription(page, built)
    const json = JSON.stringify(data).replace(/</g, '\\u003c')
    files[file] = (isText ? shell : addLinks(source ? [APP, source] : [APP]))
      .replace(
        '<div id="root"></div>',
        () =>
          `<div id="root" data-page="${route}">${markup}</div>\n    <script id="page-data" type="application/json">${json}</script>`,
      )
      .replace(/<title>.*?<\/title>/, () => `<title>${title}</title>`)
      .replace(/<meta\s+name="description"[\s\S]*?\/>/, () => tags)
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
    ...PUBLIC_PAGES.filter(({ isUnlisted }) => !isUnlisted).map(
      ({ route }) => `  <url><loc>${escapeHtml(site + route)}</loc></url>`,
    ),
    '</urlset>',
    '',
  ].join('\n')
