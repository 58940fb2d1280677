import type { TFunction } from 'i18next'
import type { Settings } from '~/domain/entities'
import { hidesContacts } from '~/domain/permissions'

/** A phone number or an e-mail as the back office may show it. */
export const contactShown = (
  value: string | undefined,
  settings: Pick<Settings, 'AllowCriticalEditsAdmin'> | null,
  t: TFunction,
): string => (value && settings && hidesContacts(settings) ? t('hidden_for_demo') : (value ?? ''))
