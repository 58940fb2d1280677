import type { Settings } from '~/domain/catalog/types'

/** The data that a public page was built with. It comes with the page. */
export interface PageData {
  /** True for a page of text, which needs the app only once a visitor acts. */
  isText: boolean
  /** The texts of the page in the language of its markup, by key. */
  texts: Record<string, string>
  /** The keys of those that the platform had changed. */
  changedTexts: string[]
  /** The platform's settings at that time; null when they were not known. */
  settings: Settings | null
  /** The settings that the page shows. */
  shownSettings: (keyof Settings)[]
}

/** The content that a platform's public pages show. */
export interface PlatformContent {
  settings: Settings
  /** The texts of the language of the pages that differ from the shipped ones, by key. */
  texts: Record<string, string>
}

/** The language of the markup. */
export const BUILT_LOCALE = 'en'

const getContainer = () => document.getElementById('root') as HTMLElement

/** Returns what the page was built with; null for a page that has no markup of its own. */
export const readPageData = (): PageData | null => {
  const json = document.getElementById('page-data')?.textContent
  // A server may return the markup of one page for another address.
  return json && getContainer().dataset.page === window.location.pathname
    ? (JSON.parse(json) as PageData)
    : null
}
