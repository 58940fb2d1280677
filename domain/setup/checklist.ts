import type { OperatorDetails } from '../messages/operator'
import type { Settings } from '../catalog/types'

/** The steps that remain for a new company after the setup, in the order of the dashboard. */
export const CHECKLIST_STEPS = [
  'prices',
  'driver',
  'company',
  'legal',
  'receipts',
  'alerts',
  'payments',
  'maps',
] as const
export type ChecklistStep = (typeof CHECKLIST_STEPS)[number]

/** The state of a new company that the dashboard knows; undefined while it loads. */
export interface ChecklistFacts {
  settings: Pick<Settings, 'contact_email' | 'CompanyTerms' | 'restrictCountry' | 'setupChecklist'>
  messages: (OperatorDetails & { officeMobile?: string }) | undefined
  hasProvider: boolean | undefined
  hasApprovedDriver: boolean | undefined
  /** True when the deployment has maps of its own instead of the bundled city. */
  hasOwnMaps: boolean
}

/** The country of the bundled city, which needs no other maps. */
const BUNDLED_COUNTRY = 'UY'

/** Returns whether each step is done; undefined while that is not known. */
export const getChecklist = ({
  settings,
  messages,
  hasProvider,
  hasApprovedDriver,
  hasOwnMaps,
}: ChecklistFacts): Record<ChecklistStep, boolean | undefined> => ({
  prices: settings.setupChecklist === 'priced',
  driver: hasApprovedDriver,
  company: settings.contact_email !== '',
  legal: settings.CompanyTerms !== '',
  receipts: messages && Boolean(messages.address),
  alerts: messages && Boolean(messages.officeMobile),
  payments: hasProvider,
  maps: hasOwnMaps || settings.restrictCountry === BUNDLED_COUNTRY,
})
