import { createCallable } from './http/callable'
import { syncRoleClaim } from './services/users/roleClaims'
import { callables, httpGet, httpPost, mapsProxies } from './endpoints/registry'
import type { EndpointDefinition } from './http/endpointTypes'
import { OTHER_LIMITS } from './services/limitTable'
import { createHttpEndpoint } from './http/httpEndpoint'
import { syncRole, syncDirectoryEntry } from './services/users/directorySync'
import { PROVIDER_IDS } from '~/domain/payments/providers'
import {
  checkoutHandler,
  returnHandler,
  webhookHandler,
} from './endpoints/payments/pages/httpHandlers'
import {
  onAuditedValueWritten,
  onChatMessageCreated,
  driverAvailable,
  onFileUploaded,
  onMessageCreated,
  endOfShift,
  maintenancePass,
  scheduledFileCleanup,
  scheduledMaintenance,
} from './triggers/triggers'
import { createDependencies, createLocalStores } from './dependencies'
import { localMessagesHandler } from './endpoints/messages/localMessages'
import { readMessageKeys } from './messageKeys'
import { createOutboxSender } from './services/messages/outboxSender'
import { messageWebhookHandler } from './endpoints/messages/webhookHandler'

// Express rejects broken JSON before our code runs, and reveals our file paths unless it knows that
// this is production.
process.env.NODE_ENV ||= 'production'

const ports = createDependencies(process.env)
const { isLocal, bucket } = ports.config

/** Creates a function for each definition, under its name. */
const createEach = <Definition, Created>(
  definitions: Readonly<Record<string, Definition>>,
  create: (definition: Definition) => Created,
): Record<string, Created> =>
  Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [name, create(definition)]),
  )

/**
 * Deployed as audit_trail-settings and similar names. `approved` is created and removed together
 * with a user's record, so this trigger also lists a person and sets their role when a console or
 * an import bypasses the functions.
 */
const auditTrail = {
  settings: onAuditedValueWritten('settings', ports),
  cartypes: onAuditedValueWritten('cartypes/{id}', ports),
  promos: onAuditedValueWritten('promos/{id}', ports),
  languages: onAuditedValueWritten('languages/{id}', ports),
  cancel_reason: onAuditedValueWritten('cancel_reason', ports),
  notifications: onAuditedValueWritten('notifications/{id}', ports),
  approved: onAuditedValueWritten('users/{id}/approved', ports, async (db, id) => {
    await Promise.all([syncDirectoryEntry(db, id), syncRole(db, id), syncRoleClaim(ports, id)])
  }),
  usertype: onAuditedValueWritten('users/{id}/usertype', ports, async (db, id) => {
    await Promise.all([syncRole(db, id), syncRoleClaim(ports, id)])
  }),
  fleetadmin: onAuditedValueWritten('users/{id}/fleetadmin', ports, syncDirectoryEntry),
  cartype_of: onAuditedValueWritten('users/{id}/carType', ports),
}

const rateLimitedNames = [
  ...[callables, httpPost, httpGet, mapsProxies].flatMap(
    (group: Record<string, { name: string }>) => Object.values(group).map(({ name }) => name),
  ),
  ...PROVIDER_IDS.map((provider) => `pay_${provider}`),
  'payment_return',
  'payment_webhook',
  'message_webhook',
  ...Object.values(OTHER_LIMITS).map(({ name }) => name),
]

/** Every function of the platform by its name; undefined for those that this environment lacks. */
export const functions = {
  ...createEach<EndpointDefinition, unknown>(callables, (one) => createCallable(one, ports)),
  ...createEach<EndpointDefinition, unknown>(httpPost, (one) => createHttpEndpoint(one, ports)),
  ...createEach<EndpointDefinition, unknown>(httpGet, (one) =>
    createHttpEndpoint(one, ports, 'GET'),
  ),
  /** Deployed as googleapis-getaddress and similar names. */
  googleapis: createEach<EndpointDefinition, unknown>(mapsProxies, (one) =>
    createHttpEndpoint(one, ports),
  ),
  // For browsers and payment providers: pages, redirects and messages instead of our JSON. The test
  // provider exists in local mode only.
  ...Object.fromEntries(
    PROVIDER_IDS.filter((provider) => isLocal || provider !== 'test').map((provider) => [
      `pay_${provider}`,
      checkoutHandler(provider, ports),
    ]),
  ),
  payment_return: returnHandler(ports),
  payment_webhook: webhookHandler(ports),
  message_webhook: messageWebhookHandler(ports, () => readMessageKeys(process.env)),
  // The inbox of local mode.
  local_messages: isLocal
    ? localMessagesHandler(createLocalStores(process.env), ports.texts)
    : undefined,
  audit_trail: auditTrail,
  notify_of_message: onChatMessageCreated(ports),
  send_message: onMessageCreated(createOutboxSender(ports)),
  end_of_shift: endOfShift(ports),
  driver_available: driverAvailable(ports),
  sweep: scheduledMaintenance(ports, rateLimitedNames),
  // The local timer runs the whole maintenance every 15 seconds instead.
  sweep_pass: isLocal ? undefined : maintenancePass(ports),
  sweep_files: scheduledFileCleanup(ports),
  // A project without a bucket has no uploads. The local file store calls no trigger.
  check_upload: bucket ? onFileUploaded(ports, bucket) : undefined,
}
