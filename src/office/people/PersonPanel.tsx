import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import * as v from 'valibot'
import { type DriverForm, driverForm } from '~/domain/forms/userForms'
import { roundAmount } from '~/domain/money/money'
import { dbPaths } from '~/domain/data/databasePaths'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { shouldShowBankFields } from '~/domain/access/permissions'
import { ADMIN_CREDIT_REF, ADMIN_DEBIT, BOOKING_ENTRY_KEY } from '~/domain/money/wallet'
import type { DomainError } from '~/domain/api/errors'
import { translateReason } from '~/src/i18n/reasonTexts'
import { BookingReference } from '~/src/features/bookings/BookingReference'
import { homeCountry } from '~/src/features/settings/countries'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { vehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useDirectory } from '~/src/features/users/directory'
import { usePerson } from '~/src/features/users/person'
import { addUser, deleteUser, editUser } from '~/src/features/users/users'
import { canDeleteAccount, DeletionBalance } from '~/src/features/users/DeletionBalance'
import { endSessions } from '~/src/features/auth/account'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { Money, useFormat } from '~/src/ui/format'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import { EditPanel } from '~/src/office/recordPages/EditPage'
import { ReadOnlyValue, Section, SelectField, SwitchField, TextField } from '~/src/ui/forms/fields'
import { Panel } from '~/src/office/recordPages/Panel'
import { PhoneField } from '~/src/ui/forms/PhoneField'
import { EmptyState, ErrorState, SkeletonLines } from '~/src/ui/states'
import { confirmLeave } from '~/src/ui/unsavedChanges'
import { useSingleRun } from '~/src/ui/useSingleRun'
import { AuditTrail } from '../audit/AuditTrail'
import { DriversTakeover } from './DriversTakeover'
import { DriverParts } from '../offers/DriverParts'
import { useEditAuthors } from '../audit/useEditAuthors'
import { formatContact } from '../contactFormat'
import { PhoneLink } from '../PhoneLink'
import { useOfficeSession } from '../useOfficeSession'
import css from './people.module.css'
import { BANK_FIELDS, type User } from '~/domain/accounts/types'
import type { UserType } from '~/domain/access/types'

// One form serves all user types: fields that a type lacks are neither shown nor sent.
const personForm = v.object({ ...driverForm.entries, fleetadmin: v.optional(v.string()) })
type PersonForm = DriverForm & { fleetadmin?: string | undefined }
/** Only adding a person sets their mobile number and email. */
const editForm = v.object({
  ...v.omit(personForm, ['mobile', 'email']).entries,
  mobile: v.string(),
  email: v.string(),
})
const VEHICLE_FIELDS = [
  'vehicleMake',
  'vehicleModel',
  'vehicleNumber',
  'other_info',
  'carType',
] as const

/** Wallet entries per page, more than a person reads at once. */
const PAGE_SIZE = 50

const WalletPanel = ({ person }: { person: User }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const [limit, setLimit] = useState(PAGE_SIZE)
  const entries = Object.entries(person.walletHistory ?? {}).sort(([, a], [, b]) => b.date - a.date)
  return (
    <>
      <p className={css.balance}>
        {t('wallet_balance')} <strong>{format.money(person.walletBalance ?? 0)}</strong>
      </p>
      {entries.length === 0 ? (
        <EmptyState title={t('no_rows')} />
      ) : (
        <ul role="list" className={css.history} aria-label={t('wallet')}>
          {entries.slice(0, limit).map(([key, { type, amount, date, txRef, note, reason }]) => (
            <li key={key}>
              <span>
                {t(`wallet_${txRef === ADMIN_CREDIT_REF || txRef === ADMIN_DEBIT ? txRef : type}`)}{' '}
                <small>
                  {BOOKING_ENTRY_KEY.test(key) ? (
                    <Link to={screenPaths.booking(txRef)}>
                      <BookingReference id={txRef} />
                    </Link>
                  ) : (
                    txRef
                  )}
                </small>
                {reason && <small className={css.note}>{translateReason(reason, t)}</small>}
                {note && <small className={css.note}>{note}</small>}
              </span>
              <RelativeTime at={date} />
              <strong data-minus={type !== 'Credit' || undefined}>
                {format.money(type === 'Credit' ? amount : -amount)}
              </strong>
            </li>
          ))}
        </ul>
      )}
      {entries.length > limit && (
        <div>
          <Button size="small" onClick={() => setLimit(limit + PAGE_SIZE)}>
            {t('more')}
          </Button>
        </div>
      )}
    </>
  )
}

