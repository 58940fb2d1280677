import { useTranslation } from 'react-i18next'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { useDirectory, useFleetDrivers } from '~/src/features/users/directory'
import { SelectInput } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'

/** The value of the choice that is not made yet; an empty value means no fleet. */
const UNDECIDED = '?'
const MAX_FLEET_ADMINS = 200

/**
 * Asks who takes over the drivers of a fleet admin whose account is deleted; renders nothing
 * without drivers.
 */
export const DriversTakeover = ({
  fleetAdmin,
  knownCount,
  chosenFleetAdmin,
  onChoose,
}: {
  /** The uid of the account. */
  fleetAdmin: string
  /** Number of drivers that a refused deletion named. */
  knownCount: number
  /** The uid of a fleet admin, empty for no fleet, or undefined without a decision. */
  chosenFleetAdmin: string | undefined
  onChoose: (uid: string | undefined) => void
}) => {
  const { t } = useTranslation()
  const { drivers } = useFleetDrivers(fleetAdmin)
  const count = Math.max(drivers.length, knownCount)
  const { entries } = useDirectory({
    usertype: 'fleetadmin',
    size: count > 0 ? MAX_FLEET_ADMINS : 0,
  })
  if (count === 0) return null
  return (
    <>
      <p role="alert">
        <Icon name="warning" />
        {t('drivers_left', { drivers: count })}
      </p>
      <SelectInput
        label={t('drivers_to')}
        value={chosenFleetAdmin ?? UNDECIDED}
        onChange={({ target }) => onChoose(target.value === UNDECIDED ? undefined : target.value)}
      >
        <option value={UNDECIDED} disabled>
          {t('drivers_to_choose')}
        </option>
        {entries
          .filter(({ id }) => id !== fleetAdmin)
          .map((admin) => (
            <option key={admin.id} value={admin.id}>
              {formatFullName(admin)}
            </option>
          ))}
        <option value="">{t('drivers_to_none')}</option>
      </SelectInput>
    </>
  )
}
