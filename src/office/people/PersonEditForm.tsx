import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roundAmount } from '~/domain/money/money'
import { dbPaths } from '~/domain/data/databasePaths'
import { formatFullName } from '~/domain/accounts/userAccounts'
import type { DomainError } from '~/domain/api/errors'
import { homeCountry } from '~/src/features/settings/countries'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useDirectory } from '~/src/features/users/directory'
import { addUser, deleteUser, editUser } from '~/src/features/users/users'
import { canDeleteAccount, DeletionBalance } from '~/src/features/users/DeletionBalance'
import { endSessions } from '~/src/features/auth/account'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Button } from '~/src/ui/controls'
import { Money } from '~/src/ui/format/format'
import { EditPanel } from '~/src/office/recordPages/EditPage'
import { ReadOnlyValue, Section, SelectField, SwitchField, TextField } from '~/src/ui/forms/fields'
import { PhoneField } from '~/src/ui/forms/PhoneField'
import type { BindField } from '~/src/ui/forms/useSchemaForm'
import { confirmLeave } from '~/src/ui/navigation/unsavedChanges'
import { useSingleRun } from '~/src/ui/useSingleRun'
import { AuditTrail } from '../audit/AuditTrail'
import { DriversTakeover } from './DriversTakeover'
import { useEditAuthors } from '../audit/useEditAuthors'
import { formatContact } from '../contactFormat'
import { PhoneLink } from '../PhoneLink'
import { useOfficeSession } from '../useOfficeSession'
import css from './people.module.css'
import {
  describePerson,
  editForm,
  type EditedPerson,
  getSentFields,
  type PersonForm,
  personForm,
  toPersonForm,
} from './personForm'
import type { PersonPart } from './personParts'
import type { User } from '~/domain/accounts/types'
import type { UserType } from '~/domain/access/types'

const TITLE_KEYS: Record<UserType, string> = {
  rider: 'rider',
  driver: 'driver',
  fleetadmin: 'fleet_admin',
  admin: 'admin',
}

interface SectionProps {
  edited: EditedPerson
  field: BindField<PersonForm>
}

const EndSessionsButton = ({ person }: { person: User }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { notify, canOrNotify } = useOfficeSession()
  const { busy, run } = useSingleRun()
  const end = async () => {
    if (!canOrNotify('sessions_end')) return
    const result = await dispatch(endSessions(person.id))
    if (endSessions.fulfilled.match(result))
      notify('sessions_ended', { name: formatFullName(person) })
  }
  return (
    <Button busy={busy} onClick={() => void run(end)}>
      {t('sessions_end')}
    </Button>
  )
}

/** Asks for name, contact and approval. */
const PersonSection = ({ edited: { person, isAdmin, maySet }, field }: SectionProps) => {
  const { t } = useTranslation()
  const { settings } = useOfficeSession()
  const home = useMemo(() => homeCountry(settings), [settings])
  return (
    <Section title={t('person')}>
      <TextField label={t('firstName')} {...field('firstName')} />
      <TextField label={t('lastName')} {...field('lastName')} />
      {person ? (
        <>
          <ReadOnlyValue label={t('mobile')}>
            {settings && <PhoneLink phone={person.mobile} settings={settings} />}
          </ReadOnlyValue>
          <ReadOnlyValue label={t('email')}>
            <bdi dir="ltr">{formatContact(person.email, settings, t)}</bdi>
          </ReadOnlyValue>
        </>
      ) : (
        <>
          <PhoneField
            label={t('mobile')}
            home={home}
            canChooseCountry={settings?.AllowCountrySelection !== false}
            {...field('mobile')}
          />
          <TextField label={t('email')} type="email" {...field('email')} />
        </>
      )}
      {isAdmin && (
        <SwitchField label={t('approved')} disabled={!maySet('approved')} {...field('approved')} />
      )}
    </Section>
  )
}

interface Option {
  value: string
  label: string
}

/** Asks for a driver's vehicle and their fleet admin. */
const VehicleSection = ({ edited: { person, isAdmin, maySet }, field }: SectionProps) => {
  const { t } = useTranslation()
  const { cars } = useLive(liveVehicleTypes)
  const getTypeName = useVehicleTypeName()
  const { entries: fleetAdmins } = useDirectory({
    usertype: 'fleetadmin',
    size: isAdmin ? 200 : 0,
  })
  const none = { value: '', label: t('none') }
  // The record's value remains an option even when it is not in the list.
  const chosenFrom = (now: string | undefined, options: Option[]): Option[] =>
    !now || options.some(({ value }) => value === now)
      ? [none, ...options]
      : [none, { value: now, label: now }, ...options]
  return (
    <Section title={t('vehicle')}>
      <SelectField
        label={t('car_type')}
        disabled={!maySet('carType')}
        options={chosenFrom(
          person?.carType,
          cars.map((car) => ({ value: car.id, label: getTypeName(car) })),
        )}
        {...field('carType')}
      />
      <TextField label={t('vehicle_make')} {...field('vehicleMake')} />
      <TextField label={t('vehicle_model')} {...field('vehicleModel')} />
      <TextField label={t('vehicle_no')} {...field('vehicleNumber')} />
      <TextField label={t('other_info')} multiline {...field('other_info')} />
      {isAdmin && (
        <SelectField
          label={t('fleetadmin')}
          options={chosenFrom(
            person?.fleetadmin,
            fleetAdmins.map((one) => ({ value: one.id, label: formatFullName(one) })),
          )}
          {...field('fleetadmin')}
        />
      )}
    </Section>
  )
}