const DocumentsPanel = ({ person }: { person: User }) => {
  const { t } = useTranslation()
  const pictures = [
    { url: person.profile_image, name: t('profile_image') },
    { url: person.licenseImage, name: t('license_image') },
  ].filter(({ url }) => url)
  if (pictures.length === 0) return <EmptyState title={t('no_documents')} />
  return (
    <div className={css.pictures}>
      {pictures.map(({ url, name }) => (
        <a key={name} href={url} target="_blank" rel="noreferrer" className={css.picture}>
          <img src={url} alt={name} />
          <span>{name}</span>
        </a>
      ))}
    </div>
  )
}
const ReasonsPanel = ({ person }: { person: User & { id: string } }) => {
  const { t } = useTranslation()
  return (
    <>
      <p>{t('reasons_hint')}</p>
      <DriverParts key={person.id} driver={person.id} />
    </>
  )
}
const EndSessionsButton = ({ person }: { person: User }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { notify, canOrNotify } = useOfficeSession()
  const { busy, run } = useSingleRun()
  const end = async () => {
    if (!canOrNotify('sessions_end')) return
    const done = await dispatch(endSessions(person.id))
    if (endSessions.fulfilled.match(done))
      notify('sessions_ended', { name: formatFullName(person) })
  }
  return (
    <Button busy={busy} onClick={() => void run(end)}>
      {t('sessions_end')}
    </Button>
  )
}
const PERSON_PARTS = { wallet: WalletPanel, documents: DocumentsPanel, reasons: ReasonsPanel }
type PersonPart = keyof typeof PERSON_PARTS
const isPersonPart = (value: string | null): value is PersonPart =>
  value !== null && value in PERSON_PARTS

interface Option {
  value: string
  label: string
}

