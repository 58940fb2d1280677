import type { TFunction } from 'i18next'
import { shouldHideContacts } from '~/domain/access/permissions'
import type { Settings } from '~/domain/catalog/types'

/**
 * Formats a phone number or an email address as the back office may show it. In demo mode it reads
 * none.
 */
export const formatContact = (
  value: string | undefined,
  settings: Pick<Settings, 'AllowCriticalEditsAdmin'> | null,
  t: TFunction,
): string => (settings && shouldHideContacts(settings) ? t('hidden_for_demo') : (value ?? ''))
