import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { BASIC_AUTH_PATTERN, ORIGINS_PATTERN, REGIONS } from '~/functions/src/deploymentValues'

/** The values of a project's file, by name. */
export type ProjectSettings = Readonly<Record<string, string | undefined>>

/** Returns the name of the file that holds the settings of a project. */
export const getSettingsFile = (projectId: string): string => `functions/.env.${projectId}`

/** Reads the settings of a project, as firebase-tools does. */
export const readProjectSettings = (root: string, projectId: string): ProjectSettings =>
  Object.assign(
    {},
    ...['functions/.env', getSettingsFile(projectId)]
      .map((file) => join(root, file))
      .filter((file) => existsSync(file))
      .map((file) => parseEnv(readFileSync(file, 'utf8'))),
  ) as ProjectSettings

/** Values that the documentation shows, and values of a template that was not filled in. */
const PLACEHOLDER_PATTERN = /…|\.\.\.|<|>|change.?me|your[-_ ]|\bexample\b|\btodo\b|\bxxx/i
/** The project of the documentation. */
const SAMPLE_PROJECT = 'acme-taxis'

/** Returns true for a value of a template or of the documentation. */
export const isPlaceholder = (value: string, projectId: string): boolean =>
  PLACEHOLDER_PATTERN.test(value) ||
  (projectId !== SAMPLE_PROJECT && value.includes(SAMPLE_PROJECT))

interface Setting {
  name: string
  isRequired?: boolean
  pattern: RegExp
  expected: string
}
const URL_PATTERN = /^https:\/\/[^\s/]+[^\s]*[^\s/]$/
const SETTINGS: readonly Setting[] = [
  {
    name: 'KERBSIDE_ORIGINS',
    isRequired: true,
    pattern: new RegExp(ORIGINS_PATTERN),
    expected: 'addresses that begin with https://, without a path, separated by commas',
  },
  {
    name: 'KERBSIDE_MAPS_BASIC_AUTH',
    isRequired: true,
    pattern: new RegExp(BASIC_AUTH_PATTERN),
    expected: 'user:password with at least six characters after the colon',
  },
  {
    name: 'KERBSIDE_REGION',
    isRequired: true,
    pattern: new RegExp(`^(${REGIONS.join('|')})$`),
    expected: `the region of the database: ${REGIONS.join(', ')}`,
  },
  {
    name: 'KERBSIDE_FUNCTIONS_URL',
    pattern: URL_PATTERN,
    expected: 'an address that begins with https:// and does not end with a slash',
  },
  {
    name: 'KERBSIDE_WEB_URL',
    pattern: URL_PATTERN,
    expected: 'an address that begins with https:// and does not end with a slash',
  },
  {
    name: 'KERBSIDE_AUTH_DOMAIN',
    pattern: /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i,
    expected: 'a domain such as login.acme.com, without https://',
  },
  {
    name: 'KERBSIDE_APP_CHECK_SITE_KEY',
    pattern: /^6L[\w-]{30,}$/,
    expected: 'the site key of reCAPTCHA Enterprise, which begins with 6L',
  },
  {
    name: 'KERBSIDE_GOOGLE_MAPS_BROWSER_KEY',
    pattern: /^AIza[\w-]{35}$/,
    expected: 'a browser key, which begins with AIza',
  },
  {
    name: 'KERBSIDE_VAPID_KEY',
    pattern: /^B[\w-]{86}$/,
    expected: 'the public key of the Web Push certificates, which has 87 characters',
  },
  {
    name: 'KERBSIDE_APP_NAME',
    pattern: /^(?=.*\S)[^\p{Cc}]{1,30}$/u,
    expected: 'the name below the icon of the installed app, at most 30 characters',
  },
  {
    name: 'KERBSIDE_PROXY_COUNT',
    pattern: /^[0-3]$/,
    expected: 'the number of proxies that add an address after the caller’s, 0 to 3',
  },
]
/** Values that live in Secret Manager only. */
const SECRETS = [
  'KERBSIDE_SALT',
  'KERBSIDE_SETUP_SECRET',
  'KERBSIDE_GOOGLE_MAPS_KEY',
  'KERBSIDE_CALLER_KEY',
  'PAYMENT_KEYS',
  'MESSAGE_KEYS',
]

/**
 * Returns a sentence for each setting that must not be deployed. A missing setting counts only with
 * `isComplete`, because the deployment of the functions asks for it.
 */
export const findSettingProblems = (
  settings: ProjectSettings,
  projectId: string,
  { isComplete }: { isComplete: boolean },
): string[] => {
  const file = getSettingsFile(projectId)
  const wrong = SETTINGS.flatMap(({ name, isRequired = false, pattern, expected }) => {
    const value = settings[name]
    if (value === undefined)
      return isComplete && isRequired ? [`${name} is missing. Add it to ${file}: ${expected}.`] : []
    if (value !== '' && isPlaceholder(value, projectId))
      return [`${name} in ${file} is still a placeholder. Enter ${expected}.`]
    if (value === '' && !isRequired) return []
    return pattern.test(value) ? [] : [`${name} in ${file} is not valid. Enter ${expected}.`]
  })
  const exposed = SECRETS.filter((name) => settings[name] !== undefined).map(
    (name) =>
      `${name} is a secret, and ${file} is not the place for it. Store its value with ` +
      `\`npx firebase functions:secrets:set ${name} --project ${projectId}\` and delete the line.`,
  )
  return [...wrong, ...exposed]
}