const PersonEditForm = ({
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
  const { profile, isAdmin, settings, canOrNotify, notify } = useOfficeSession()
  const { cars } = useLive(vehicleTypes)
  const getTypeName = useVehicleTypeName()
  const home = useMemo(() => homeCountry(settings), [settings])
  const isDriver = usertype === 'driver'
  /** Number of drivers that a refused deletion named, and the fleet admin who takes them over. */
  const [driverCount, setDriverCount] = useState(0)
  const [driversTo, setDriversTo] = useState<string>()
  const { listed: fleetAdmins } = useDirectory({
    usertype: 'fleetadmin',
    size: isDriver && isAdmin ? 200 : 0,
  })
  const none = { value: '', label: t('none') }
  // The record's value remains an option even when it is not in the list.
  const chosenFrom = (now: string | undefined, options: Option[]): Option[] =>
    !now || options.some(({ value }) => value === now)
      ? [none, ...options]
      : [none, { value: now, label: now }, ...options]
  const isSelf = person?.id === profile?.id
  // Only the back office decides a driver's vehicle type, which sets their pay, and their approval.
  const privileged = isAdmin && !isSelf
  const initial: PersonForm = {
    firstName: person?.firstName ?? '',
    lastName: person?.lastName ?? '',
    mobile: person?.mobile ?? '',
    email: person?.email ?? '',
    approved: person?.approved ?? true,
    ...Object.fromEntries(
      [...VEHICLE_FIELDS, ...BANK_FIELDS].map((field) => [field, person?.[field] ?? '']),
    ),
    fleetadmin: person?.fleetadmin ?? '',
  }
  // The balance when the box was checked: the owner did not give up money credited later.
  const [waived, setWaived] = useState<number | null>(null)
  const [isKept, setKept] = useState(false)
  const balance = roundAmount(person?.walletBalance ?? 0, 6)
  const authors = useEditAuthors(person ? dbPaths.user(person.id) : undefined)
  const added = useRef<string | null>(null)
  // A fleet admin must not decide where the money of their drivers goes.
  const hasBank = isDriver && isAdmin && settings !== null && shouldShowBankFields(settings)
  const hasWallet = usertype === 'driver' || usertype === 'rider'
  /** The fields that this user type has and the current user may set. */
  const settable: (keyof PersonForm)[] = [
    'firstName',
    'lastName',
    ...(isDriver
      ? VEHICLE_FIELDS.filter((field) => field !== 'carType' || privileged || !person)
      : []),
    ...(hasBank ? BANK_FIELDS : []),
    ...(isDriver && isAdmin ? (['fleetadmin'] as const) : []),
    ...((person ? privileged : isAdmin) ? (['approved'] as const) : []),
    ...(person ? [] : (['mobile', 'email'] as const)),
  ]
  const save = async (values: PersonForm, changes: Partial<PersonForm>) => {
    const given = Object.fromEntries(
      settable
        .map((field) => [field, (person ? changes : values)[field]] as const)
        .filter(([, value]) => value !== undefined),
    ) as Partial<User>
    if (person) await dispatch(editUser.quiet({ id: person.id, changes: given })).unwrap()
    else added.current = await dispatch(addUser.quiet({ ...given, usertype })).unwrap()
    notify('saved')
  }
  const remove = async () => {
    if (!person) return
    if (!canDeleteAccount(balance, waived === balance)) {
      setKept(true)
      throw new Error('The wallet keeps the account.')
    }
    const decision = {
      ...(balance > 0 && { waive_balance: true, balance }),
      ...(driversTo !== undefined && { drivers_to: driversTo || null }),
    }
    try {
      await dispatch(deleteUser({ id: person.id, ...decision })).unwrap()
    } catch (error) {
      const { key, params = {} } = error as DomainError
      if (key === 'drivers_left') setDriverCount(Number(params.drivers))
      throw error
    }
    notify('person_deleted')
  }
  return (
    <EditPanel<PersonForm>
      wide
      title={person ? formatFullName(person) || person.id : t(`add_${TITLE_KEYS[usertype]}`)}
      schema={person ? editForm : personForm}
      initial={initial}
      onSave={save}
      {...authors}
      onClose={() => (added.current ? onAdded(added.current) : onClose())}
      removeAsks={
        <>
          <DeletionBalance
            balance={balance}
            label="waive_for_owner"
            isWaived={waived === balance}
            isMissing={isKept}
            onWaived={(isWaived) => setWaived(isWaived ? balance : null)}
          />
          {person && usertype === 'fleetadmin' && (
            <DriversTakeover
              fleetAdmin={person.id}
              knownCount={driverCount}
              chosen={driversTo}
              onChoose={setDriversTo}
            />
          )}
        </>
      }
      {...(person &&
        isAdmin &&
        !isSelf && {
          onRemove: async () => {
            if (canOrNotify('user_delete')) await remove()
            else throw new Error('demo mode')
          },
        })}
    >
      {(field) => (
        <>
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
              <SwitchField label={t('approved')} disabled={isSelf} {...field('approved')} />
            )}
          </Section>
          {isDriver && (
            <Section title={t('vehicle')}>
              <SelectField
                label={t('car_type')}
                disabled={Boolean(person) && !privileged}
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
          )}
          {hasBank && (
            <Section title={t('bank')}>
              <TextField label={t('bank_name')} {...field('bankName')} />
              <TextField label={t('bank_code')} {...field('bankCode')} />
              <TextField label={t('bank_account')} {...field('bankAccount')} />
            </Section>
          )}
          {person && isDriver && isAdmin && (
            <Section title={t('reasons')}>
              <Button onClick={() => confirmLeave(() => onPart('reasons'))}>
                {t('reasons_open')}
              </Button>
            </Section>
          )}
          {person && hasWallet && (
            <Section title={t('wallet')}>
              <ReadOnlyValue label={t('wallet_balance')}>
                <Money amount={person.walletBalance ?? 0} />
              </ReadOnlyValue>
              <ReadOnlyValue label={t('referral_id')}>
                {person.referralId || t('none')}
              </ReadOnlyValue>
              <Button onClick={() => confirmLeave(() => onPart('wallet'))}>
                {t('wallet_history')}
              </Button>
              <Button onClick={() => confirmLeave(() => onPart('documents'))}>
                {t('documents')}
              </Button>
            </Section>
          )}
          {person && isAdmin && (
            <Section title={t('access')}>
              <p className={css.wide}>{t('sessions_end_office')}</p>
              <EndSessionsButton person={person} />
            </Section>
          )}
          {person && isAdmin && (
            <Section title={t('audit_of_record')}>
              <div className={css.wide}>
                <AuditTrail path={dbPaths.user(person.id)} />
              </div>
            </Section>
          )}
        </>
      )}
    </EditPanel>
  )
}
const TITLE_KEYS: Record<UserType, string> = {
  rider: 'rider',
  driver: 'driver',
  fleetadmin: 'fleet_admin',
  admin: 'admin',
}

/**
 * Shows a panel next to the list: a new person, an existing one, their wallet or their documents.
 */
export const PersonPanel = ({
  usertype,
  id,
  part,
  onPart,
  onAdded,
  onClose,
}: {
  usertype: UserType
  id: string | null
  part: string | null
  onPart: (part: PersonPart) => void
  onAdded: (id: string) => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { user, loading, error, retry } = usePerson(id ?? '')
  const on = { onPart, onAdded, onClose }
  if (id === null) return <PersonEditForm usertype={usertype} person={null} {...on} />
  if (!user || user.usertype !== usertype)
    return (
      <Panel wide title={t('person')} onClose={onClose}>
        {error.flag ? (
          <ErrorState onRetry={retry}>{t(error.msg ?? '')}</ErrorState>
        ) : loading ? (
          <SkeletonLines />
        ) : (
          <EmptyState title={t('not_found')} />
        )}
      </Panel>
    )
  const person = { ...user, id }
  if (!isPersonPart(part)) return <PersonEditForm usertype={usertype} person={person} {...on} />
  const Part = PERSON_PARTS[part]
  return (
    <Panel
      title={t('part_of', { part: t(part), name: formatFullName(person) || id })}
      onClose={onClose}
    >
      <Part person={person} />
    </Panel>
  )
}
