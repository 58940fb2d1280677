import { eraseClosedAccounts } from '../../services/users/accountErasure'
import { continueBroadcasts } from '../../services/jobs/broadcast'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { removeFilesOverQuota, removeUnusedFiles } from '../../services/jobs/fileCleanup'
import { publishProviderStep } from '../../services/payments/providerLimits'
import { reconcilePayments } from '../../services/payments/paymentReconciliation'
import { MAPS_SECRETS, MESSAGE_SECRETS, PAYMENT_SECRETS } from '../../deployment'
import { createOutboxSender } from '../../services/messages/outboxSender'
import { fail } from '../../domainException'
import { runMaintenance, type MaintenanceResult } from '../../services/jobs/maintenance'
import type { Ports } from '../../ports/ports'

/** Milliseconds between two looks at a run that is under way, and the number of looks. */
const WAIT_MS = 250
const MAX_WAITS = 160

/** Runs the maintenance as soon as no other run does. */
const runWhenFree = async (ports: Ports): Promise<MaintenanceResult> => {
  for (let waits = 0; waits <= MAX_WAITS; waits++) {
    const swept = await runMaintenance(ports, ports.clock.now())
    if (swept) return swept
    await ports.clock.wait(WAIT_MS)
  }
  return fail('changed_meanwhile')
}

/**
 * Runs the scheduled maintenance immediately. Used where no scheduler runs, and by the list of
 * stuck bookings in the back office.
 */
export const run_sweep = defineUserEndpoint({
  name: 'run_sweep',
  summary:
    'Runs the maintenance job of every minute at once, which also makes the recurring bookings that are due, and returns the bookings that it changed or found stuck. With `files`, also checks stored files when that is due, and the new files of people who have more than they may.',
  allow: ['admin'],
  limit: 30,
  spends: ['maps', 'messages', 'payments'],
  secrets: [...PAYMENT_SECRETS, ...MAPS_SECRETS, ...MESSAGE_SECRETS],
  needsFreshSignIn: false,
  errors: ['changed_meanwhile'],
  async handle({ files }, ports) {
    const [{ expired, dispatched, reminded, stuck }, payments] = await Promise.all([
      runWhenFree(ports),
      reconcilePayments(ports, ports.now),
      files && removeUnusedFiles(ports, ports.now),
      files && removeFilesOverQuota(ports, ports.now),
      publishProviderStep(ports),
    ])
    await continueBroadcasts(ports, ports.now)
    await createOutboxSender(ports).deliverDue()
    await eraseClosedAccounts(ports, ports.now)
    return { expired, dispatched, reminded, stuck, payments: payments.settled }
  },
})
