import { useTranslation } from 'react-i18next'
import { shouldHideContacts } from '~/domain/access/permissions'
import { toTelLink } from '~/src/ui/format/telLink'
import { formatContact } from './contactFormat'
import type { Settings } from '~/domain/catalog/types'

/** Shows a phone number as a link that calls it; while contacts are hidden, only says so. */
export const PhoneLink = ({
  phone,
  settings,
}: {
  phone: string | undefined
  settings: Settings
}) => {
  const { t } = useTranslation()
  const formattedPhone = formatContact(phone, settings, t)
  if (shouldHideContacts(settings)) return <span>{formattedPhone}</span>
  if (!phone) return null
  return (
    <a href={toTelLink(phone)}>
      <bdi dir="ltr">{formattedPhone}</bdi>
    </a>
  )
}
