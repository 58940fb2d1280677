import type { TFunction } from 'i18next'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { Avatar } from '~/src/ui/Avatar'
import { StatusChip } from '~/src/ui/feedback/StatusChip'
import { createMoneyColumn } from '~/src/ui/table/moneyColumn'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import { createTimeColumn } from '~/src/ui/table/timeColumn'
import { formatContact } from '../contactFormat'
import css from './people.module.css'
import { NAME_COLUMN, type PersonRow } from './usePeople'
import type { Column } from '~/src/ui/table/tableProps'
import { Rating } from '~/src/ui/format/values'
import type { Settings } from '~/domain/catalog/types'
import type { UserType } from '~/domain/access/types'

export const hasWallet = (usertype: UserType) => usertype === 'driver' || usertype === 'rider'

const createTextColumn = (
  id: string,
  title: string,
  value: (person: PersonRow) => string | undefined,
): Column<PersonRow> => ({ id, title, cell: value, sortValue: (p) => value(p) ?? '' })

/** Shows that a driver is on duty, or why they cannot be. */
const DutyChip = ({ person, t }: { person: PersonRow; t: TFunction }) => {
  if (person.approved === undefined) return null
  if (!person.approved) return <StatusChip tone="warning">{t('approved_no')}</StatusChip>
  if (!person.driverActiveStatus) return <StatusChip tone="muted">{t('driver_is_off')}</StatusChip>
  return (
    <StatusChip tone={person.queue ? 'primary' : 'success'}>
      {t(person.queue ? 'driver_is_busy' : 'driver_is_free')}
    </StatusChip>
  )
}

const createDriverColumns = (
  t: TFunction,
  getTypeName: (id: string) => string | undefined,
): Column<PersonRow>[] => [
  {
    id: 'duty',
    title: t('on_duty'),
    cell: (p) => <DutyChip person={p} t={t} />,
    exportValue: (p) => (p.driverActiveStatus ? t('yes') : t('no')),
    isOnCard: true,
  },
  {
    ...createTextColumn('carType', t('car_type'), (p) => p.carType && getTypeName(p.carType)),
    isExtra: true,
  },
  {
    ...createTextColumn('vehicle', t('vehicle'), (p) =>
      [p.vehicleMake, p.vehicleModel].filter(Boolean).join(' '),
    ),
    isExtra: true,
  },
  {
    ...createTextColumn('vehicleNumber', t('vehicle_no'), (p) => p.vehicleNumber),
    isOnCard: true,
    cell: (p) => (
      <>
        <bdi dir="ltr">{p.vehicleNumber}</bdi> <small>{p.carType && getTypeName(p.carType)}</small>
      </>
    ),
  },
  {
    id: 'rating',
    title: t('rating'),
    cell: (p) => (p.ratings?.userrating ? <Rating value={p.ratings.userrating} /> : null),
    sortValue: (p) => p.ratings?.userrating ?? 0,
  },
]

const createWalletColumns = (t: TFunction, currency: string | undefined): Column<PersonRow>[] => [
  createMoneyColumn({
    id: 'walletBalance',
    title: t('wallet_balance'),
    currency,
    amount: (p) => p.walletBalance,
  }),
  { ...createTextColumn('referralId', t('referral_id'), (p) => p.referralId), isExtra: true },
]

const createNameColumn = (t: TFunction, added: string | null): Column<PersonRow> => ({
  ...createTextColumn(NAME_COLUMN, t('person'), (p) => formatFullName(p) || '—'),
  cell: (p) => (
    <span className={css.person}>
      <Avatar name={formatFullName(p)} photo={p.profile_image} />
      <bdi>{formatFullName(p) || '—'}</bdi>
      {p.id === added && <StatusChip tone="news">{t('just_added')}</StatusChip>}
    </span>
  ),
  isName: true,
  isOnCard: true,
})

/** Returns the name in two columns, as imports read it. */
const createExportedNames = (t: TFunction): Column<PersonRow>[] => [
  createTextColumn('firstName', t('firstName'), (p) => p.firstName || '—'),
  createTextColumn('lastName', t('lastName'), (p) => p.lastName),
]

const createContactColumn = (
  field: 'mobile' | 'email',
  t: TFunction,
  settings: Settings | null,
): Column<PersonRow> => ({
  id: field,
  title: t(field),
  cell: (p) => <bdi>{formatContact(p[field], settings, t)}</bdi>,
  sortValue: (p) => formatContact(p[field], settings, t),
  isOnCard: true,
})

const createApprovedColumn = (t: TFunction): Column<PersonRow> => ({
  id: 'approved',
  title: t('approved'),
  cell: (p) =>
    p.approved === undefined ? null : (
      <StatusChip tone={p.approved ? 'success' : 'warning'}>
        {t(p.approved ? 'approved_yes' : 'approved_no')}
      </StatusChip>
    ),
  sortValue: (p) => (p.approved ? 1 : 0),
  exportValue: (p) => (p.approved ? t('yes') : t('no')),
})

const createAddedColumn = (t: TFunction): Column<PersonRow> =>
  createTimeColumn<PersonRow>({
    id: 'createdAt',
    title: t('created_at'),
    at: (p) => (p.createdAt ? Date.parse(p.createdAt) : undefined),
    cell: (p) => (p.createdAt ? <RelativeTime at={Date.parse(p.createdAt)} only="date" /> : null),
  })

/** Creates the columns of the people of one user type, and those of their exports. */
export const createPeopleColumns = ({
  usertype,
  t,
  settings,
  getTypeName,
  added,
}: {
  usertype: UserType
  t: TFunction
  settings: Settings | null
  /** Returns the name of a vehicle type in the user's language. */
  getTypeName: (id: string) => string | undefined
  /** The uid of a person who was just added. */
  added: string | null
}): { columns: Column<PersonRow>[]; exported: Column<PersonRow>[] } => {
  const isDriver = usertype === 'driver'
  const facts: Column<PersonRow>[] = [
    { ...createContactColumn('mobile', t, settings), isOneLine: true },
    {
      ...createContactColumn('email', t, settings),
      breaksWords: true,
      ...(isDriver && { isExtra: true, isOnCard: false }),
    },
    // The column of the duty says which drivers are not approved.
    { ...createApprovedColumn(t), isOnCard: !isDriver, ...(isDriver && { isExtra: true }) },
    ...(isDriver ? createDriverColumns(t, getTypeName) : []),
    ...(hasWallet(usertype) ? createWalletColumns(t, settings?.code) : []),
    { ...createAddedColumn(t), ...(isDriver && { isExtra: true as const }) },
  ]
  return {
    columns: [createNameColumn(t, added), ...facts],
    exported: [...createExportedNames(t), ...facts],
  }
}
