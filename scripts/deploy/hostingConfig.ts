import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

interface HeaderRule {
  source?: string
  regex?: string
  headers: { key: string; value: string }[]
}
export interface HostingConfig {
  headers: HeaderRule[]
  [setting: string]: unknown
}

const escapeRegex = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const formatAlternatives = (parts: readonly string[]) =>
  parts.length === 1 ? (parts[0] ?? '') : `(${parts.join('|')})`

/**
 * Returns an expression for exactly the files below a folder. Folders with the same content, such
 * as the columns of map tiles, share one part of it. Returns null when there is no file.
 */
export const createFilesRegex = (folder: string): string | null => {
  if (!existsSync(folder)) return null
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )
  const parts: string[] = []
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => escapeRegex(name))
  if (files.length > 0) parts.push(formatAlternatives(files))
  const namesByContent = new Map<string, string[]>()
  for (const entry of entries) {
    if (!entry.isDirectory()) continue
    const below = createFilesRegex(join(folder, entry.name))
    if (below === null) continue
    namesByContent.set(below, [...(namesByContent.get(below) ?? []), escapeRegex(entry.name)])
  }
  for (const [below, names] of namesByContent) parts.push(`${formatAlternatives(names)}/${below}`)
  return parts.length === 0 ? null : formatAlternatives(parts)
}

const LIFETIMES: Readonly<Record<string, string>> = {
  assets: 'public, max-age=31536000, immutable',
  maps: 'public, max-age=86400',
  images: 'public, max-age=86400',
}

/**
 * Adds how long browsers keep each file of the site. Names each file, because a rule for a folder
 * also applies to responses with status 404: after a deployment an open page asks for a script that
 * is gone, and must not keep that response when a rollback brings the script back.
 */
export const addCacheHeaders = (hosting: HostingConfig, site: string): HostingConfig => ({
  ...hosting,
  headers: [
    ...hosting.headers,
    ...Object.entries(LIFETIMES).flatMap(([folder, value]) => {
      const files = createFilesRegex(join(site, folder))
      if (files === null) return []
      return [{ regex: `^/?${folder}/${files}$`, headers: [{ key: 'Cache-Control', value }] }]
    }),
  ],
})

/** Adds sources to directives of the content security policy. */
export const allowSources = (
  hosting: HostingConfig,
  sources: Readonly<Record<string, string>>,
): HostingConfig => ({
  ...hosting,
  headers: hosting.headers.map((rule) => ({
    ...rule,
    headers: rule.headers.map(({ key, value }) => ({
      key,
      value:
        key === 'Content-Security-Policy'
          ? Object.entries(sources).reduce(
              (policy, [directive, added]) =>
                policy.replace(`${directive} `, `${directive} ${added} `),
              value,
            )
          : value,
    })),
  })),
})

/** Addresses of a site's configuration that its content security policy must allow. */
export interface SiteAddresses {
  functionsUrl: string
  firebase: { authDomain: string }
}

/** Returns the sources of a project that the policy for every project does not contain. */
export const getProjectSources = ({
  functionsUrl,
  firebase: { authDomain },
}: SiteAddresses): Record<string, string> => {
  const { origin, hostname } = new URL(functionsUrl)
  return {
    ...(!hostname.endsWith('.cloudfunctions.net') && { 'connect-src': origin }),
    ...(!authDomain.endsWith('.firebaseapp.com') && { 'frame-src': `https://${authDomain}` }),
  }
}
