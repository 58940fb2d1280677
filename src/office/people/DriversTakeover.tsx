import { useTranslation } from 'react-i18next'
import type { DirectoryEntry } from '~/domain/entities'
import { formatFullName } from '~/domain/userAccounts'
import { SelectInput } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'

/** The value of the choice that is not made yet; an empty value means no fleet. */
const UNDECIDED = '?'

/** Asks who takes over the drivers of a fleet admin whose account is deleted. */
export const DriversTakeover = ({
  count,
  fleetAdmins,
  chosen,
  onChoose,
}: {
  /** Number of drivers. */
  count: number
  fleetAdmins: readonly (Pick<DirectoryEntry, 'firstName' | 'lastName'> & { id: string })[]
  /** The uid of a fleet admin, empty for no fleet, or undefined without a decision. */
  chosen: string | undefined
  onChoose: (uid: string | undefined) => void
}) => {
  const { t } = useTranslation()
  return (
    <>
      <p role="alert">
        <Icon name="warning" />
        {t('drivers_left', { drivers: count })}
      </p>
      <SelectInput
        label={t('drivers_to')}
        value={chosen ?? UNDECIDED}
        onChange={({ target }) => onChoose(target.value === UNDECIDED ? undefined : target.value)}
      >
        <option value={UNDECIDED} disabled>
          {t('drivers_to_choose')}
        </option>
        {fleetAdmins.map((admin) => (
          <option key={admin.id} value={admin.id}>
            {formatFullName(admin)}
          </option>
        ))}
        <option value="">{t('drivers_to_none')}</option>
      </SelectInput>
    </>
  )
}
