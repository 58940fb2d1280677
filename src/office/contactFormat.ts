import type { TFunction } from 'i18next'
import type { Settings } from '~/domain/entities'
import { shouldHideContacts } from '~/domain/permissions'

/**
 * Formats a phone number or an email address as the back office may show it. In demo mode it reads
 * none.
 */
export const formatContact = (
  value: string | undefined,
  settings: Pick<Settings, 'AllowCriticalEditsAdmin'> | null,
  t: TFunction,
): string => (settings && shouldHideContacts(settings) ? t('hidden_for_demo') : (value ?? ''))