const BankSection = ({ field }: Pick<SectionProps, 'field'>) => {
  const { t } = useTranslation()
  return (
    <Section title={t('bank')}>
      <TextField label={t('bank_name')} {...field('bankName')} />
      <TextField label={t('bank_code')} {...field('bankCode')} />
      <TextField label={t('bank_account')} {...field('bankAccount')} />
    </Section>
  )
}

/** Shows what else is known about a person: pay, wallet, sessions, changes. */
const RecordSections = ({
  person,
  edited: { usertype, isDriver, isAdmin },
  onPart,
}: {
  person: User
  edited: EditedPerson
  onPart: (part: PersonPart) => void
}) => {
  const { t } = useTranslation()
  const renderLink = (part: PersonPart, text: string): ReactNode => (
    <Button onClick={() => confirmLeave(() => onPart(part))}>{text}</Button>
  )
  return (
    <>
      {isDriver && isAdmin && (
        <Section title={t('reasons')}>{renderLink('reasons', t('reasons_open'))}</Section>
      )}
      {(usertype === 'driver' || usertype === 'rider') && (
        <Section title={t('wallet')}>
          <ReadOnlyValue label={t('wallet_balance')}>
            <Money amount={person.walletBalance ?? 0} />
          </ReadOnlyValue>
          <ReadOnlyValue label={t('referral_id')}>{person.referralId || t('none')}</ReadOnlyValue>
          {renderLink('wallet', t('wallet_history'))}
          {renderLink('documents', t('documents'))}
        </Section>
      )}
      {isAdmin && (
        <>
          <Section title={t('access')}>
            <p className={css.wide}>{t('sessions_end_office')}</p>
            <EndSessionsButton person={person} />
          </Section>
          <Section title={t('audit_of_record')}>
            <div className={css.wide}>
              <AuditTrail path={dbPaths.user(person.id)} />
            </div>
          </Section>
        </>
      )}
    </>
  )
}

/** Returns what deletes a person, and what it asks before. */
const usePersonRemoval = (person: User | null) => {
  const dispatch = useAppDispatch()
  const { notify, canOrNotify } = useOfficeSession()
  /** Number of drivers that a refused deletion named, and the fleet admin who takes them over. */
  const [driverCount, setDriverCount] = useState(0)
  const [driversTo, setDriversTo] = useState<string>()
  // The balance when the box was checked: the owner did not give up money credited later.
  const [waived, setWaived] = useState<number | null>(null)
  const [isKept, setKept] = useState(false)
  const balance = roundAmount(person?.walletBalance ?? 0, 6)
  const remove = async ({ id }: User) => {
    if (!canOrNotify('user_delete')) throw new Error('demo mode')
    if (!canDeleteAccount(balance, waived === balance)) {
      setKept(true)
      throw new Error('The wallet keeps the account.')
    }
    const decision = {
      ...(balance > 0 && { waive_balance: true, balance }),
      ...(driversTo !== undefined && { drivers_to: driversTo || null }),
    }
    try {
      await dispatch(deleteUser({ id, ...decision })).unwrap()
    } catch (error) {
      const { key, params = {} } = error as DomainError
      if (key === 'drivers_left') setDriverCount(Number(params.drivers))
      throw error
    }
    notify('person_deleted')
  }
  const questions = (
    <>
      <DeletionBalance
        balance={balance}
        label="waive_for_owner"
        isWaived={waived === balance}
        isMissing={isKept}
        onWaived={(isWaived) => setWaived(isWaived ? balance : null)}
      />
      {person?.usertype === 'fleetadmin' && (
        <DriversTakeover
          fleetAdmin={person.id}
          knownCount={driverCount}
          chosenFleetAdmin={driversTo}
          onChoose={setDriversTo}
        />
      )}
    </>
  )
  return { remove, questions }
}

/** Adds a person, or edits one. */
export const PersonEditForm = ({
  usertype,
  person,
  onPart,
  onAdded,
  onClose,
}: {
  usertype: UserType
  person: User | null
  onPart: (part: PersonPart) => void
  onAdded: (id: string) => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const session = useOfficeSession()
  const edited = describePerson(usertype, person, session)
  const authors = useEditAuthors(person ? dbPaths.user(person.id) : undefined)
  const added = useRef<string | null>(null)
  const { remove, questions } = usePersonRemoval(person)
  const save = async (values: PersonForm, changes: Partial<PersonForm>) => {
    const sentFields = getSentFields(edited, person ? changes : values)
    if (person) await dispatch(editUser.quiet({ id: person.id, changes: sentFields })).unwrap()
    else added.current = await dispatch(addUser.quiet({ ...sentFields, usertype })).unwrap()
    session.notify('saved')
  }
  return (
    <EditPanel<PersonForm>
      wide
      title={person ? formatFullName(person) || person.id : t(`add_${TITLE_KEYS[usertype]}`)}
      schema={person ? editForm : personForm}
      initial={toPersonForm(person)}
      onSave={save}
      {...authors}
      onClose={() => (added.current ? onAdded(added.current) : onClose())}
      removeAsks={questions}
      {...(person && edited.isPrivileged && { onRemove: () => remove(person) })}
    >
      {(field) => (
        <>
          <PersonSection edited={edited} field={field} />
          {edited.isDriver && <VehicleSection edited={edited} field={field} />}
          {edited.hasBank && <BankSection field={field} />}
          {person && <RecordSections person={person} edited={edited} onPart={onPart} />}
        </>
      )}
    </EditPanel>
  )
}
