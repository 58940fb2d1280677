// The parameters, secrets and resources of deployed functions. `firebase deploy` asks for each
// missing parameter and secret, and refuses without a terminal. The emulator needs none of them.
import { defineSecret, defineString, select } from 'firebase-functions/params'
import { BASIC_AUTH_PATTERN, DEFAULT_REGION, ORIGINS_PATTERN, REGIONS } from './deploymentValues'

const isLocal = process.env.FUNCTIONS_EMULATOR === 'true'

const declareParams = () => {
  defineSecret('KERBSIDE_SALT', {
    description:
      'Key of the hashes of callers’ addresses and phone numbers. Make one with `openssl rand -hex 32`. Never change it.',
  })
  defineSecret('KERBSIDE_SETUP_SECRET', {
    description:
      'The password of `/setup`, so that the first visitor cannot become the admin. Make one with `openssl rand -hex 16`.',
  })
  defineSecret('KERBSIDE_GOOGLE_MAPS_KEY', {
    description: 'Google’s server key for maps. Enter `none` to use the bundled city.',
  })
  defineSecret('KERBSIDE_CALLER_KEY', {
    description:
      'The key with which a telephone system announces calls to the office. Make one with `openssl rand -hex 16`, or enter `none`.',
  })
  defineSecret('PAYMENT_KEYS', {
    description:
      'The keys of the payment providers, as JSON by name. Enter `{}` to start without providers.',
  })
  defineSecret('MESSAGE_KEYS', {
    description:
      'The keys of the SMS, e-mail and WhatsApp services, as JSON. Enter `{}` to start without them.',
  })
  defineString('KERBSIDE_ORIGINS', {
    description:
      'Addresses of the site, separated by commas, such as `https://acme-taxis.web.app`. Payers return to the first.',
    input: {
      text: {
        example: 'https://acme-taxis.web.app',
        validationRegex: ORIGINS_PATTERN,
        validationErrorMessage:
          'Enter addresses such as https://acme-taxis.web.app, without paths.',
      },
    },
  })
  defineString('KERBSIDE_MAPS_BASIC_AUTH', {
    description:
      'The `user:password` that visitors’ pages send with map requests. Every page contains it.',
    input: {
      text: {
        example: 'kerbside:4f1c0a',
        validationRegex: BASIC_AUTH_PATTERN,
        validationErrorMessage:
          'Enter user:password, with at least six characters after the colon.',
      },
    },
  })
  return defineString('KERBSIDE_REGION', {
    default: DEFAULT_REGION,
    description: 'The region of the database. The functions run there too.',
    input: select([...REGIONS]),
  })
}

/** The region of every function: a parameter of the deployment, and fixed in the emulator. */
const region = isLocal ? DEFAULT_REGION : declareParams()

/** Returns the secrets to bind to a function. The emulator has none. */
const bind = (names: readonly string[]): string[] => (isLocal ? [] : [...names])

const SALT_SECRETS = ['KERBSIDE_SALT']
/** Only `setup` receives the password of the first admin. */
export const SETUP_SECRETS = ['KERBSIDE_SETUP_SECRET']

/** The key of the telephone system. */
export const CALLER_SECRETS = ['KERBSIDE_CALLER_KEY']

/**
 * Google's server key, for projects that use Google's maps. Only functions that look up places and
 * routes receive it. The list has the name instead of `defineSecret`, which requires a value
 * wherever the code is loaded, and local mode has none.
 */
export const MAPS_SECRETS = ['KERBSIDE_GOOGLE_MAPS_KEY']

/**
 * One secret holds every provider's keys as JSON by name. Only the payment functions receive it.
 */
export const PAYMENT_SECRETS = ['PAYMENT_KEYS']

/**
 * One secret holds the keys of all message services as JSON. Only the functions that send receive
 * it.
 */
export const MESSAGE_SECRETS = ['MESSAGE_KEYS']

/**
 * Options of a function for calls over HTTP. A new project may use 20 processors in a region, so
 * neither one function at its largest nor all functions at their smallest exceed that
 * (docs/deploying.md has the sum).
 */
export const httpOptions = (secrets: readonly string[] = []) => ({
  region,
  cpu: 1,
  memory: '512MiB' as const,
  concurrency: 80,
  maxInstances: 10,
  secrets: bind([...SALT_SECRETS, ...secrets]),
})

/** Options of a database trigger: a sixth of a processor, one event at a time. */
export const eventOptions = {
  region,
  cpu: 'gcf_gen1' as const,
  memory: '256MiB' as const,
  concurrency: 1,
  maxInstances: 20,
}

/** Options of the trigger of uploads: those of a database trigger, in the region of the bucket. */
export const uploadOptions = {
  cpu: eventOptions.cpu,
  memory: eventOptions.memory,
  concurrency: eventOptions.concurrency,
  maxInstances: eventOptions.maxInstances,
}

/** Options of a database trigger that receives secrets. */
export const secretEventOptions = (secrets: readonly string[]) => ({
  ...eventOptions,
  secrets: bind(secrets),
})

/** Options of a database trigger that offers bookings to drivers, for which it needs the map. */
export const dispatchOptions = (secrets: readonly string[]) => ({
  ...secretEventOptions(secrets),
  memory: '512MiB' as const,
})

/** Options of a scheduled job: a third of a processor, one instance at a time. */
export const scheduleOptions = (secrets: readonly string[] = []) => ({
  region,
  cpu: 'gcf_gen1' as const,
  memory: '512MiB' as const,
  concurrency: 1,
  maxInstances: 1,
  secrets: bind(secrets),
})
